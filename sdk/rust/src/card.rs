//! Cards, and the suits and ranks printed on them.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::UnknownToken;

/// A suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// `C`, black.
    Clubs,
    /// `D`, red.
    Diamonds,
    /// `H`, red.
    Hearts,
    /// `S`, black.
    Spades,
}

impl Suit {
    /// All suits, in the order of the pack.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The other suit of the same colour: the one whose jack is the left bower.
    pub const fn same_colour(self) -> Self {
        Self::ALL[3 - self as usize]
    }

    /// The suit's place in [`Suit::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// The suit of a number on the wire, where 0 is no suit.
    pub(crate) fn of(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char(self.letter())
    }
}

impl FromStr for Suit {
    type Err = UnknownToken;

    fn from_str(token: &str) -> Result<Self, UnknownToken> {
        Self::ALL
            .into_iter()
            .find(|suit| token.chars().eq([suit.letter()]))
            .ok_or_else(|| UnknownToken::new("suit", token))
    }
}

/// A rank; the ace is high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All ranks, the lowest first.
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// The rank's place in [`Rank::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char(self.letter())
    }
}

impl FromStr for Rank {
    type Err = UnknownToken;

    fn from_str(token: &str) -> Result<Self, UnknownToken> {
        Self::ALL
            .into_iter()
            .find(|rank| token.chars().eq([rank.letter()]))
            .ok_or_else(|| UnknownToken::new("rank", token))
    }
}

/// A card as it is printed: the left bower is still a jack of the other suit.
///
/// Cards are ordered as the pack is: clubs, diamonds, hearts, spades, each from the lowest rank up.
/// What a card is worth in a trick is for [`Game`](crate::Game) to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many cards a pack has at most.
    pub const COUNT: usize = 52;

    /// The card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self(13 * suit as u8 + rank as u8)
    }

    /// The card at a place in the full pack, from 0 to 51.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    pub const fn at(index: usize) -> Self {
        assert!(index < Self::COUNT, "a pack has 52 cards");
        Self(index as u8)
    }

    /// The card's place in the full pack, from 0 to 51.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The suit that is printed on it; see
    /// [`Game::effective_suit`](crate::Game::effective_suit) for the one it counts as.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 / 13) as usize]
    }

    /// The rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 % 13) as usize]
    }

    /// The card of a number on the wire, where 0 is no card.
    pub(crate) fn of(number: i32) -> Option<Self> {
        (1..=52).contains(&number).then(|| Self(number as u8 - 1))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl FromStr for Card {
    type Err = UnknownToken;

    fn from_str(token: &str) -> Result<Self, UnknownToken> {
        let unknown = || UnknownToken::new("card", token);
        let (rank, suit) = token.split_at_checked(1).ok_or_else(unknown)?;
        match (rank.parse(), suit.parse()) {
            (Ok(rank), Ok(suit)) => Ok(Self::new(rank, suit)),
            _ => Err(unknown()),
        }
    }
}
