//! Reads the facts of the card table that all SDKs are tested with.

use std::fmt::Debug;
use std::fs;
use std::str::FromStr;

use prost::Message;
use serde_json::Value;

use crate::{Card, CardSet, Game, Seat, Suit};

/// The lines of a file.
pub fn lines(name: &str) -> Vec<Value> {
    let path = format!("{}/../testdata/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).expect(&path);
    text.lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// What a token stands for; None for null.
pub fn token<T: FromStr<Err: Debug>>(value: &Value) -> Option<T> {
    value.as_str().map(|token| token.parse().expect(token))
}

pub fn card(value: &Value) -> Card {
    token(value).expect("a card")
}

pub fn cards(value: &Value) -> Vec<Card> {
    value.as_array().expect("cards").iter().map(card).collect()
}

pub fn card_set(value: &Value) -> CardSet {
    cards(value).into_iter().collect()
}

pub fn trump(line: &Value) -> Option<Suit> {
    token(&line["trump"])
}

pub fn seat(value: &Value) -> Option<Seat> {
    value.as_u64().map(|index| Seat::ALL[index as usize])
}

pub fn game(line: &Value) -> Game {
    let games = [Game::Euchre, Game::Whist];
    games
        .into_iter()
        .find(|game| line["game"] == game.to_string())
        .expect("a game")
}

/// The message that stands there in hexadecimal.
pub fn message<M: Message + Default>(value: &Value) -> M {
    let digits = value.as_str().expect("a message");
    let byte = |place| u8::from_str_radix(&digits[place..place + 2], 16).expect("a byte");
    let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    M::decode(bytes.as_slice()).expect("a message")
}
