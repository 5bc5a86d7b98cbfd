//! Dreams agree with what is known for certain.

use upcard::Random;

use super::Dealt;
use crate::cards::Cards;
use crate::sample::{Dream, Sampler};

/// How many hands are tried, and how many dreams of each.
const HANDS: u64 = 40;
const DREAMS: usize = 25;

/// Tries dreams of many hands at many points of the play, for every seat.
fn in_dreams(
    last_card: usize,
    dealt: impl Fn(u64, usize, usize) -> Dealt,
    check: impl Fn(&Dealt, &Dream),
) {
    for seed in 0..HANDS {
        for seat in 0..4 {
            let plays = seed as usize * last_card / HANDS as usize;
            let dealt = dealt(seed, seat, plays);
            let (sampler, mut random) = (Sampler::new(&dealt.known), Random::new(seed));
            (0..DREAMS).for_each(|_| check(&dealt, &sampler.draw(&mut random)));
        }
    }
}

/// A seat that did not follow in a dream could not: the cards played so far are legal in it.
fn agrees_with_the_play(dealt: &Dealt, dream: &Dream) {
    let mut open = dealt.known.opened(dream.began, dream.laid_away);
    for &(seat, card) in &dealt.known.plays {
        assert_eq!(open.turn, seat);
        assert!(open.legal().has(dealt.known.counts_as(card)));
        open.play(dealt.known.counts_as(card));
    }
}

fn no_card_is_twice(_: &Dealt, dream: &Dream) {
    let hands = dream.began.into_iter().chain([dream.laid_away.into_iter().collect()]);
    let all = hands.clone().fold(Cards::NONE, |all, cards| all | cards);
    assert_eq!(all.len(), hands.map(Cards::len).sum());
}

fn everybody_has_as_many_as_she_was_dealt(dealt: &Dealt, dream: &Dream) {
    assert_eq!(dream.began.map(Cards::len), dealt.truth.began.map(Cards::len));
    assert_eq!(dream.dealt.map(Cards::len), dealt.truth.dealt.map(Cards::len));
}

fn our_own_cards_are_ours(dealt: &Dealt, dream: &Dream) {
    let seat = dealt.known.seat;
    assert_eq!(dream.began[seat], dealt.truth.began[seat]);
}

#[test]
fn euchre_dreams_agree_with_the_play() {
    in_dreams(19, Dealt::any_euchre, agrees_with_the_play);
}

#[test]
fn whist_dreams_agree_with_the_play() {
    in_dreams(51, Dealt::whist, agrees_with_the_play);
}

#[test]
fn no_card_of_euchre_is_dreamed_twice() {
    in_dreams(19, Dealt::any_euchre, no_card_is_twice);
}

#[test]
fn no_card_of_whist_is_dreamed_twice() {
    in_dreams(51, Dealt::whist, no_card_is_twice);
}

#[test]
fn euchre_hands_are_dreamed_with_five_cards() {
    in_dreams(19, Dealt::any_euchre, everybody_has_as_many_as_she_was_dealt);
}

#[test]
fn whist_hands_are_dreamed_with_thirteen_cards() {
    in_dreams(51, Dealt::whist, everybody_has_as_many_as_she_was_dealt);
}

#[test]
fn we_know_our_own_cards_in_euchre() {
    in_dreams(19, Dealt::any_euchre, our_own_cards_are_ours);
}

#[test]
fn the_dealer_of_whist_holds_the_trump_card_in_every_dream() {
    in_dreams(51, Dealt::whist, |dealt, dream| {
        let card = dealt.known.trump_card.expect("whist has one");
        assert!(dream.began[dealt.known.dealer].has(card));
    });
}

#[test]
fn an_upcard_that_was_ordered_up_is_the_dealers_or_laid_away_in_every_dream() {
    in_dreams(19, Dealt::any_euchre, |dealt, dream| {
        let upcard = dealt.known.auction.expect("there was a bidding").upcard;
        let is_there = dream.began[3].has(upcard) || dream.laid_away == Some(upcard);
        assert_eq!(is_there, dealt.known.picked_up);
    });
}
