//! The rules of the trick, by the facts that all SDKs share.

use super::testdata::{card, card_set, cards, game, lines, seat, token, trump};
use crate::{Card, Game, Suit};

#[test]
fn the_left_bower_counts_as_a_trump() {
    for line in lines("effective_suit") {
        let suit = game(&line).effective_suit(card(&line["card"]), trump(&line));
        assert_eq!(Some(suit), token(&line["suit"]), "{line}");
    }
}

#[test]
fn a_card_is_as_strong_as_its_place_in_its_suit() {
    for line in lines("effective_suit") {
        let strength = game(&line).strength(card(&line["card"]), trump(&line));
        assert_eq!(line["strength"], strength, "{line}");
    }
}

#[test]
fn a_suit_has_the_cards_that_count_as_it() {
    for line in lines("effective_suit") {
        let (card, trump) = (card(&line["card"]), trump(&line));
        let suits = Suit::ALL.into_iter();
        let counts_as: Vec<Suit> = suits
            .filter(|&suit| game(&line).cards_of(suit, trump).contains(card))
            .collect();
        assert_eq!(
            counts_as,
            [token::<Suit>(&line["suit"]).expect("a suit")],
            "{line}"
        );
    }
}

#[test]
fn a_card_beats_what_it_takes_the_trick_over_from() {
    for line in lines("beats") {
        let beats = game(&line).beats(card(&line["card"]), card(&line["other"]), trump(&line));
        assert_eq!(line["beats"], beats, "{line}");
    }
}

#[test]
fn the_best_card_of_a_trick_wins_it() {
    for line in lines("trick_winner") {
        let winning = game(&line).winning_card(&cards(&line["cards"]), trump(&line));
        assert_eq!(winning, token(&line["winning_card"]), "{line}");
    }
}

#[test]
fn the_seat_that_played_the_best_card_wins_the_trick() {
    for line in lines("trick_winner") {
        let leader = seat(&line["leader"]).expect("a leader");
        let trick = cards(&line["cards"]);
        let winner = game(&line).winner(&trick, leader, seat(&line["sits_out"]), trump(&line));
        assert_eq!(winner, seat(&line["winning_seat"]), "{line}");
    }
}

#[test]
fn a_hand_must_follow_if_it_can() {
    for line in lines("legal_plays") {
        let led: Option<Card> = token(&line["led"]);
        let legal = game(&line).legal_plays(card_set(&line["hand"]), led, trump(&line));
        assert_eq!(legal, card_set(&line["legal"]), "{line}");
    }
}

#[test]
fn euchre_is_played_with_24_cards() {
    assert_eq!(Game::Euchre.pack().len(), 24);
}

#[test]
fn a_trick_without_cards_has_no_winner() {
    assert_eq!(Game::Whist.winning_card(&[], Some(Suit::Hearts)), None);
}
