//! What the bot should do, told as facts; `upcard check` tries the rest.

use upcard::Situation;

use super::*;

/// What the bot chooses in a situation. West is the dealer, if no other is told.
fn choice(situation: Situation) -> String {
    situation.ask(|_table| Player).to_string()
}

/// What it says in the first round, with the king of hearts turned up.
fn call(hand: &str) -> String {
    choice(Situation {
        hand,
        upcard: "KH",
        ..Situation::default()
    })
}

/// What it plays when hearts are trump.
fn play(hand: &str, played: &str) -> String {
    choice(Situation {
        hand,
        trump: "H",
        played,
        ..Situation::default()
    })
}

#[test]
fn three_trumps_are_enough_to_order_up() {
    // The jack of diamonds would be the left bower.
    assert_eq!(call("9H AH JD 9C TC"), "order_up");
}

#[test]
fn two_trumps_are_not() {
    assert_eq!(call("9H AH JS 9C TC"), "pass");
}

#[test]
fn the_dealer_keeps_her_trumps() {
    let situation = Situation {
        hand: "TC AD 9H TH QH KS",
        upcard: "QH",
        calls: "order_up",
        ..Situation::default()
    };
    assert_eq!(choice(situation), "discard:TC");
}

#[test]
fn a_trick_is_won_as_cheaply_as_it_can_be() {
    assert_eq!(play("9C JC KC", "TC"), "play:JC");
}

#[test]
fn partners_trick_is_left_to_her() {
    assert_eq!(play("TC AC", "KC 9C"), "play:TC");
}
