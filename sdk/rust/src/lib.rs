//! The Rust SDK for authors of bots that play card games under the Upcard referee.
//!
//! A whole bot, which the referee runs as a process:
//!
//! ```no_run
//! use upcard::{Action, Bot, Random, View};
//!
//! struct Player {
//!     random: Random,
//! }
//!
//! impl Bot for Player {
//!     fn choose(&mut self, _view: &View, legal: &[Action]) -> Action {
//!         self.random.choice(legal)
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     upcard::run(|table| Player { random: table.random })
//! }
//! ```
//!
//! [`View`] has what a player sees and may ask about it; [`Game`] has the rules of the trick without
//! a view, for a bot that thinks ahead. A [`RecycleView`] is for any game that is described in RECYCLE.

mod action;
mod answering;
mod bot;
mod card;
mod card_set;
mod ended;
mod game;
mod message;
mod moment;
mod pieces;
mod random;
mod recycle;
mod running;
mod seat;
mod session;
mod situation;
mod stream;
mod telling;
mod token;
mod view;

/// The messages of the protocol, made from its `.proto` files.
#[path = "generated/upcard.v1.rs"]
#[allow(clippy::all, dead_code)]
mod v1;

pub use action::Action;
pub use bot::{Bot, Table};
pub use card::{Card, Rank, Suit};
pub use card_set::CardSet;
pub use game::{Game, Rules};
pub use random::Random;
pub use recycle::{
    RecycleAward, RecycleFace, RecycleMove, RecyclePlace, RecyclePoints, RecycleRules, RecycleSpot,
    RecycleStep, RecycleValue, RecycleView,
};
pub use running::{run, run_at};
pub use seat::Seat;
pub use situation::{Impossible, Moment, Situation};
pub use telling::log;
pub use token::UnknownToken;
pub use view::{Phase, Play, Sides, Trick, View};

#[cfg(test)]
mod tests;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
