//! Thinking ahead, on endings small enough to try everything.

use upcard::{Game, Random};

use super::{Dealt, card};
use crate::cards::{Card, Cards};
use crate::dreamer::Dreamer;
use crate::foresight::{Course, worths_after};
use crate::habit;
use crate::open_hand::OpenHand;
use crate::thinking::Budget;
use crate::worth::Worth;

const HANDS: u64 = 200;
/// Our last three tricks are to come.
const PLAYED: usize = 8;

fn our_tricks(open: &OpenHand, seat: usize) -> f32 {
    f32::from(open.taken[seat % 2])
}

/// The most tricks we can take by trying everything ourselves while others play by habit.
fn by_brute_force(open: &OpenHand, seat: usize) -> f32 {
    if open.is_over() {
        return our_tricks(open, seat);
    }
    let after = |card: Card| {
        let mut open = *open;
        open.play(card);
        by_brute_force(&open, seat)
    };
    if open.turn == seat {
        open.legal().iter().map(after).fold(0.0, f32::max)
    } else {
        after(habit::card(open))
    }
}

fn ending(seed: u64) -> (OpenHand, usize) {
    let dealt = Dealt::euchre(seed, 0, PLAYED);
    let open = dealt.known.now(&dealt.truth);
    (open, open.turn)
}

#[test]
fn in_a_deal_seen_twice_foresight_finds_what_brute_force_finds() {
    for seed in 0..HANDS {
        let (open, seat) = ending(seed);
        // Of two courses that are the same, each is chosen by the other one; so often that what
        // habit is given in advance does not matter.
        let twice = [Course::new(open, 1000.0), Course::new(open, 1000.0)];
        let after = |card| worths_after(&twice, card, seat, &|open| our_tricks(open, seat))[0];
        let best = open.legal().iter().map(after).fold(0.0, f32::max);
        assert_eq!(best, by_brute_force(&open, seat), "hand {seed}");
    }
}

#[test]
fn a_single_course_is_played_by_habit() {
    for seed in 0..HANDS {
        let (open, seat) = ending(seed);
        let usual = habit::card(&open);
        let once = [Course::new(open, 1.0)];
        let mut played = open;
        habit::play_out(&mut played);
        let worths = worths_after(&once, usual, seat, &|open| our_tricks(open, seat));
        assert_eq!(worths, [our_tricks(&played, seat)], "hand {seed}");
    }
}

#[test]
fn habit_plays_only_what_is_legal() {
    for seed in 0..HANDS {
        let dealt = Dealt::whist(seed, 0, 0);
        let mut open = dealt.known.now(&dealt.truth);
        while !open.is_over() {
            let card = habit::card(&open);
            assert!(open.legal().has(card), "hand {seed}");
            open.play(card);
        }
    }
}

#[test]
fn the_same_seed_and_number_of_dreams_give_the_same_card() {
    for seed in 0..HANDS / 10 {
        let dealt = Dealt::euchre(seed, 0, 0);
        let known = &dealt.known;
        let cards: Vec<Card> = known.held.iter().collect();
        let choice = || {
            let worth = Worth::new(Game::Euchre, 10);
            let budget = Budget::Dreams(100);
            Dreamer { worth, random: Random::new(seed), budget }.play(known, &cards)
        };
        assert_eq!(choice(), choice(), "hand {seed}");
    }
}

#[test]
fn a_trick_that_only_a_trump_takes_is_trumped() {
    let c = |token: &str| card(token, Game::Whist);
    let hold = |tokens: &str| -> Cards { tokens.split(' ').map(c).collect() };
    let hands = [hold("2H 3D"), hold("AC 4D"), hold("3C 5D"), hold("4C 6D")];
    let mut open = OpenHand::new(Game::Whist, hands, 2, 0);
    open.taken = [5, 6];
    for token in ["AC", "3C", "4C"] {
        open.play(c(token));
    }
    assert_eq!(habit::card(&open), c("2H"));
}
