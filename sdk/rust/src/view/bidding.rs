//! What was said in the bidding of euchre, and what came of it.

use super::View;
use crate::message;
use crate::{Action, Card, Seat};

impl View<'_> {
    /// Euchre: the card turned up.
    pub fn upcard(&self) -> Option<Card> {
        Card::of(self.message.euchre()?.upcard)
    }

    /// Euchre: what was said so far, the first to speak first.
    pub fn calls(&self) -> Vec<Action> {
        message::calls(self.message.calls()).collect()
    }

    /// Euchre: whether the dealer, when she speaks last, must name a suit.
    pub fn dealer_stuck(&self) -> bool {
        self.message.euchre().is_some_and(|view| view.dealer_stuck)
    }

    /// Euchre: who made trump.
    pub fn maker(&self) -> Option<Seat> {
        Seat::of(self.message.euchre()?.maker)
    }

    /// Euchre: whether you or your partner made trump.
    pub fn we_made_trump(&self) -> bool {
        self.maker()
            .is_some_and(|maker| maker.same_team(self.seat()))
    }

    /// Euchre: whether the dealer took the upcard, as she does when it is ordered up.
    pub fn picked_up(&self) -> bool {
        let in_first_round = |calls: usize| calls <= Seat::ALL.len();
        self.maker().is_some()
            && self
                .message
                .euchre()
                .is_some_and(|view| in_first_round(view.calls.len()))
    }

    /// Euchre: what you laid away as the dealer.
    pub fn discard(&self) -> Option<Card> {
        Card::of(self.message.euchre()?.discard)
    }

    /// Euchre: the maker's partner when the maker goes alone.
    pub fn sits_out(&self) -> Option<Seat> {
        self.message.sits_out()
    }
}
