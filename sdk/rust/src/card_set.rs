//! A set of cards in one machine word, for hands and for counting what is gone.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};
use std::str::FromStr;

use crate::{Card, UnknownToken};

/// A set of cards. It is a `Copy` of 8 bytes, and iterates in the order of the pack.
///
/// `|` joins two sets, `&` gives what both have, `-` takes away what the other has.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No cards.
    pub const EMPTY: Self = Self(0);

    /// The set of the cards at the places of the bits that are set.
    pub(crate) const fn of_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// How many cards it has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no cards.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has a card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 & bit(card) != 0
    }

    /// Puts a card in.
    pub const fn insert(&mut self, card: Card) {
        self.0 |= bit(card);
    }

    /// Takes a card out.
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !bit(card);
    }

    /// The same set with a card.
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | bit(card))
    }

    /// The same set without a card.
    pub const fn without(self, card: Card) -> Self {
        Self(self.0 & !bit(card))
    }

    /// The first card in the order of the pack.
    pub fn first(self) -> Option<Card> {
        (!self.is_empty()).then(|| Card::at(self.0.trailing_zeros() as usize))
    }

    /// The card at a place in the order of the pack; what a random choice needs.
    pub fn nth(self, place: usize) -> Option<Card> {
        self.into_iter().nth(place)
    }

    /// The cards, in the order of the pack.
    pub fn iter(self) -> Cards {
        Cards(self)
    }
}

const fn bit(card: Card) -> u64 {
    1 << card.index()
}

/// The cards of a set, in the order of the pack.
#[derive(Clone, Debug)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        Cards(self)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        *self |= cards.into_iter().collect();
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> Self {
        Self::EMPTY.with(card)
    }
}

impl BitOr for CardSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for CardSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAndAssign for CardSet {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl SubAssign for CardSet {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// The cards, with a space between them.
impl fmt::Display for CardSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, card) in self.into_iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(out, "{space}{card}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(*self).finish()
    }
}

/// Cards with spaces between them: `"JD AD QD"`.
impl FromStr for CardSet {
    type Err = UnknownToken;

    fn from_str(tokens: &str) -> Result<Self, UnknownToken> {
        tokens.split_whitespace().map(str::parse).collect()
    }
}
