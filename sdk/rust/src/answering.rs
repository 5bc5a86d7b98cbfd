//! A bot's side of the conversation without the network: turns in, choices out.

use std::collections::HashMap;
use std::fmt::Display;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;

use crate::ended::Ended;
use crate::message::Unknown;
use crate::telling::{Decision, listed, now_deciding, spaced};
use crate::v1::welcome;
use crate::v1::{Frame, TableOpened, Turn, Welcome};
use crate::{Action, Bot, Game, Random, RecycleRules, RecycleView, Rules, Seat, Table, View};

/// Makes the bot of a table. No type of the author's own, so that all of this is compiled but once.
pub(crate) type SeatBot<'a> = Box<dyn FnMut(Table) -> Box<dyn Bot + 'a> + 'a>;

/// A table at which a match has begun. Its bot is made when it is asked first: many tables may be
/// opened at once, and one turn must not wait for all their bots.
struct Begun<'a> {
    seed: u64,
    bot: Option<Box<dyn Bot + 'a>>,
}

/// The tables a bot sits at, with a bot of its own for each.
pub(crate) struct Tables<'a> {
    seat_bot: SeatBot<'a>,
    seat: Seat,
    rules: Rules,
    /// The game, if it is described in RECYCLE.
    recycle: Option<Arc<RecycleRules>>,
    begun: HashMap<u32, Begun<'a>>,
    legal: Vec<Action>,
}

impl<'a> Tables<'a> {
    /// Learns the game, its rules and the seat.
    pub fn new(welcome: &Welcome, seat_bot: SeatBot<'a>) -> Result<Self, Ended> {
        let recycle = recycle_rules_of(welcome);
        let seat = match recycle {
            Some(_) => Seat::North,
            None => Seat::of(welcome.seat).ok_or_else(|| lost("the referee told no seat"))?,
        };
        Ok(Self {
            seat_bot,
            seat,
            rules: rules_of(welcome).ok_or(Unknown::Game)?,
            recycle,
            begun: HashMap::new(),
            legal: Vec::new(),
        })
    }

    /// Notes the tables at which a match begins.
    pub fn open(&mut self, opened: &[TableOpened]) {
        for &TableOpened { table_id, seed } in opened {
            self.begun.insert(table_id, Begun { seed, bot: None });
        }
    }

    /// Decides the turn in a place of a frame: gives the place of the choice in its legal actions.
    pub fn decide(&mut self, frame: &Rc<Frame>, place: usize) -> Result<u32, Ended> {
        now_deciding(Some(Decision {
            frame: Rc::clone(frame),
            place,
            rules: self.rules,
            recycle: self.recycle.clone(),
        }));
        let turn = &frame.turns[place];
        let choice = match self.recycle.clone() {
            Some(rules) => self.chosen_move(turn, &rules)?,
            None => self.choice(turn)?,
        };
        now_deciding(None);
        Ok(choice)
    }

    fn choice(&mut self, turn: &Turn) -> Result<u32, Ended> {
        let view = View::of(turn, &self.rules, &mut self.legal)?;
        let begun = self.begun.get_mut(&turn.table_id);
        let Begun { seed, bot } = begun.ok_or_else(never_opened)?;
        let make = || {
            (self.seat_bot)(Table {
                seat: self.seat,
                rules: self.rules,
                recycle: None,
                random: Random::new(*seed),
            })
        };
        let choice = __rust_begin_short_backtrace(bot, make, &view);
        let place = view.legal().iter().position(|&action| action == choice);
        place
            .map(|place| place as u32)
            .ok_or_else(|| illegal(choice, &spaced(view.legal())))
    }

    /// The same in a game described in RECYCLE.
    fn chosen_move(&mut self, turn: &Turn, rules: &Arc<RecycleRules>) -> Result<u32, Ended> {
        let view = RecycleView::of(turn, rules)?;
        let begun = self.begun.get_mut(&turn.table_id);
        let Begun { seed, bot } = begun.ok_or_else(never_opened)?;
        let make = || {
            (self.seat_bot)(Table {
                seat: self.seat,
                rules: self.rules,
                recycle: Some(Arc::clone(rules)),
                random: Random::new(*seed),
            })
        };
        let legal = view.legal();
        let choice = acting::__rust_begin_short_backtrace(bot, make, &view, &legal);
        let place = legal.iter().position(|&text| text == choice);
        place
            .map(|place| place as u32)
            .ok_or_else(|| illegal(choice, &listed(&legal)))
    }

    /// Forgets the tables at which the match is over.
    pub fn close(&mut self, frame: &Frame) {
        for table in &frame.closed {
            self.begun.remove(&table.table_id);
        }
    }
}

/// Asks the bot, which is made first if it has not been asked yet. Rust ends a short backtrace at a
/// function of this name: what called it, gRPC and all, tells an author nothing.
#[inline(never)]
fn __rust_begin_short_backtrace<'a>(
    bot: &mut Option<Box<dyn Bot + 'a>>,
    make: impl FnOnce() -> Box<dyn Bot + 'a>,
    view: &View,
) -> Action {
    black_box(bot.get_or_insert_with(make).choose(view, view.legal()))
}

mod acting {
    use super::{Bot, RecycleView, black_box};

    /// The same in a game described in RECYCLE.
    #[inline(never)]
    pub fn __rust_begin_short_backtrace<'t, 'a>(
        bot: &mut Option<Box<dyn Bot + 'a>>,
        make: impl FnOnce() -> Box<dyn Bot + 'a>,
        view: &RecycleView<'t>,
        legal: &[&'t str],
    ) -> &'t str {
        black_box(bot.get_or_insert_with(make).act(view, legal))
    }
}

/// Reads the rules, unless they are of a game this version does not know.
pub(crate) fn rules_of(welcome: &Welcome) -> Option<Rules> {
    Some(match welcome.rules.as_ref()? {
        welcome::Rules::Euchre(rules) => Rules {
            game: Game::Euchre,
            target: rules.target,
            alone: rules.alone,
            stick_dealer: rules.stick_dealer,
            partner_must_go_alone: rules.partner_must_go_alone,
        },
        welcome::Rules::Whist(rules) => of_whist(rules.target),
        welcome::Rules::Recycle(_) => of_whist(0),
    })
}

fn of_whist(target: u32) -> Rules {
    Rules {
        game: Game::Whist,
        target,
        alone: false,
        stick_dealer: false,
        partner_must_go_alone: false,
    }
}

/// Reads the game, if it is described in RECYCLE.
pub(crate) fn recycle_rules_of(welcome: &Welcome) -> Option<Arc<RecycleRules>> {
    match welcome.rules.as_ref()? {
        welcome::Rules::Recycle(rules) => Some(Arc::new(RecycleRules::of(rules))),
        _ => None,
    }
}

fn never_opened() -> Ended {
    lost("the table was never opened")
}

fn lost(why: &str) -> Ended {
    Ended::Lost(why.to_owned())
}

fn illegal(choice: impl Display, legal: &str) -> Ended {
    Ended::Failed(format!("the bot returned {choice}; legal here:{legal}"))
}
