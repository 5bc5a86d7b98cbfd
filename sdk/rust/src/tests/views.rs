//! The view of a turn, by the facts that all SDKs share.

use std::fmt::Display;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::testdata::{lines, message};
use crate::answering::rules_of;
use crate::v1::{Turn, Welcome};
use crate::{Card, Phase, Rules, Seat, Sides, Suit, View};

/// Looks at a line of the testdata.
fn look<T>(line: &Value, at: impl FnOnce(&View) -> T) -> T {
    let turn: Turn = message(&line["turn"]);
    let welcome: Welcome = message(&line["welcome"]);
    let rules: Rules = rules_of(&welcome).expect("rules");
    let mut legal = Vec::new();
    at(&View::of(&turn, &rules, &mut legal).expect("nothing unknown"))
}

fn tokens<T: Display>(values: impl IntoIterator<Item = T>) -> Value {
    values.into_iter().map(|value| value.to_string()).collect()
}

fn token<T: Display>(value: Option<T>) -> Value {
    value.map(|value| value.to_string()).into()
}

fn index(seat: Option<Seat>) -> Value {
    seat.map(Seat::index).into()
}

fn sides(sides: Sides) -> Value {
    json!([sides.us, sides.them])
}

fn by_suit(cards: impl Fn(Suit) -> Vec<Card>) -> Value {
    Suit::ALL
        .map(|suit| (suit.to_string(), tokens(cards(suit))))
        .into_iter()
        .collect()
}

/// Returns the view in the form of the testdata.
pub(super) fn told(view: &View) -> Value {
    let mut told = Map::new();
    for part in [
        when_and_who(view),
        cards(view),
        bidding(view),
        playing(view),
    ] {
        told.extend(part.as_object().expect("a part").clone());
    }
    told.into()
}

fn when_and_who(view: &View) -> Value {
    json!({
        "game": view.game().to_string(),
        "phase": view.phase().to_string(),
        "table": view.table(),
        "turn": view.turn(),
        "time_left_ms": view.time_left().map(|left: Duration| left.as_millis() as u64),
        "hand_number": view.hand_number(),
        "seat": view.seat().index(),
        "partner": view.partner().index(),
        "dealer": view.dealer().index(),
        "score": sides(view.score()),
        "target": view.target(),
    })
}

fn cards(view: &View) -> Value {
    json!({
        "hand": tokens(view.hand()),
        "legal": tokens(view.legal()),
        "legal_cards": tokens(view.legal_cards()),
        "trump_card": token(view.trump_card()),
        "trump": token(view.trump()),
        "cards_still_out": tokens(view.cards_still_out()),
        "holding": by_suit(|suit| view.holding(suit)),
        "still_out": by_suit(|suit| view.still_out(suit)),
    })
}

fn bidding(view: &View) -> Value {
    json!({
        "upcard": token(view.upcard()),
        "calls": tokens(view.calls()),
        "dealer_stuck": view.dealer_stuck(),
        "maker": index(view.maker()),
        "we_made_trump": view.we_made_trump(),
        "picked_up": view.picked_up(),
        "sits_out": index(view.sits_out()),
        "discard": token(view.discard()),
    })
}

fn playing(view: &View) -> Value {
    let playing = view.phase() == Phase::Playing;
    let mine = view.legal_cards().into_iter().filter(|_| playing);
    let tricks = view.tricks().into_iter().map(|trick| {
        json!({
            "leader": trick.leader.index(),
            "cards": tokens(trick.cards),
            "winner": trick.winner.index(),
        })
    });
    let plays = view.plays().into_iter();
    json!({
        "leader": index(view.leader()),
        "trick": tokens(view.trick()),
        "suit_led": token(view.suit_led()),
        "winning_card": token(view.winning_card()),
        "winning_seat": index(view.winning_seat()),
        "partner_is_winning": view.partner_is_winning(),
        "last_to_play": view.last_to_play(),
        "tricks": tricks.collect::<Value>(),
        "tricks_won": sides(view.tricks_won()),
        "plays": plays.map(|play| json!([play.seat.index(), play.card.to_string()])).collect::<Value>(),
        "void_suits": Seat::ALL.map(|seat| tokens(view.void_suits(seat))),
        "takes_trick": mine.map(|card| (card.to_string(), json!(view.takes_trick(card)))).collect::<Value>(),
    })
}

#[test]
fn a_view_tells_what_the_seat_knows() {
    for line in lines("views") {
        assert_eq!(look(&line, told), line["view"]);
    }
}

#[test]
fn the_played_cards_are_those_of_the_plays() {
    for line in lines("views") {
        let same = |view: &View| view.plays().iter().map(|play| &play.card).eq(view.played());
        assert!(look(&line, same), "{line}");
    }
}

#[test]
fn a_view_prints_as_the_situation() {
    let line = lines("views").swap_remove(0);
    let situation = "euchre, bidding: hand QC 9D AH 9S QS, upcard TS";
    assert_eq!(look(&line, |view| view.to_string()), situation);
}
