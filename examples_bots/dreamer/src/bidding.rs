//! What a call is worth in euchre: the bidding goes on as usual, and the hand is played by habit.

use upcard::{Action, Game, Random};

use crate::calling::{Auction, Luck};
use crate::cards::Cards;
use crate::counting;
use crate::deal::Known;
use crate::habit;
use crate::open_hand::OpenHand;
use crate::sample::Dream;
use crate::worth::Results;

/// How many calls there may be, all of them passes.
const MOST_CALLS: usize = 8;

/// A bidding that is our turn to go on with.
pub struct Bidding<'a> {
    known: &'a Known,
    auction: Auction,
    results: Results,
}

impl<'a> Bidding<'a> {
    pub fn new(known: &'a Known, results: Results) -> Self {
        let auction = known.auction.expect("euchre has an upcard to bid for");
        Self { known, auction, results }
    }

    /// What each call is worth in all dreams together; in a dream all have the same luck.
    pub fn worths(
        &self,
        legal: &[Action],
        dreams: &[(Dream, f32)],
        random: &mut Random,
    ) -> Vec<f32> {
        let mut worths = vec![0.0; legal.len()];
        for (dream, times) in dreams {
            let luck: [Luck; MOST_CALLS] = std::array::from_fn(|_| Luck::draw(random));
            for (worth, &call) in worths.iter_mut().zip(legal) {
                *worth += times * self.worth(call, &dream.dealt, &luck);
            }
        }
        worths
    }

    fn worth(&self, call: Action, dealt: &[Cards; 4], luck: &[Luck; MOST_CALLS]) -> f32 {
        let mut place = self.known.calls.len();
        let mut said = call;
        while said == Action::Pass {
            place += 1;
            if place == MOST_CALLS {
                return self.results.of_misdeal();
            }
            said = self.auction.say(place, dealt[self.auction.speaker(place)], &luck[place]);
        }
        let mut open = self.opened(dealt, place, said);
        habit::play_out(&mut open);
        self.results.of(&open, self.known.seat)
    }

    /// The start of the play after a call that made trump.
    fn opened(&self, dealt: &[Cards; 4], place: usize, said: Action) -> OpenHand {
        let Auction { dealer, upcard, .. } = self.auction;
        let trump = match said {
            Action::Name(suit) | Action::NameAlone(suit) => suit.index(),
            _ => upcard.suit(),
        };
        let mut open =
            OpenHand::new(Game::Euchre, dealt.map(|hand| hand.under(trump)), trump, dealer);
        let upcard = Cards::one(upcard.under(trump));
        if matches!(said, Action::OrderUp | Action::OrderUpAlone) {
            let six = open.hands[dealer] | upcard;
            open.laid_away = Cards::one(counting::discard(six, trump));
            open.hands[dealer] = six - open.laid_away;
        } else {
            open.gone = upcard;
        }
        let alone = matches!(said, Action::OrderUpAlone | Action::NameAlone(_));
        open.made_by(self.auction.speaker(place), alone);
        open
    }
}
