//! How a sound player plays without thinking: what everybody is taken to do in a dream.

use upcard::Game;

use crate::cards::{Card, Cards};
use crate::open_hand::{NOBODY, OpenHand};

/// A euchre card of this strength is worth leaving the trick to, if it is partner's: a king.
const LIKELY_TO_HOLD: usize = 4;

/// The card that the seat to move plays by habit.
pub fn card(hand: &OpenHand) -> Card {
    let legal = hand.legal();
    if legal.len() == 1 {
        return legal.bottom();
    }
    let eyes = Eyes { hand, held: hand.hands[hand.turn], out: hand.still_out() };
    match (hand.game, hand.lying) {
        (Game::Euchre, 0) => eyes.lead_euchre(),
        (Game::Whist, 0) => eyes.lead_whist(),
        (Game::Euchre, _) => eyes.follow_euchre(legal),
        (Game::Whist, _) => eyes.follow_whist(legal),
    }
}

/// Plays a hand to its end by habit.
pub fn play_out(hand: &mut OpenHand) {
    while !hand.is_over() {
        hand.play(card(hand));
    }
}

/// The hand as the seat to move sees it.
struct Eyes<'a> {
    hand: &'a OpenHand,
    held: Cards,
    /// What others may still play.
    out: Cards,
}

impl Eyes<'_> {
    /// Draws trump as makers; else cashes a card nothing can beat, or leads high from a short suit.
    fn lead_euchre(&self) -> Card {
        let trumps = self.held.of_suit(self.hand.trump);
        let side = self.held - trumps;
        if side.is_empty() || (!trumps.is_empty() && self.draws_as_maker(trumps)) {
            return trumps.top();
        }
        self.top_of_shortest(side, |top| self.is_master(top))
            .or_else(|| self.top_of_shortest(side, |_| true))
            .expect("a leader has a card")
    }

    fn draws_as_maker(&self, trumps: Cards) -> bool {
        let OpenHand { maker, turn, taken, trump, .. } = *self.hand;
        if self.out.of_suit(trump).is_empty() {
            return false;
        }
        if maker == turn {
            return trumps.len() >= 2 || self.is_master(trumps.top());
        }
        maker == (turn + 2) % 4 && taken == [0, 0]
    }

    /// Leaves the trick to partner if it is hers; else wins it cheaply, if it is likely to hold.
    fn follow_euchre(&self, legal: Cards) -> Card {
        let takers = self.hand.takers(legal);
        if takers.is_empty() || self.is_partners(LIKELY_TO_HOLD) {
            return self.cheapest(legal);
        }
        let ruffs = self.ruffs(takers);
        let last = self.hand.last_to_play();
        if !last && !ruffs {
            let masters: Cards = takers.iter().filter(|&card| self.is_master(card)).collect();
            if !masters.is_empty() {
                return self.cheapest(masters);
            }
        }
        // Second to play and unable to make sure of it: partner is still to come.
        self.cheapest(if last || ruffs || self.hand.lying == 2 { takers } else { legal })
    }

    /// Draws trumps if long, cashes what cannot lose, returns partner's suit, or leads from length.
    fn lead_whist(&self) -> Card {
        let trumps = self.held.of_suit(self.hand.trump);
        let side = self.held - trumps;
        if side.is_empty() || self.draws_from_length(trumps) {
            return if self.is_master(trumps.top()) { trumps.top() } else { trumps.bottom() };
        }
        let sure = |top| self.is_master(top) && !self.may_be_ruffed(top);
        if let Some(card) = self.top_of_shortest(side, sure) {
            return card;
        }
        let partners = self.hand.first_led[(self.hand.turn + 2) % 4];
        if partners != NOBODY && !side.of_suit(partners).is_empty() {
            return side.of_suit(partners).top();
        }
        self.longest(side).bottom()
    }

    fn draws_from_length(&self, trumps: Cards) -> bool {
        let out = self.out.of_suit(self.hand.trump).len();
        trumps.len() >= 3 && out > 0 && out <= 2 * trumps.len()
    }

    fn may_be_ruffed(&self, card: Card) -> bool {
        let seat = self.hand.turn;
        let void = self.hand.void[(seat + 1) % 4] | self.hand.void[(seat + 3) % 4];
        void >> card.suit() & 1 == 1 && !self.out.of_suit(self.hand.trump).is_empty()
    }

    /// Leaves the trick to partner if it is hers; else wins it as the place in the trick asks.
    fn follow_whist(&self, legal: Cards) -> Card {
        let takers = self.hand.takers(legal);
        if takers.is_empty() || self.is_partners(usize::MAX) {
            return self.cheapest(legal);
        }
        if self.hand.last_to_play() || self.ruffs(takers) {
            return self.cheapest(takers);
        }
        if let Some(master) = takers.iter().find(|&card| self.is_master(card)) {
            return master;
        }
        if self.hand.lying == 1 { self.cheapest(legal) } else { self.third_hand(legal, takers) }
    }

    /// Plays the best, unless partner's card is next to it and does as well.
    fn third_hand(&self, legal: Cards, takers: Cards) -> Card {
        let (best, winning) = (takers.top(), self.hand.winning);
        let enough = self.partner_wins() && best.strength() == winning.strength() + 1;
        if enough { self.cheapest(legal) } else { best }
    }

    fn partner_wins(&self) -> bool {
        self.hand.winner == (self.hand.turn + 2) % 4
    }

    /// Whether partner's card is likely to win: it is last, unbeatable, or strong enough.
    fn is_partners(&self, strong_enough: usize) -> bool {
        let winning = self.hand.winning;
        self.partner_wins()
            && (self.hand.last_to_play()
                || self.is_master(winning)
                || winning.strength() >= strong_enough)
    }

    /// Whether nobody else can hold a higher card of its suit any more.
    fn is_master(&self, card: Card) -> bool {
        self.out.of_suit(card.suit()).0 >> card.0 == 0
    }

    fn ruffs(&self, takers: Cards) -> bool {
        self.hand.suit_led != self.hand.trump && !takers.of_suit(self.hand.trump).is_empty()
    }

    /// The card to miss least: rather no trump, no master, a low one, from a short suit.
    fn cheapest(&self, cards: Cards) -> Card {
        let price = |card: &Card| {
            let suit = card.suit();
            let length = self.held.of_suit(suit).len();
            let dear =
                usize::from(suit == self.hand.trump) << 1 | usize::from(self.is_master(*card));
            dear << 8 | card.strength() << 4 | length
        };
        lowest_of_each_suit(cards).min_by_key(price).expect("there is a card to play")
    }

    /// The highest card of the shortest suit whose highest card is wanted.
    fn top_of_shortest(&self, side: Cards, wanted: impl Fn(Card) -> bool) -> Option<Card> {
        let tops = (0..4).map(|suit| side.of_suit(suit)).filter(|suit| !suit.is_empty());
        tops.filter(|suit| wanted(suit.top()))
            .min_by_key(|suit| suit.len() << 4 | (15 - suit.top().strength()))
            .map(Cards::top)
    }

    fn longest(&self, side: Cards) -> Cards {
        let suits = (0..4).rev().map(|suit| side.of_suit(suit));
        suits.max_by_key(|suit| suit.len()).expect("there are four suits")
    }
}

fn lowest_of_each_suit(cards: Cards) -> impl Iterator<Item = Card> {
    let suits = (0..4).map(move |suit| cards.of_suit(suit));
    suits.filter(|suit| !suit.is_empty()).map(Cards::bottom)
}
