//! What a bot's author writes: a type that is asked for decisions.

use std::any::type_name;
use std::sync::Arc;

use crate::{Action, Phase, Random, RecycleRules, RecycleView, Rules, Seat, View};

/// A player for one match: a new one is made at the first turn of every table.
///
/// Write `choose`, or `bid`, `discard` and `play` (whist needs only `play`); and `act`, if the bot
/// plays games described in RECYCLE. What you keep in the bot is its memory of the match.
pub trait Bot {
    /// Returns one of the legal actions; asks `bid`, `discard` or `play` if you do not write it.
    fn choose(&mut self, view: &View, legal: &[Action]) -> Action {
        match view.phase() {
            Phase::Bidding => self.bid(view, legal),
            Phase::Discarding => self.discard(view, legal),
            Phase::Playing => self.play(view, legal),
        }
    }

    /// Returns a call: euchre's pass, order up, name a suit and so on.
    fn bid(&mut self, _view: &View, _legal: &[Action]) -> Action {
        missing::<Self>("bid")
    }

    /// Returns what to lay away after taking the upcard.
    fn discard(&mut self, _view: &View, _legal: &[Action]) -> Action {
        missing::<Self>("discard")
    }

    /// Returns the card to play.
    fn play(&mut self, _view: &View, _legal: &[Action]) -> Action {
        missing::<Self>("play")
    }

    /// Returns one of the legal moves of a game described in RECYCLE, which are told in words.
    fn act<'a>(&mut self, _view: &RecycleView<'a>, _legal: &[&'a str]) -> &'a str {
        panic!(
            "{} cannot decide: write act(&mut self, view, legal) for games described in RECYCLE",
            type_name::<Self>()
        )
    }
}

fn missing<B: ?Sized>(method: &str) -> ! {
    panic!(
        "{} cannot decide: write {method}(&mut self, view, legal) for this, \
         or choose(&mut self, view, legal) for everything",
        type_name::<B>()
    )
}

/// A bot that is chosen when the program runs.
impl<B: Bot + ?Sized> Bot for Box<B> {
    fn choose(&mut self, view: &View, legal: &[Action]) -> Action {
        (**self).choose(view, legal)
    }

    fn act<'a>(&mut self, view: &RecycleView<'a>, legal: &[&'a str]) -> &'a str {
        (**self).act(view, legal)
    }
}

/// A table at its first turn; what a bot is made from.
#[derive(Clone, Debug)]
pub struct Table {
    /// Your seat, the same for the whole match.
    pub seat: Seat,
    /// The rules.
    pub rules: Rules,
    /// The game with your seat, if it is described in RECYCLE: then `seat` and `rules` mean nothing.
    pub recycle: Option<Arc<RecycleRules>>,
    /// Draw from nothing else, and the same match played again goes the same way.
    pub random: Random,
}
