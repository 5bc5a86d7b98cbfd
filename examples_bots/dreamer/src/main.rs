//! A strong player of both games: it dreams up the hidden hands, and plays what does best in them.
//!
//! Begin with `dreamer`; `sample` and `plausible` are the dreams, `habit` is what happens in them.

mod bidding;
mod calling;
mod cards;
mod counting;
mod deal;
mod deciding;
mod dreamer;
mod foresight;
mod habit;
mod open_hand;
mod options;
mod plausible;
mod sample;
mod thinking;
mod worth;

#[cfg(test)]
mod tests;

use std::env;
use std::process::ExitCode;

use upcard::{Action, Bot, Table, View};

use crate::cards::Card;
use crate::deal::Known;
use crate::dreamer::Dreamer;
use crate::thinking::Budget;
use crate::worth::Worth;

/// A dreamer at a table of the referee's.
struct Seated {
    dreamer: Dreamer,
    budget: Budget,
}

impl Bot for Seated {
    fn choose(&mut self, view: &View, legal: &[Action]) -> Action {
        self.dreamer.budget = self.budget.within(view.time_left());
        let known = Known::of(view);
        let printed = |action: &Action| Some(Card::of(action.card()?, view.game(), None));
        let cards: Vec<Card> = legal.iter().filter_map(printed).collect();
        let place = match legal {
            [_] => 0,
            [Action::Play(_), ..] => self.dreamer.play(&known, &cards),
            [Action::Discard(_), ..] => self.dreamer.discard(&known, &cards),
            _ => self.dreamer.call(&known, legal),
        };
        legal[place]
    }
}

fn main() -> ExitCode {
    let budget = match options::budget(env::args().skip(1)) {
        Ok(budget) => budget,
        Err(usage) => {
            eprintln!("{usage}");
            return ExitCode::from(2);
        }
    };
    upcard::run(|Table { rules, random, .. }| Seated {
        dreamer: Dreamer { worth: Worth::new(rules.game, rules.target), random, budget },
        budget,
    })
}
