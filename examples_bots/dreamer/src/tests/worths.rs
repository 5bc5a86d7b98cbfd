//! What scores and hands are worth.

use upcard::Game;

use super::card;
use crate::cards::Cards;
use crate::counting;
use crate::deal::Score;
use crate::open_hand::OpenHand;
use crate::worth::{Worth, points};

const EVEN: f32 = 0.02;

fn finished(taken: [u8; 2], alone: bool) -> OpenHand {
    let mut open = OpenHand::new(Game::Euchre, [Cards::NONE; 4], 0, 3);
    open.made_by(0, alone);
    open.taken = taken;
    open
}

#[test]
fn a_match_that_has_not_begun_is_nearly_even() {
    let worth = Worth::new(Game::Euchre, 10);
    let both = worth.chance(0, 0, true) + worth.chance(0, 0, false);
    assert!((both - 1.0).abs() < 1e-4 && (worth.chance(0, 0, true) - 0.5).abs() < 2.0 * EVEN);
}

#[test]
fn every_point_is_worth_having() {
    let worth = Worth::new(Game::Whist, 10);
    for us in 0..9 {
        assert!(worth.chance(us + 1, 5, true) > worth.chance(us, 5, true));
    }
}

#[test]
fn at_nine_a_march_is_worth_no_more_than_a_point() {
    let worth = Worth::new(Game::Euchre, 10);
    let results = worth.results(Score { us: 9, them: 0, target: 10 }, true);
    assert_eq!(results.of(&finished([5, 0], false), 0), results.of(&finished([3, 2], false), 0));
}

#[test]
fn a_lone_march_scores_four() {
    assert_eq!(points(&finished([5, 0], true), 0), 4);
}

#[test]
fn makers_with_two_tricks_are_euchred() {
    let open = finished([2, 3], true);
    assert_eq!((points(&open, 0), points(&open, 1)), (0, 2));
}

#[test]
fn the_dealer_lays_away_a_lone_low_card() {
    let six = ["JH", "AH", "KH", "AS", "9C", "QH"].map(|token| card(token, Game::Euchre).under(2));
    let away = counting::discard(six.into_iter().collect(), 2);
    assert_eq!(away, card("9C", Game::Euchre));
}
