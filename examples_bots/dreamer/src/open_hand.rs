//! A hand with all cards open, as it is played on in a dream; both games are alike here.

use upcard::Game;

use crate::cards::{Card, Cards};

/// Stands for nobody where a seat is meant, and for no suit.
pub const NOBODY: usize = 4;

/// The play of a hand: who holds what, the trick in progress, the tricks taken.
#[derive(Clone, Copy, Debug)]
pub struct OpenHand {
    pub game: Game,
    pub hands: [Cards; 4],
    pub trump: usize,
    pub maker: usize,
    pub sits_out: usize,
    pub leader: usize,
    pub turn: usize,
    /// How many cards lie in the trick in progress; with none, the three below are of the last one.
    pub lying: usize,
    pub suit_led: usize,
    pub winning: Card,
    pub winner: usize,
    /// The tricks of North and South, and of East and West.
    pub taken: [u8; 2],
    /// All cards played, and the upcard if it was turned down.
    pub gone: Cards,
    /// What only the dealer knows to be gone.
    pub laid_away: Cards,
    pub dealer: usize,
    /// The suits a seat has shown to have none of, a bit for each.
    pub void: [u8; 4],
    /// The suit a seat led first.
    pub first_led: [usize; 4],
}

impl OpenHand {
    /// A hand before its first card, without bidding: whist, or what euchre's bidding adds to.
    pub fn new(game: Game, hands: [Cards; 4], trump: usize, dealer: usize) -> Self {
        Self {
            game,
            hands,
            trump,
            maker: NOBODY,
            sits_out: NOBODY,
            leader: (dealer + 1) % 4,
            turn: (dealer + 1) % 4,
            lying: 0,
            suit_led: NOBODY,
            winning: Card(0),
            winner: NOBODY,
            taken: [0; 2],
            gone: Cards::NONE,
            laid_away: Cards::NONE,
            dealer,
            void: [0; 4],
            first_led: [NOBODY; 4],
        }
    }

    /// Says who made trump; alone, her partner sits out.
    pub fn made_by(&mut self, maker: usize, alone: bool) {
        self.maker = maker;
        if alone {
            self.sits_out = (maker + 2) % 4;
            self.leader = self.seat_after(self.dealer);
            self.turn = self.leader;
        }
    }

    fn seat_after(&self, seat: usize) -> usize {
        let next = (seat + 1) % 4;
        if next == self.sits_out { (next + 1) % 4 } else { next }
    }

    pub const fn trick_size(&self) -> usize {
        if self.sits_out == NOBODY { 4 } else { 3 }
    }

    pub const fn tricks_left(&self) -> u8 {
        let tricks = if matches!(self.game, Game::Euchre) { 5 } else { 13 };
        tricks - self.taken[0] - self.taken[1]
    }

    pub const fn is_over(&self) -> bool {
        self.tricks_left() == 0
    }

    pub const fn last_to_play(&self) -> bool {
        self.lying + 1 == self.trick_size()
    }

    /// What the seat to move may play.
    pub fn legal(&self) -> Cards {
        let hand = self.hands[self.turn];
        if self.lying == 0 {
            return hand;
        }
        let following = hand.of_suit(self.suit_led);
        if following.is_empty() { hand } else { following }
    }

    /// The cards that would win the trick as it lies.
    pub fn takers(&self, cards: Cards) -> Cards {
        let suit = self.winning.suit();
        let higher = cards.of_suit(suit) & Cards(!0 << self.winning.0);
        if suit == self.trump { higher } else { higher | cards.of_suit(self.trump) }
    }

    /// Every card of the game as it counts here.
    pub const fn pack(&self) -> Cards {
        match self.game {
            Game::Euchre => Cards::EUCHRE.under(self.trump),
            Game::Whist => Cards::WHIST,
        }
    }

    /// What others may still play, as far as the seat to move can know.
    pub fn still_out(&self) -> Cards {
        let out = self.pack() - self.hands[self.turn] - self.gone;
        if self.turn == self.dealer { out - self.laid_away } else { out }
    }

    /// Plays a card for the seat to move.
    pub fn play(&mut self, card: Card) {
        let seat = self.turn;
        self.hands[seat] -= Cards::one(card);
        self.gone |= Cards::one(card);
        if self.lying == 0 {
            self.lead(card);
        } else {
            self.follow(card);
        }
        self.lying += 1;
        if self.lying == self.trick_size() {
            self.taken[self.winner % 2] += 1;
            self.lying = 0;
            self.leader = self.winner;
            self.turn = self.winner;
        } else {
            self.turn = self.seat_after(seat);
        }
    }

    fn lead(&mut self, card: Card) {
        self.suit_led = card.suit();
        self.winning = card;
        self.winner = self.turn;
        if self.first_led[self.turn] == NOBODY {
            self.first_led[self.turn] = card.suit();
        }
    }

    fn follow(&mut self, card: Card) {
        if card.suit() != self.suit_led {
            self.void[self.turn] |= 1 << self.suit_led;
        }
        if !self.takers(Cards::one(card)).is_empty() {
            self.winning = card;
            self.winner = self.turn;
        }
    }
}
