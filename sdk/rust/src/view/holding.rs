//! Which cards of a suit you hold, and which others may still play.

use super::View;
use crate::{Card, CardSet, Suit};

impl View<'_> {
    /// The cards you hold that count as a suit, the strongest first.
    pub fn holding(&self, suit: Suit) -> Vec<Card> {
        self.strongest_first(self.hand(), suit)
    }

    /// The cards that others may still play, as far as you can see: all but those you hold, those
    /// played, and those you know to be out of play. In euchre three of them lie in the kitty.
    pub fn cards_still_out(&self) -> CardSet {
        self.game().pack() - self.hand() - self.played().iter().copied().collect() - self.laid_by()
    }

    /// The cards of a suit that others may still play, the strongest first.
    pub fn still_out(&self, suit: Suit) -> Vec<Card> {
        self.strongest_first(self.cards_still_out(), suit)
    }

    fn laid_by(&self) -> CardSet {
        let turned_down = self.upcard().filter(|_| !self.picked_up());
        self.discard().into_iter().chain(turned_down).collect()
    }

    fn strongest_first(&self, cards: CardSet, suit: Suit) -> Vec<Card> {
        let of_suit = cards & self.game().cards_of(suit, self.trump());
        let mut sorted: Vec<Card> = of_suit.into_iter().collect();
        sorted.sort_unstable_by_key(|&card| std::cmp::Reverse(self.strength(card)));
        sorted
    }
}
