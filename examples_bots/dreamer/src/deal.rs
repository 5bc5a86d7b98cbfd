//! What a seat knows of a hand: its own cards, what was said, and what was played.

use upcard::{Action, Game, View};

use crate::calling::Auction;
use crate::cards::{Card, Cards};
use crate::open_hand::{NOBODY, OpenHand};
use crate::sample::Dream;

/// A hand as one seat knows it; all cards as printed, seats as numbers.
#[derive(Clone, Debug)]
pub struct Known {
    pub game: Game,
    pub seat: usize,
    pub dealer: usize,
    /// What the seat holds now.
    pub held: Cards,
    pub auction: Option<Auction>,
    pub calls: Vec<Action>,
    pub picked_up: bool,
    /// What the seat itself laid away.
    pub laid_away: Option<Card>,
    pub maker: usize,
    pub sits_out: usize,
    /// The trump suit, once it is made.
    pub trump: Option<usize>,
    /// Whist's last card dealt.
    pub trump_card: Option<Card>,
    /// Every card played, with who played it.
    pub plays: Vec<(usize, Card)>,
    pub score: Score,
}

/// The points before the hand, and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    pub us: u32,
    pub them: u32,
    pub target: u32,
}

impl Known {
    pub fn of(view: &View) -> Self {
        let printed = |card| Card::of(card, view.game(), None);
        let points = view.score();
        Self {
            game: view.game(),
            seat: view.seat().index(),
            dealer: view.dealer().index(),
            held: view.hand().into_iter().map(printed).collect(),
            auction: auction(view),
            calls: view.calls(),
            picked_up: view.picked_up(),
            laid_away: view.discard().map(printed),
            maker: view.maker().map_or(NOBODY, |seat| seat.index()),
            sits_out: view.sits_out().map_or(NOBODY, |seat| seat.index()),
            trump: view.trump().map(|suit| suit.index()),
            trump_card: view.trump_card().map(printed),
            plays: view
                .plays()
                .iter()
                .map(|play| (play.seat.index(), printed(play.card)))
                .collect(),
            score: Score { us: points.us, them: points.them, target: view.target() },
        }
    }

    pub fn pack(&self) -> Cards {
        match self.game {
            Game::Euchre => Cards::EUCHRE,
            Game::Whist => Cards::WHIST,
        }
    }

    /// A card as it counts in this hand.
    pub fn counts_as(&self, card: Card) -> Card {
        match (self.game, self.trump) {
            (Game::Euchre, Some(trump)) => card.under(trump),
            _ => card,
        }
    }

    /// What a seat has played.
    pub fn played_by(&self, seat: usize) -> Cards {
        self.plays.iter().filter(|play| play.0 == seat).map(|play| play.1).collect()
    }

    /// The hand as it is now, if a dream is the deal.
    pub fn now(&self, dream: &Dream) -> OpenHand {
        let mut open = self.opened(dream.began, dream.laid_away);
        for &(_, card) in &self.plays {
            open.play(self.counts_as(card));
        }
        open
    }

    /// The start of the play of this hand, if these are the hands it was begun with.
    pub fn opened(&self, hands: [Cards; 4], laid_away: Option<Card>) -> OpenHand {
        let trump = self.trump.expect("trump is made before the play");
        let under =
            |cards: Cards| if self.game == Game::Euchre { cards.under(trump) } else { cards };
        let mut open = OpenHand::new(self.game, hands.map(under), trump, self.dealer);
        if let Some(auction) = self.auction {
            open.made_by(self.maker, self.sits_out != NOBODY);
            if !self.picked_up {
                open.gone = under(Cards::one(auction.upcard));
            }
            open.laid_away = under(laid_away.into_iter().collect());
        }
        open
    }
}

fn auction(view: &View) -> Option<Auction> {
    let points = view.score();
    let (us, needed) = (view.seat().index() % 2, view.target() - 1);
    let mut last_chance = [points.us == needed; 2];
    last_chance[us] = points.them == needed;
    Some(Auction {
        dealer: view.dealer().index(),
        upcard: Card::of(view.upcard()?, view.game(), None),
        dealer_stuck: view.dealer_stuck(),
        alone_allowed: view.rules().alone,
        partner_must_go_alone: view.rules().partner_must_go_alone,
        last_chance,
    })
}
