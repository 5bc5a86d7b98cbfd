//! The rules on bit sets agree with the facts that all SDKs are tested with.

use std::fs;
use std::path::Path;

use upcard::{Game, Suit};

use crate::cards::{Card, Cards};
use crate::open_hand::OpenHand;

/// A line of a file of facts; enough of JSON to read them.
struct Fact(String);

impl Fact {
    fn all(file: &str) -> Vec<Self> {
        let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/testdata").join(file);
        let text = fs::read_to_string(facts).expect("the facts lie beside the SDKs");
        text.lines().map(|line| Self(line.to_owned())).collect()
    }

    fn value(&self, key: &str) -> &str {
        let (_, rest) = self.0.split_once(&format!("\"{key}\":")).expect("the fact has it");
        let rest = rest.trim_start();
        let end = if rest.starts_with('[') { rest.find(']') } else { rest.find([',', '}']) };
        rest[..end.expect("the line goes on")].trim_matches(['[', '"'])
    }

    fn game(&self) -> Game {
        if self.value("game") == "euchre" { Game::Euchre } else { Game::Whist }
    }

    fn trump(&self) -> Option<Suit> {
        self.value("trump").parse().ok()
    }

    fn number(&self, key: &str) -> Option<usize> {
        self.value(key).parse().ok()
    }

    fn cards(&self, key: &str) -> Vec<Card> {
        let tokens = self.value(key).split([',', '"', ' ']).filter(|token| !token.is_empty());
        let cards = tokens.filter_map(|token| token.parse().ok());
        cards.map(|card| Card::of(card, self.game(), self.trump())).collect()
    }

    /// The start of a hand in which a seat leads; None if the fact is of no trump.
    fn led_by(&self, leader: usize, sits_out: Option<usize>) -> Option<OpenHand> {
        let trump = self.trump()?.index();
        let mut open = OpenHand::new(self.game(), [Cards::NONE; 4], trump, (leader + 3) % 4);
        if let Some(seat) = sits_out {
            open.made_by((seat + 2) % 4, true);
        }
        (open.leader, open.turn) = (leader, leader);
        Some(open)
    }
}

#[test]
fn what_may_be_played_is_what_the_referee_lets_be_played() {
    let mut tried = 0;
    for fact in Fact::all("legal_plays.jsonl") {
        let Some(mut open) = fact.led_by(0, None) else { continue };
        let held: Cards = fact.cards("hand").into_iter().collect();
        if let Some(&led) = fact.cards("led").first() {
            open.play(led);
        }
        open.hands[open.turn] = held;
        assert_eq!(open.legal(), fact.cards("legal").into_iter().collect(), "{}", fact.0);
        tried += 1;
    }
    assert!(tried > 50, "only {tried} facts were of use");
}

#[test]
fn a_trick_is_won_by_whom_the_referee_gives_it_to() {
    let mut tried = 0;
    for fact in Fact::all("trick_winner.jsonl") {
        let leader = fact.number("leader").expect("somebody leads");
        let Some(mut open) = fact.led_by(leader, fact.number("sits_out")) else { continue };
        fact.cards("cards").into_iter().for_each(|card| open.play(card));
        assert_eq!(Some(open.winner), fact.number("winning_seat"), "{}", fact.0);
        tried += 1;
    }
    assert!(tried > 50, "only {tried} facts were of use");
}

#[test]
fn cards_count_under_a_trump_as_the_sdk_says() {
    for trump in Suit::ALL {
        for printed in Game::Euchre.pack() {
            let counted = Card::of(printed, Game::Euchre, Some(trump));
            assert_eq!(Card::of(printed, Game::Euchre, None).under(trump.index()), counted);
        }
    }
}
