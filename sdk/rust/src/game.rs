//! What both games say of cards and tricks, for any cards and any trump.

use std::fmt;

use crate::{Card, CardSet, Rank, Seat, Suit};

/// A game of cards, and its rules of the trick. None of them needs a view, so a bot can play a hand
/// on in its thoughts.
///
/// `trump` is None where there is none: before it is made, all suits are plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// 24 cards, trump is called, and its two bowers are above the ace.
    Euchre,
    /// 52 cards, and the last one dealt shows trump.
    Whist,
}

const EUCHRE_PACK: CardSet = CardSet::of_bits(0x1F80 * EACH_SUIT);
const WHIST_PACK: CardSet = CardSet::of_bits(0x1FFF * EACH_SUIT);
const EACH_SUIT: u64 = 1 | 1 << 13 | 1 << 26 | 1 << 39;

impl Game {
    /// Every card of the game.
    pub const fn pack(self) -> CardSet {
        match self {
            Self::Euchre => EUCHRE_PACK,
            Self::Whist => WHIST_PACK,
        }
    }

    /// The cards of the game that count as a suit, bowers included.
    pub fn cards_of(self, suit: Suit, trump: Option<Suit>) -> CardSet {
        let printed = self.pack() & CardSet::of_bits(0x1FFF << (13 * suit.index()));
        let Some(left_bower) = self.left_bower(trump) else {
            return printed;
        };
        if Some(suit) == trump {
            printed.with(left_bower)
        } else {
            printed.without(left_bower)
        }
    }

    fn left_bower(self, trump: Option<Suit>) -> Option<Card> {
        match self {
            Self::Euchre => trump.map(|suit| Card::new(Rank::Jack, suit.same_colour())),
            Self::Whist => None,
        }
    }

    /// The suit a card counts as: the left bower is a trump.
    pub fn effective_suit(self, card: Card, trump: Option<Suit>) -> Suit {
        match trump {
            Some(suit) if self.left_bower(trump) == Some(card) => suit,
            _ => card.suit(),
        }
    }

    /// The place of a card in its effective suit, from 0: the higher the stronger.
    pub fn strength(self, card: Card, trump: Option<Suit>) -> u32 {
        match self {
            Self::Euchre => euchre_strength(card, trump),
            Self::Whist => card.rank().index() as u32,
        }
    }

    /// Whether a card takes the trick over from another that is winning it.
    pub fn beats(self, card: Card, other: Card, trump: Option<Suit>) -> bool {
        let suit = self.effective_suit(card, trump);
        if suit == self.effective_suit(other, trump) {
            self.strength(card, trump) > self.strength(other, trump)
        } else {
            Some(suit) == trump
        }
    }

    /// What may be played from a hand: of the suit that was led, if there is any; `led` is None for
    /// the leader.
    pub fn legal_plays(self, hand: CardSet, led: Option<Card>, trump: Option<Suit>) -> CardSet {
        let Some(led) = led else { return hand };
        let following = hand & self.cards_of(self.effective_suit(led, trump), trump);
        if following.is_empty() {
            hand
        } else {
            following
        }
    }

    /// The card that is winning a trick, the led one being the first; None if there are no cards.
    pub fn winning_card(self, trick: &[Card], trump: Option<Suit>) -> Option<Card> {
        let better = |best, card| {
            if self.beats(card, best, trump) {
                card
            } else {
                best
            }
        };
        trick.iter().copied().reduce(better)
    }

    /// Who is winning a trick that `leader` led and that passes over the seat that sits out.
    pub fn winner(
        self,
        trick: &[Card],
        leader: Seat,
        sits_out: Option<Seat>,
        trump: Option<Suit>,
    ) -> Option<Seat> {
        let winning = self.winning_card(trick, trump)?;
        let place = trick.iter().position(|&card| card == winning)?;
        Some(seat_at(place, leader, sits_out))
    }
}

fn euchre_strength(card: Card, trump: Option<Suit>) -> u32 {
    let suit = Some(card.suit());
    match card.rank() {
        Rank::Jack if trump.is_some() && suit == trump => 7,
        Rank::Jack if suit == trump.map(Suit::same_colour) => 6,
        rank => (rank.index() as u32).saturating_sub(Rank::Nine.index() as u32),
    }
}

/// Who plays to a trick in a place, counted from 0 for the leader.
pub(crate) fn seat_at(place: usize, leader: Seat, sits_out: Option<Seat>) -> Seat {
    let passed_over = sits_out.is_some_and(|seat| {
        let out = (seat.index() + 4 - leader.index()) % 4;
        out <= place
    });
    leader.clockwise(place + usize::from(passed_over))
}

/// `euchre` or `whist`.
impl fmt::Display for Game {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Euchre => "euchre",
            Self::Whist => "whist",
        })
    }
}

/// The rules at the table; what only euchre has is false in whist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The game.
    pub game: Game,
    /// How many points win the match.
    pub target: u32,
    /// Whether the maker may play without her partner.
    pub alone: bool,
    /// Whether the dealer must name a suit when all others passed twice.
    pub stick_dealer: bool,
    /// Whether the dealer's partner may order up only alone.
    pub partner_must_go_alone: bool,
}
