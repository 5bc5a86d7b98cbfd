//! What a seat may do.

use std::fmt;
use std::str::FromStr;

use crate::{Card, Suit, UnknownToken};

/// A call, a discard or a card to the trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Euchre: `pass`.
    Pass,
    /// Euchre, first round: the dealer takes the upcard, and its suit is trump. `order_up`.
    OrderUp,
    /// The same, and the caller plays without her partner. `order_up_alone`.
    OrderUpAlone,
    /// Euchre, second round: a suit is trump. `name:S`.
    Name(Suit),
    /// The same, and the caller plays without her partner. `name_alone:S`.
    NameAlone(Suit),
    /// Euchre: the dealer lays a card away after taking the upcard. `discard:9H`.
    Discard(Card),
    /// A card to the trick. `play:JD`.
    Play(Card),
}

impl Action {
    /// The card that is played or laid away; a call has none.
    pub const fn card(self) -> Option<Card> {
        match self {
            Self::Discard(card) | Self::Play(card) => Some(card),
            _ => None,
        }
    }

    /// The number of a call on the wire.
    pub(crate) fn number(self) -> Option<i32> {
        (1..=11).find(|&number| Self::of_call(number) == Some(self))
    }

    /// The call of a number on the wire.
    pub(crate) fn of_call(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Pass),
            2 => Some(Self::OrderUp),
            3 => Some(Self::OrderUpAlone),
            4..=7 => Some(Self::Name(Suit::ALL[number as usize - 4])),
            8..=11 => Some(Self::NameAlone(Suit::ALL[number as usize - 8])),
            _ => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => out.write_str("pass"),
            Self::OrderUp => out.write_str("order_up"),
            Self::OrderUpAlone => out.write_str("order_up_alone"),
            Self::Name(suit) => write!(out, "name:{suit}"),
            Self::NameAlone(suit) => write!(out, "name_alone:{suit}"),
            Self::Discard(card) => write!(out, "discard:{card}"),
            Self::Play(card) => write!(out, "play:{card}"),
        }
    }
}

impl FromStr for Action {
    type Err = UnknownToken;

    fn from_str(token: &str) -> Result<Self, UnknownToken> {
        let action = match token.split_once(':') {
            None => plain(token),
            Some(("name", suit)) => suit.parse().ok().map(Self::Name),
            Some(("name_alone", suit)) => suit.parse().ok().map(Self::NameAlone),
            Some(("discard", card)) => card.parse().ok().map(Self::Discard),
            Some(("play", card)) => card.parse().ok().map(Self::Play),
            Some(_) => None,
        };
        action.ok_or_else(|| UnknownToken::new("action", token))
    }
}

fn plain(token: &str) -> Option<Action> {
    match token {
        "pass" => Some(Action::Pass),
        "order_up" => Some(Action::OrderUp),
        "order_up_alone" => Some(Action::OrderUpAlone),
        _ => None,
    }
}
