//! Counting a euchre hand in tenths of a trick, and what players usually call on a count.

use crate::cards::{Card, Cards};

/// What trumps are worth to the maker: 9 T J Q K A, left bower, right bower.
const TRUMPS: [u32; 8] = [4, 4, 0, 4, 5, 6, 7, 11];
const SIDE_ACE: u32 = 4;
const VOID: u32 = 2;
const ACE: usize = 5;

/// What all sets of trumps are worth.
const OF_TRUMPS: [u8; 256] = {
    let mut worth = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut strength = 0;
        while strength < 8 {
            if set >> strength & 1 == 1 {
                worth[set] += TRUMPS[strength] as u8;
            }
            strength += 1;
        }
        set += 1;
    }
    worth
};

/// Counts what cards are worth to the maker; they are as they count under trump.
pub fn count(cards: Cards, trump: usize) -> i32 {
    let mut count = u32::from(OF_TRUMPS[cards.lane(trump)]);
    let with_trump = count > 0;
    for suit in (0..4).filter(|&suit| suit != trump) {
        let lane = cards.lane(suit);
        count += SIDE_ACE * (lane >> ACE & 1) as u32;
        count += if with_trump && lane == 0 { VOID } else { 0 };
    }
    count as i32
}

/// What the dealer lays away of six cards: she keeps what counts most; of equal cards the lowest.
pub fn discard(six: Cards, trump: usize) -> Card {
    let keeping = |away: &Card| {
        let kept = count(six - Cards::one(*away), trump);
        (kept, 15 - away.strength(), 63 - away.0)
    };
    six.iter().max_by_key(keeping).expect("the dealer has six cards")
}

/// The count of a dealer who may take the upcard.
pub fn count_with(five: Cards, upcard: Card, trump: usize) -> i32 {
    let six = five | Cards::one(upcard);
    count(six - Cards::one(discard(six, trump)), trump)
}
