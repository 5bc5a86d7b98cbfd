//! Every value prints as its token, and a token gives the value back.

use super::testdata::{lines, token};
use crate::{Action, Card, CardSet, Rank, Seat, Suit};

#[test]
fn a_card_has_its_number_on_the_wire() {
    for line in lines("cards") {
        let number = line["number"].as_i64().expect("a number") as i32;
        assert_eq!(Card::of(number), token(&line["card"]), "{line}");
    }
}

#[test]
fn no_number_but_those_of_cards_is_a_card() {
    assert_eq!([0, -1, 53, 265].map(Card::of), [None; 4]);
}

#[test]
fn a_card_prints_as_its_token() {
    for line in lines("cards") {
        let card: Card = token(&line["card"]).expect("a card");
        assert_eq!(line["card"], card.to_string());
    }
}

#[test]
fn a_card_has_its_suit_printed_on_it() {
    for line in lines("cards") {
        let card: Card = token(&line["card"]).expect("a card");
        assert_eq!(line["suit"], card.suit().to_string());
    }
}

#[test]
fn an_action_prints_as_the_token_it_is_parsed_from() {
    for token in [
        "pass",
        "order_up",
        "order_up_alone",
        "name:S",
        "name_alone:D",
        "discard:9H",
        "play:JD",
    ] {
        assert_eq!(
            token.parse::<Action>().map(|action| action.to_string()),
            Ok(token.to_owned())
        );
    }
}

#[test]
fn a_call_has_its_number_on_the_wire() {
    let told: Vec<String> = (0..=12)
        .filter_map(Action::of_call)
        .map(|call| call.to_string())
        .collect();
    let calls = "pass order_up order_up_alone name:C name:D name:H name:S \
                 name_alone:C name_alone:D name_alone:H name_alone:S";
    assert_eq!(told.join(" "), calls);
}

#[test]
fn a_text_that_is_no_card_says_so() {
    for text in ["", "J", "1D", "JX", "JDD", "♥J"] {
        let error = text.parse::<Card>().expect_err("no card");
        assert_eq!(error.to_string(), format!("{text:?} is no card"));
    }
}

#[test]
fn a_text_that_is_no_action_says_so() {
    for text in ["", "fold", "name", "name:X", "play:", "play:1D", "order:up"] {
        let error = text.parse::<Action>().expect_err("no action");
        assert_eq!(error.to_string(), format!("{text:?} is no action"));
    }
}

#[test]
fn cards_are_parsed_with_spaces_between_them() {
    let cards = [
        Card::new(Rank::Jack, Suit::Diamonds),
        Card::new(Rank::Nine, Suit::Clubs),
    ];
    assert_eq!("JD 9C".parse::<CardSet>(), Ok(cards.into_iter().collect()));
}

#[test]
fn partners_sit_two_seats_apart() {
    assert_eq!(
        Seat::ALL.map(Seat::partner),
        [Seat::South, Seat::West, Seat::North, Seat::East]
    );
}

#[test]
fn the_left_of_west_is_north() {
    assert_eq!(Seat::West.left(), Seat::North);
}
