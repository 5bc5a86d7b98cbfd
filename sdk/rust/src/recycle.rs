//! Games described in RECYCLE: their rules, what a player knows when it is to act, and its moves.
//!
//! Nothing here knows a game. Players and owners count from 1: an owner is 0 for the table, n for
//! player n and -n for team n.

mod rules;
mod view;

pub use rules::{RecycleFace, RecycleRules};
pub use view::{
    RecycleAward, RecycleMove, RecyclePlace, RecyclePoints, RecycleSpot, RecycleStep, RecycleValue,
    RecycleView,
};
