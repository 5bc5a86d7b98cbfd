//! How players usually call in euchre: the chance of each call, for a hand of five.

use std::sync::LazyLock;

use upcard::{Action, Random, Suit};

use crate::cards::{Card, Cards};
use crate::counting::{count, count_with};

/// The count it usually takes to order up; the dealer's side gets the upcard.
const DEALER: i32 = 19;
const PARTNER: i32 = 15;
const OPPONENT: i32 = 24;
/// The count it takes to name a suit, when everybody has passed before.
const NAME: i32 = 15;
/// The count it takes to go alone.
const ALONE: i32 = 26;
/// How much less it takes for a side whose opponents need one point.
const LAST_CHANCE: i32 = 3;
/// How far players differ from these counts, and how often they say something else at whim.
const DIFFERENCE: f32 = 0.7;
const WHIM: f32 = 0.005;

/// What the bidding of a hand is about, known to all.
#[derive(Clone, Copy, Debug)]
pub struct Auction {
    pub dealer: usize,
    /// The card turned up, as printed.
    pub upcard: Card,
    pub dealer_stuck: bool,
    pub alone_allowed: bool,
    pub partner_must_go_alone: bool,
    /// For each team, whether its opponents need one point.
    pub last_chance: [bool; 2],
}

/// How likely a seat calls, and with which suit, and goes alone if so.
struct Leaning {
    call: f32,
    alone: f32,
    suit: usize,
}

/// What decides whether a seat that may or may not call does call, and goes alone.
#[derive(Clone, Copy, Debug)]
pub struct Luck {
    call: f32,
    alone: f32,
}

impl Luck {
    pub fn draw(random: &mut Random) -> Self {
        Self { call: random.fraction() as f32, alone: random.fraction() as f32 }
    }
}

impl Auction {
    /// The seat that makes a call, counting calls from 0.
    pub const fn speaker(&self, place: usize) -> usize {
        (self.dealer + 1 + place) % 4
    }

    /// How likely a call was, in its place in the auction, from a hand as printed.
    pub fn chance(&self, place: usize, hand: Cards, said: Action) -> f32 {
        let Leaning { call, alone, .. } = self.leaning(place, hand, suit_of(said));
        let plain = if self.must_go_alone(place) { 0.0 } else { 1.0 - alone };
        let usual = match said {
            Action::OrderUp | Action::Name(_) => call * plain,
            Action::OrderUpAlone | Action::NameAlone(_) => call * alone,
            _ => 1.0 - call * (plain + alone),
        };
        usual * (1.0 - WHIM) + WHIM
    }

    /// What a seat says in its place in the auction, with a hand as printed.
    pub fn say(&self, place: usize, hand: Cards, luck: &Luck) -> Action {
        let leaning = self.leaning(place, hand, None);
        let alone = luck.alone < leaning.alone;
        if luck.call >= leaning.call || (self.must_go_alone(place) && !alone) {
            return Action::Pass;
        }
        match (place < 4, alone) {
            (true, true) => Action::OrderUpAlone,
            (true, false) => Action::OrderUp,
            (false, true) => Action::NameAlone(Suit::ALL[leaning.suit]),
            (false, false) => Action::Name(Suit::ALL[leaning.suit]),
        }
    }

    const fn must_go_alone(&self, place: usize) -> bool {
        self.partner_must_go_alone && place == 1
    }

    fn leaning(&self, place: usize, hand: Cards, named: Option<usize>) -> Leaning {
        let chance_of_last = LAST_CHANCE * i32::from(self.last_chance[self.speaker(place) % 2]);
        if place < 4 {
            let suit = self.upcard.suit();
            let (count, needed) = self.first_round(place, hand, suit);
            let call = likely(count - needed + chance_of_last);
            return Leaning { call, alone: self.alone(count), suit };
        }
        let (best, best_suit) = self.best_to_name(hand);
        let stuck = place == 7 && self.dealer_stuck;
        let call = if stuck { 1.0 } else { likely(best - NAME + chance_of_last) };
        let Some(suit) = named.filter(|&suit| suit != best_suit) else {
            return Leaning { call, alone: self.alone(best), suit: best_suit };
        };
        let count = count(hand.under(suit), suit);
        Leaning { call: call * likely(count - best - 1), alone: self.alone(count), suit }
    }

    fn first_round(&self, place: usize, hand: Cards, trump: usize) -> (i32, i32) {
        let held = hand.under(trump);
        match place {
            3 => (count_with(held, self.upcard.under(trump), trump), DEALER),
            1 => (count(held, trump), PARTNER),
            _ => (count(held, trump), OPPONENT),
        }
    }

    fn best_to_name(&self, hand: Cards) -> (i32, usize) {
        let open = (0..4).filter(|&suit| suit != self.upcard.suit());
        let counts = open.map(|suit| (count(hand.under(suit), suit), suit));
        counts.max().expect("three suits are open")
    }

    fn alone(&self, count: i32) -> f32 {
        if self.alone_allowed { likely(count - ALONE) } else { 0.0 }
    }
}

/// How likely players call who have so much more than it takes.
fn likely(surplus: i32) -> f32 {
    static LIKELY: LazyLock<[f32; 64]> = LazyLock::new(|| {
        std::array::from_fn(|place| {
            let surplus = place as f32 - 31.5;
            1.0 / (1.0 + (-surplus / DIFFERENCE).exp())
        })
    });
    LIKELY[(surplus + 32).clamp(0, 63) as usize]
}

fn suit_of(call: Action) -> Option<usize> {
    match call {
        Action::Name(suit) | Action::NameAlone(suit) => Some(suit.index()),
        _ => None,
    }
}
