//! A call or a discard can be thought about wherever the bidding stands, by any of the rules.

use upcard::{Action, Game, Random, Suit};

use super::{Bid, Dealt, auction, dealt, nothing_known};
use crate::cards::{Card, Cards};
use crate::deal::Known;
use crate::dreamer::Dreamer;
use crate::thinking::Budget;
use crate::worth::Worth;

const SEEDS: u64 = 20;

fn dreamer(seed: u64) -> Dreamer {
    let worth = Worth::new(Game::Euchre, 10);
    Dreamer { worth, random: Random::new(seed), budget: Budget::Dreams(16) }
}

/// What the seat knows that is to make the next call.
fn to_call(seed: u64, passes: usize) -> Known {
    let (hands, kitty) = dealt(Game::Euchre, seed);
    let seat = passes % 4;
    let mut known = nothing_known(Game::Euchre, seat);
    known.auction = Some(auction(known.dealer, kitty[0]));
    known.calls = vec![Action::Pass; passes];
    known.held = hands[seat];
    known
}

fn calls(known: &Known, passes: usize) -> Vec<Action> {
    let auction = known.auction.expect("there is a bidding");
    let alone_only = auction.partner_must_go_alone && passes == 1;
    let open = Suit::ALL.into_iter().filter(|suit| suit.index() != auction.upcard.suit());
    let plain: Vec<Action> = match passes {
        0..4 if alone_only => Vec::new(),
        0..4 => vec![Action::OrderUp],
        _ => open.clone().map(Action::Name).collect(),
    };
    let alone: Vec<Action> = match passes {
        _ if !auction.alone_allowed => Vec::new(),
        0..4 => vec![Action::OrderUpAlone],
        _ => open.map(Action::NameAlone).collect(),
    };
    let pass = (passes < 7 || !auction.dealer_stuck).then_some(Action::Pass);
    pass.into_iter().chain(plain).chain(alone).collect()
}

#[test]
fn a_call_can_be_chosen_wherever_the_bidding_stands() {
    for (passes, rules) in (0..8).flat_map(|passes| (0..8).map(move |rules| (passes, rules))) {
        for seed in 0..SEEDS {
            let mut known = to_call(seed, passes);
            let auction = known.auction.as_mut().expect("there is a bidding");
            auction.dealer_stuck = rules & 1 == 1;
            auction.alone_allowed = rules & 6 != 0;
            auction.partner_must_go_alone = rules & 4 == 4;
            let legal = calls(&known, passes);
            assert!(dreamer(seed).call(&known, &legal) < legal.len());
        }
    }
}

#[test]
fn a_hand_that_cannot_lose_is_called() {
    let mut known = to_call(0, 0);
    let hold = ["JS", "JC", "AS", "KS", "QS"].map(|token| super::card(token, Game::Euchre));
    known.held = hold.into_iter().collect();
    let upcard = super::card("9S", Game::Euchre);
    known.auction = Some(auction(known.dealer, upcard));
    let legal = [Action::Pass, Action::OrderUp, Action::OrderUpAlone];
    assert_eq!(legal[dreamer(0).call(&known, &legal)], Action::OrderUpAlone);
}

#[test]
fn a_discard_can_be_chosen_whoever_ordered_up() {
    for seed in 0..SEEDS {
        for passes in 0..4 {
            let bid = Bid { passes, alone: seed.is_multiple_of(2), buries_upcard: false };
            let mut known = Dealt::bid(seed, 3, bid, 0).known;
            let upcard = known.auction.expect("there was a bidding").upcard;
            known.held |= known.laid_away.take().into_iter().collect::<Cards>();
            assert!(known.held.has(upcard) && known.held.len() == 6);
            let cards: Vec<Card> = known.held.iter().collect();
            assert!(dreamer(seed).discard(&known, &cards) < cards.len());
        }
    }
}
