//! How well a dream explains what was done: what was called, laid away and played.

use crate::cards::{Card, Cards};
use crate::counting;
use crate::deal::Known;
use crate::habit;
use crate::sample::Dream;

/// How much rarer it is that a player does something else than by habit. Players differ, and
/// partner thinks as long as we do, so that this must not be taken for impossible.
const ODD_DISCARD: f32 = 0.1;
const ODD_PLAY: f32 = 0.15;
const PARTNERS_ODD_PLAY: f32 = 0.5;

/// How likely everybody is to do what was done if a dream is the deal, up to a factor.
pub fn of(known: &Known, dream: &Dream) -> f32 {
    dream.chance * calls(known, dream) * plays(known, dream)
}

/// How likely the dealer is to lay a card away and keep the others, up to a factor.
pub fn discard(known: &Known, kept: Cards, away: Card) -> f32 {
    let trump = known.trump.expect("trump is made before a card is laid away");
    let six = (kept | Cards::one(away)).under(trump);
    if counting::discard(six, trump) == away.under(trump) { 1.0 } else { ODD_DISCARD }
}

fn calls(known: &Known, dream: &Dream) -> f32 {
    let Some(auction) = known.auction else { return 1.0 };
    let by_others = known.calls.iter().enumerate().filter_map(|(place, &call)| {
        let speaker = auction.speaker(place);
        (speaker != known.seat).then(|| auction.chance(place, dream.dealt[speaker], call))
    });
    by_others.product()
}

fn plays(known: &Known, dream: &Dream) -> f32 {
    if known.plays.is_empty() {
        return 1.0;
    }
    let mut open = known.opened(dream.began, dream.laid_away);
    let mut chance = 1.0;
    for &(seat, card) in &known.plays {
        let card = known.counts_as(card);
        if seat != known.seat && habit::card(&open) != card {
            let partners = seat % 2 == known.seat % 2;
            chance *= if partners { PARTNERS_ODD_PLAY } else { ODD_PLAY };
        }
        open.play(card);
    }
    chance
}
