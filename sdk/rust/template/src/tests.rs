//! What the bot should do, told as facts; `upcard check` tries the rest.

use super::*;

/// How many trumps there are in a hand if hearts are trump.
fn hearts(hand: &str) -> usize {
    trumps(hand.parse().expect("cards"), Suit::Hearts)
}

#[test]
fn the_left_bower_is_a_trump() {
    assert_eq!(hearts("9H AH JD 9C TC"), 3);
}

#[test]
fn the_other_jacks_are_none() {
    assert_eq!(hearts("9H AH JC JS TC"), 2);
}
