//! The trick in progress, and the tricks before it.

use super::{Sides, View};
use crate::game::seat_at;
use crate::message;
use crate::{Card, Seat, Suit};

/// A card, and who played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Who played it.
    pub seat: Seat,
    /// The card.
    pub card: Card,
}

/// A finished trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trick<'a> {
    /// Who led.
    pub leader: Seat,
    /// In the order they were played.
    pub cards: &'a [Card],
    /// Who took it.
    pub winner: Seat,
}

impl View<'_> {
    /// Who leads the trick in progress; None before the play.
    pub fn leader(&self) -> Option<Seat> {
        Seat::of(*self.message.leaders().last()?)
    }

    /// The cards of the trick in progress, the led one first.
    pub fn trick(&self) -> &[Card] {
        let played = self.played();
        &played[played.len() - played.len() % self.trick_size()..]
    }

    /// The finished tricks.
    pub fn tricks(&self) -> Vec<Trick<'_>> {
        let leaders: Vec<Seat> = self.leaders().collect();
        let tricks = self.played().chunks_exact(self.trick_size());
        let taken = leaders.windows(2).zip(tricks);
        taken
            .map(|(seats, cards)| Trick {
                leader: seats[0],
                cards,
                winner: seats[1],
            })
            .collect()
    }

    /// The tricks both teams have taken.
    pub fn tricks_won(&self) -> Sides {
        let (us, them): (Vec<Seat>, Vec<Seat>) = self
            .leaders()
            .skip(1)
            .partition(|winner| winner.same_team(self.seat()));
        Sides {
            us: us.len() as u32,
            them: them.len() as u32,
        }
    }

    /// Every card played in this hand, with who played it.
    pub fn plays(&self) -> Vec<Play> {
        let tricks = self.leaders().zip(self.played().chunks(self.trick_size()));
        let by_seat = |(leader, cards): (Seat, &[Card])| self.trick_plays(leader, cards);
        tricks.flat_map(by_seat).collect()
    }

    fn trick_plays(&self, leader: Seat, cards: &[Card]) -> Vec<Play> {
        let play = |(place, &card)| Play {
            seat: seat_at(place, leader, self.sits_out()),
            card,
        };
        cards.iter().enumerate().map(play).collect()
    }

    /// The suit to follow; None when you lead. The left bower leads trump.
    pub fn suit_led(&self) -> Option<Suit> {
        self.trick().first().map(|&card| self.effective_suit(card))
    }

    /// The card that is winning the trick in progress; None when you lead.
    pub fn winning_card(&self) -> Option<Card> {
        self.game().winning_card(self.trick(), self.trump())
    }

    /// Who is winning the trick in progress; None when you lead.
    pub fn winning_seat(&self) -> Option<Seat> {
        self.game()
            .winner(self.trick(), self.leader()?, self.sits_out(), self.trump())
    }

    /// Whether your partner's card is winning the trick in progress.
    pub fn partner_is_winning(&self) -> bool {
        self.winning_seat() == Some(self.partner())
    }

    /// Whether your card ends the trick in progress.
    pub fn last_to_play(&self) -> bool {
        self.trick().len() == self.trick_size() - 1
    }

    /// Whether a card would be the winning one if you played it now.
    pub fn takes_trick(&self, card: Card) -> bool {
        self.winning_card()
            .is_none_or(|winning| self.beats(card, winning))
    }

    /// The suits a seat has shown to have none of, by not following.
    pub fn void_suits(&self, seat: Seat) -> Vec<Suit> {
        Suit::ALL
            .into_iter()
            .filter(|&suit| self.is_void(seat, suit))
            .collect()
    }

    /// Whether a seat has shown to have none of a suit, by not following.
    pub fn is_void(&self, seat: Seat, suit: Suit) -> bool {
        let tricks = self.leaders().zip(self.played().chunks(self.trick_size()));
        let mut led = tricks.filter(|(_, cards)| self.effective_suit(cards[0]) == suit);
        led.any(|(leader, cards)| {
            let plays = self.trick_plays(leader, cards);
            plays
                .iter()
                .any(|play| play.seat == seat && self.effective_suit(play.card) != suit)
        })
    }

    /// Every card played in this hand, in the order they were played.
    pub fn played(&self) -> &[Card] {
        self.played
            .get_or_init(|| message::cards(self.message.played()).collect())
    }

    fn leaders(&self) -> impl Iterator<Item = Seat> + '_ {
        self.message.leaders().iter().copied().filter_map(Seat::of)
    }

    fn trick_size(&self) -> usize {
        if self.sits_out().is_none() { 4 } else { 3 }
    }
}
