//! Cards as bits: sixteen to a suit, stronger cards above weaker ones.

use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use upcard::{Game, Suit};

/// One card: the lane of the suit it counts as, and its strength in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Card(pub u8);

/// A set of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cards(pub u64);

const LANE: u64 = 0xFFFF;
const JACK: usize = 2;
const LEFT_BOWER: usize = 6;
const RIGHT_BOWER: usize = 7;

impl Card {
    pub const fn new(suit: usize, strength: usize) -> Self {
        Self((suit * 16 + strength) as u8)
    }

    /// The card as it counts under a trump suit; without one, as it is printed.
    pub fn of(card: upcard::Card, game: Game, trump: Option<Suit>) -> Self {
        let suit = game.effective_suit(card, trump);
        Self::new(suit.index(), game.strength(card, trump) as usize)
    }

    pub const fn suit(self) -> usize {
        (self.0 / 16) as usize
    }

    pub const fn strength(self) -> usize {
        (self.0 % 16) as usize
    }

    /// A card that is known as printed, as it counts under a euchre trump.
    pub const fn under(self, trump: usize) -> Self {
        if self.strength() != JACK {
            self
        } else if self.suit() == trump {
            Self::new(trump, RIGHT_BOWER)
        } else if self.suit() == 3 - trump {
            Self::new(trump, LEFT_BOWER)
        } else {
            self
        }
    }
}

impl Cards {
    pub const NONE: Self = Self(0);
    pub const EUCHRE: Self = Self(0x003F_003F_003F_003F);
    pub const WHIST: Self = Self(0x1FFF_1FFF_1FFF_1FFF);

    pub const fn one(card: Card) -> Self {
        Self(1 << card.0)
    }

    pub const fn of_suit(self, suit: usize) -> Self {
        Self(self.0 & LANE << (16 * suit))
    }

    /// The cards of a suit as bits by strength.
    pub const fn lane(self, suit: usize) -> usize {
        (self.0 >> (16 * suit) & LANE) as usize
    }

    pub fn iter(self) -> Each {
        Each(self)
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// The highest card of the last suit it has; of a single suit, the strongest.
    pub const fn top(self) -> Card {
        Card(63 - self.0.leading_zeros() as u8)
    }

    /// The lowest card of the first suit it has; of a single suit, the weakest.
    pub const fn bottom(self) -> Card {
        Card(self.0.trailing_zeros() as u8)
    }

    /// Cards known as printed, as they count under a euchre trump.
    pub const fn under(self, trump: usize) -> Self {
        let (right, left) = (Card::new(trump, JACK).0, Card::new(3 - trump, JACK).0);
        let bowers = (self.0 >> right & 1) << Card::new(trump, RIGHT_BOWER).0
            | (self.0 >> left & 1) << Card::new(trump, LEFT_BOWER).0;
        Self(self.0 & !(1 << right | 1 << left) | bowers)
    }
}

/// The cards of a set, suit by suit, from the weakest up.
#[derive(Clone, Debug)]
pub struct Each(Cards);

impl Iterator for Each {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0.is_empty() {
            return None;
        }
        let card = self.0.bottom();
        self.0.0 &= self.0.0 - 1;
        Some(card)
    }
}

impl IntoIterator for Cards {
    type Item = Card;
    type IntoIter = Each;

    fn into_iter(self) -> Each {
        Each(self)
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::NONE, |set, card| set | Self::one(card))
    }
}

impl BitOr for Cards {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Cards {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Cards {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOrAssign for Cards {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl SubAssign for Cards {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}
