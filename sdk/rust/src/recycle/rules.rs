//! A game described in RECYCLE: its program, its players and its cards.

use std::fmt;

use crate::v1;

/// A game described in RECYCLE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecycleRules {
    /// What the game is called.
    pub name: String,
    /// Its rules.
    pub program: String,
    /// With which number the program begins to count players: 0 or 1.
    pub numbering: u32,
    /// How many hands a match has.
    pub hands: u32,
    /// How many players there are.
    pub players: u32,
    /// The side of each player, from 1.
    pub sides: Vec<u32>,
    /// Your seat for the whole match, from 1.
    pub seat: u32,
    /// Whether the program's scores are the better the lower; what you are told is turned round.
    pub lowest_wins: bool,
    /// The different cards.
    pub faces: Vec<RecycleFace>,
}

/// What is printed on a card; equal cards have one face. It displays as its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecycleFace {
    /// The values that tell it from the others: `NINE-HEARTS`.
    pub name: String,
    /// All that is printed on it: the name and the value of each attribute.
    pub attributes: Vec<(String, String)>,
    /// The design on its back.
    pub back: String,
    /// How many cards have this face.
    pub cards: u32,
}

impl RecycleRules {
    pub(crate) fn of(message: &v1::RecycleRules) -> Self {
        Self {
            name: message.name.clone(),
            program: message.program.clone(),
            numbering: message.numbering,
            hands: message.hands,
            players: message.players,
            sides: message.sides.clone(),
            seat: message.seat,
            lowest_wins: message.lowest_wins,
            faces: message.faces.iter().map(RecycleFace::of).collect(),
        }
    }

    /// The face of a number on the wire, where 0 is none.
    pub(crate) fn face(&self, number: u32) -> Option<&RecycleFace> {
        self.faces.get((number as usize).checked_sub(1)?)
    }
}

impl RecycleFace {
    fn of(message: &v1::RecycleFace) -> Self {
        let pair = |each: &v1::RecycleAttribute| (each.key.clone(), each.value.clone());
        Self {
            name: message.name.clone(),
            attributes: message.attributes.iter().map(pair).collect(),
            back: message.back.clone(),
            cards: message.cards,
        }
    }

    /// The value of an attribute, if the card has it.
    pub fn attribute(&self, key: &str) -> Option<&str> {
        let mut named = self.attributes.iter().filter(|(name, _)| name == key);
        named.next().map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for RecycleFace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)
    }
}
