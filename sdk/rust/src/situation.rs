//! Situations for the tests of a bot: the view of a moment that its author thinks of.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::moment::{Followed, Told};
use crate::telling::spaced;
use crate::v1::{EuchrePhase, EuchreView, Turn, WhistView, turn};
use crate::{
    Action, Bot, Card, Game, Phase, Random, Rules, Seat, Sides, Table, UnknownToken, View,
};

/// What a bot draws from in a test.
const SEED: u64 = 1;

/// A moment in a hand of euchre or whist, told in words of the table: `9C JD AH`, `pass order_up`.
///
/// Only what matters has to be told; the rest follows by the rules: who is to act, who made trump,
/// who won which trick, what is legal.
///
/// ```
/// use upcard::{Card, Situation};
///
/// let situation = Situation {
///     hand: "JD 9H AS",
///     trump: "H",
///     played: "9S KS",
///     ..Situation::default()
/// };
/// let moment = situation.moment()?;
/// assert_eq!(moment.view().legal_cards().to_string(), "AS");
/// # Ok::<(), upcard::Impossible>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Situation<'t> {
    /// Euchre, if you leave it out.
    pub game: Game,
    /// The cards of who is to act; with six, the dealer has to lay one away. There may be fewer
    /// than there would be: those that matter.
    pub hand: &'t str,
    /// West, if you leave it out.
    pub dealer: Seat,
    /// Who is to act; that follows from the rest, and is checked if it is told.
    pub seat: Option<Seat>,
    /// Euchre: the card turned up.
    pub upcard: &'t str,
    /// Whist: the last card dealt.
    pub trump_card: &'t str,
    /// Euchre: what was said so far, eldest's call first.
    pub calls: &'t str,
    /// Euchre: the trump suit, instead of `calls`. It was ordered up if it is the upcard's, else
    /// named; where no upcard is told, that is a card nobody has.
    pub trump: &'t str,
    /// Euchre: who made trump, instead of `calls`; eldest, if you leave it out.
    pub maker: Option<Seat>,
    /// Every card of this hand that was played, in order; who played it follows.
    pub played: &'t str,
    /// Euchre: what the dealer laid away, where she is the one to act.
    pub discard: &'t str,
    /// Before this hand.
    pub score: Sides,
    /// The number of the hand in its match, from 0.
    pub hand_number: u32,
    /// Euchre: whether the dealer must name a suit in the end though the rules do not say so.
    pub dealer_stuck: bool,
    /// Those of the game; the usual ones of a match to 10 points, if you leave them out.
    pub rules: Option<Rules>,
}

impl Default for Situation<'_> {
    fn default() -> Self {
        Self {
            game: Game::Euchre,
            hand: "",
            dealer: Seat::West,
            seat: None,
            upcard: "",
            trump_card: "",
            calls: "",
            trump: "",
            maker: None,
            played: "",
            discard: "",
            score: Sides::default(),
            hand_number: 0,
            dealer_stuck: false,
            rules: None,
        }
    }
}

impl Situation<'_> {
    /// The moment at which somebody is to act, unless there cannot be one.
    pub fn moment(&self) -> Result<Moment, Impossible> {
        let followed = self.told()?.followed()?;
        let turn = Turn {
            turn_id: 1,
            table_id: 1,
            time_left_ms: 0,
            view: Some(match self.game {
                Game::Euchre => turn::View::Euchre(euchre(&followed)),
                Game::Whist => turn::View::Whist(whist(&followed)),
            }),
        };
        Ok(Moment {
            turn,
            rules: followed.told.rules,
            legal: followed.legal(),
        })
    }

    /// What a new bot chooses; what it draws from is the same each time.
    ///
    /// # Panics
    ///
    /// If there cannot be such a moment, or the bot chooses what is not legal.
    pub fn ask<B: Bot>(&self, make: impl FnOnce(Table) -> B) -> Action {
        let moment = self.moment().unwrap_or_else(|why| panic!("{why}"));
        let view = moment.view();
        let mut bot = make(Table {
            seat: view.seat(),
            rules: *view.rules(),
            recycle: None,
            random: Random::new(SEED),
        });
        let choice = bot.choose(&view, view.legal());
        let legal = view.legal().contains(&choice);
        assert!(
            legal,
            "the bot returned {choice}; legal here:{}",
            spaced(view.legal())
        );
        choice
    }

    fn told(&self) -> Result<Told, Impossible> {
        let rules = self.rules.unwrap_or_else(|| usual(self.game));
        if rules.game != self.game {
            return Err(Impossible(format!("the rules are those of {}", rules.game)));
        }
        Ok(Told {
            rules,
            hand: words(self.hand)?,
            dealer: self.dealer,
            seat: self.seat,
            upcard: word(self.upcard)?,
            trump_card: word(self.trump_card)?,
            calls: words(self.calls)?,
            trump: word(self.trump)?,
            maker: self.maker,
            played: words(self.played)?,
            discard: word(self.discard)?,
            score: self.score,
            hand_number: self.hand_number,
            dealer_stuck: self.dealer_stuck,
        })
    }
}

/// The usual rules of a game.
fn usual(game: Game) -> Rules {
    let euchre = game == Game::Euchre;
    Rules {
        game,
        target: 10,
        alone: euchre,
        stick_dealer: euchre,
        partner_must_go_alone: false,
    }
}

fn words<T: FromStr<Err = UnknownToken>>(text: &str) -> Result<Vec<T>, Impossible> {
    let read = text.split_whitespace().map(str::parse);
    read.collect::<Result<_, _>>()
        .map_err(|unknown: UnknownToken| Impossible(unknown.to_string()))
}

fn word<T: FromStr<Err = UnknownToken>>(text: &str) -> Result<Option<T>, Impossible> {
    let mut read = words(text)?;
    match read.len() {
        0 | 1 => Ok(read.pop()),
        _ => Err(Impossible(format!("{text:?} is more than one word"))),
    }
}

/// A moment at which somebody is to act.
#[derive(Clone, Debug)]
pub struct Moment {
    turn: Turn,
    rules: Rules,
    legal: Vec<Action>,
}

impl Moment {
    /// The view of the seat that is to act.
    pub fn view(&self) -> View<'_> {
        View::with_legal(&self.turn, &self.rules, &self.legal).expect("it was made by this version")
    }
}

/// Why there cannot be a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible(pub(crate) String);

impl fmt::Display for Impossible {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Error for Impossible {}

/// Writes a moment as the referee does.
fn euchre(followed: &Followed) -> EuchreView {
    let Followed { told, made, .. } = followed;
    let (points_north_south, points_east_west) = points(followed);
    let legal = followed.legal();
    EuchreView {
        phase: match followed.phase {
            Phase::Bidding => EuchrePhase::Bidding,
            Phase::Discarding => EuchrePhase::Discarding,
            Phase::Playing => EuchrePhase::Playing,
        } as i32,
        seat: seat_number(Some(followed.actor)),
        dealer: seat_number(Some(told.dealer)),
        points_north_south,
        points_east_west,
        hand_number: told.hand_number,
        dealer_stuck: told.is_stuck(),
        upcard: card_number(told.upcard),
        calls: told.calls.iter().filter_map(|call| call.number()).collect(),
        trump: made.trump.map_or(0, |suit| suit.index() as i32 + 1),
        maker: seat_number(made.maker),
        sits_out: seat_number(made.sits_out),
        hand: card_numbers(&told.hand),
        discard: card_number(told.discard),
        played: card_numbers(&told.played),
        leaders: leaders(followed),
        legal_calls: legal.iter().filter_map(|call| call.number()).collect(),
        legal_cards: legal_cards(&legal),
    }
}

fn whist(followed: &Followed) -> WhistView {
    let told = &followed.told;
    let (points_north_south, points_east_west) = points(followed);
    WhistView {
        seat: seat_number(Some(followed.actor)),
        dealer: seat_number(Some(told.dealer)),
        points_north_south,
        points_east_west,
        hand_number: told.hand_number,
        trump_card: card_number(told.trump_card),
        hand: card_numbers(&told.hand),
        played: card_numbers(&told.played),
        leaders: leaders(followed),
        legal_cards: legal_cards(&followed.legal()),
    }
}

fn points(followed: &Followed) -> (u32, u32) {
    let Sides { us, them } = followed.told.score;
    if followed.actor.same_team(Seat::North) {
        (us, them)
    } else {
        (them, us)
    }
}

fn leaders(followed: &Followed) -> Vec<i32> {
    let leaders = followed.leaders.iter();
    leaders.map(|&seat| seat_number(Some(seat))).collect()
}

fn legal_cards(legal: &[Action]) -> Vec<i32> {
    let cards: Vec<Card> = legal.iter().filter_map(|action| action.card()).collect();
    card_numbers(&cards)
}

fn card_numbers(cards: &[Card]) -> Vec<i32> {
    cards.iter().map(|&card| card_number(Some(card))).collect()
}

fn card_number(card: Option<Card>) -> i32 {
    card.map_or(0, |card| card.index() as i32 + 1)
}

fn seat_number(seat: Option<Seat>) -> i32 {
    seat.map_or(0, |seat| seat.index() as i32 + 1)
}
