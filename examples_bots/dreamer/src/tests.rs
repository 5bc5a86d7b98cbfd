//! What the pages of this bot must agree on, and hands to try them with.

mod calls;
mod dreams;
mod endings;
mod rules;
mod worths;

use upcard::{Action, Game, Random, Suit};

use crate::calling::Auction;
use crate::cards::{Card, Cards};
use crate::deal::{Known, Score};
use crate::habit;
use crate::open_hand::NOBODY;
use crate::sample::Dream;

/// A card of euchre or whist by its token, as printed.
fn card(token: &str, game: Game) -> Card {
    Card::of(token.parse().expect("a card's token"), game, None)
}

/// A hand that was dealt at random, and what one seat knows of it some cards into the play.
struct Dealt {
    known: Known,
    truth: Dream,
}

impl Dealt {
    fn whist(seed: u64, seat: usize, plays: usize) -> Self {
        let (hands, rest) = dealt(Game::Whist, seed);
        assert!(rest.is_empty());
        let mut known = nothing_known(Game::Whist, seat);
        known.trump_card = Some(hands[known.dealer].bottom());
        known.trump = known.trump_card.map(Card::suit);
        let truth = Dream { dealt: hands, began: hands, laid_away: None, chance: 1.0 };
        Self { known, truth }.played(plays)
    }

    /// Euchre in which the seat across from the dealer ordered up.
    fn euchre(seed: u64, seat: usize, plays: usize) -> Self {
        let bid = Bid { passes: 1, alone: false, buries_upcard: false };
        Self::bid(seed, seat, bid, plays)
    }

    /// Euchre in which anybody made trump, in either round and perhaps alone.
    fn any_euchre(seed: u64, seat: usize, plays: usize) -> Self {
        let bid = Bid {
            passes: seed as usize % 8,
            alone: seed.is_multiple_of(3),
            buries_upcard: seed.is_multiple_of(5),
        };
        let most = if bid.alone { 14 } else { 19 };
        Self::bid(seed, seat, bid, plays.min(most))
    }

    fn bid(seed: u64, seat: usize, bid: Bid, plays: usize) -> Self {
        let (hands, kitty) = dealt(Game::Euchre, seed);
        let (mut known, upcard) = (nothing_known(Game::Euchre, seat), kitty[0]);
        known.auction = Some(auction(known.dealer, upcard));
        known.calls = vec![Action::Pass; bid.passes];
        known.calls.push(bid.call(upcard));
        known.maker = (known.dealer + 1 + bid.passes) % 4;
        if bid.alone {
            known.sits_out = (known.maker + 2) % 4;
        }
        known.picked_up = bid.passes < 4;
        let mut truth = Dream { dealt: hands, began: hands, laid_away: None, chance: 1.0 };
        if known.picked_up {
            let six = hands[known.dealer] | Cards::one(upcard);
            let away = if bid.buries_upcard { upcard } else { hands[known.dealer].bottom() };
            truth.began[known.dealer] = six - Cards::one(away);
            truth.laid_away = Some(away);
            known.laid_away = truth.laid_away.filter(|_| seat == known.dealer);
            known.trump = Some(upcard.suit());
        } else {
            known.trump = Some((upcard.suit() + 1) % 4);
        }
        Self { known, truth }.played(plays)
    }

    /// Plays by habit, and tells the seat.
    fn played(mut self, plays: usize) -> Self {
        let mut open = self.known.opened(self.truth.began, self.truth.laid_away);
        let mut held = self.truth.began;
        for _ in 0..plays {
            let seat = open.turn;
            let counted = habit::card(&open);
            let printed = held[seat].iter().find(|&card| self.known.counts_as(card) == counted);
            let printed = printed.expect("it is one of her cards");
            open.play(counted);
            held[seat] -= Cards::one(printed);
            self.known.plays.push((seat, printed));
        }
        self.known.held = held[self.known.seat];
        self
    }
}

/// How trump was made.
#[derive(Clone, Copy)]
struct Bid {
    passes: usize,
    alone: bool,
    /// Whether the dealer laid the upcard away, and not her lowest card.
    buries_upcard: bool,
}

impl Bid {
    fn call(self, upcard: Card) -> Action {
        let named = Suit::ALL[(upcard.suit() + 1) % 4];
        match (self.passes < 4, self.alone) {
            (true, false) => Action::OrderUp,
            (true, true) => Action::OrderUpAlone,
            (false, false) => Action::Name(named),
            (false, true) => Action::NameAlone(named),
        }
    }
}

fn auction(dealer: usize, upcard: Card) -> Auction {
    Auction {
        dealer,
        upcard,
        dealer_stuck: true,
        alone_allowed: true,
        partner_must_go_alone: false,
        last_chance: [false; 2],
    }
}

fn dealt(game: Game, seed: u64) -> ([Cards; 4], Vec<Card>) {
    let (pack, size) = match game {
        Game::Euchre => (Cards::EUCHRE, 5),
        Game::Whist => (Cards::WHIST, 13),
    };
    let mut cards: Vec<Card> = pack.iter().collect();
    Random::new(seed).shuffle(&mut cards);
    let hands =
        std::array::from_fn(|seat| cards[size * seat..size * (seat + 1)].iter().copied().collect());
    (hands, cards.split_off(4 * size))
}

fn nothing_known(game: Game, seat: usize) -> Known {
    Known {
        game,
        seat,
        dealer: 3,
        held: Cards::NONE,
        auction: None,
        calls: Vec::new(),
        picked_up: false,
        laid_away: None,
        maker: NOBODY,
        sits_out: NOBODY,
        trump: None,
        trump_card: None,
        plays: Vec::new(),
        score: Score { us: 0, them: 0, target: 10 },
    }
}
