//! The player: what to call, to lay away and to play, each dreamed through.

use upcard::{Action, Game, Random};

use crate::bidding::Bidding;
use crate::cards::{Card, Cards};
use crate::deal::Known;
use crate::deciding::best;
use crate::foresight::{Course, worths_after};
use crate::habit;
use crate::open_hand::OpenHand;
use crate::sample::Dream;
use crate::thinking::Budget;
use crate::worth::{Results, Worth};

/// A player at one table.
pub struct Dreamer {
    pub worth: Worth,
    pub random: Random,
    pub budget: Budget,
}

impl Dreamer {
    /// Returns the place of the best call.
    pub fn call(&mut self, known: &Known, legal: &[Action]) -> usize {
        let bidding = Bidding::new(known, self.results(known));
        best(known, legal.len(), self.budget, &mut self.random, |dreams, random| {
            bidding.worths(legal, dreams, random)
        })
    }

    /// Returns the place of the best card to lay away.
    pub fn discard(&mut self, known: &Known, cards: &[Card]) -> usize {
        let results = self.results(known);
        let worth = |card: Card, dream: &Dream| {
            let mut hands = dream.began;
            hands[known.seat] -= Cards::one(card);
            let mut open = known.opened(hands, Some(card));
            habit::play_out(&mut open);
            results.of(&open, known.seat)
        };
        best(known, cards.len(), self.budget, &mut self.random, |dreams, _| {
            let sum =
                |&card: &Card| dreams.iter().map(|(dream, times)| worth(card, dream) * times).sum();
            cards.iter().map(sum).collect()
        })
    }

    /// Returns the place of the best card to play.
    pub fn play(&mut self, known: &Known, cards: &[Card]) -> usize {
        let results = self.results(known);
        best(known, cards.len(), self.budget, &mut self.random, |dreams, _| {
            let courses: Vec<Course> =
                dreams.iter().map(|(dream, times)| Course::new(known.now(dream), *times)).collect();
            let counted = cards.iter().map(|&card| known.counts_as(card));
            counted.map(|card| worth_of_playing(known, &courses, card, &results)).collect()
        })
    }

    fn results(&self, known: &Known) -> Results {
        let we_deal_next = (known.dealer + 1) % 2 == known.seat % 2;
        self.worth.results(known.score, we_deal_next)
    }
}

fn worth_of_playing(known: &Known, courses: &[Course], card: Card, results: &Results) -> f32 {
    let worth = |open: &OpenHand| results.of(open, known.seat);
    let by_habit = |course: &Course| {
        let mut open = course.open;
        open.play(card);
        habit::play_out(&mut open);
        worth(&open)
    };
    let worths = match known.game {
        Game::Euchre => worths_after(courses, card, known.seat, &worth),
        // Thirteen tricks go apart too far to be thought ahead.
        Game::Whist => courses.iter().map(by_habit).collect(),
    };
    worths.iter().zip(courses).map(|(worth, course)| worth * course.times).sum()
}
