//! Sets of cards.

use crate::{Card, CardSet};

fn set(tokens: &str) -> CardSet {
    tokens.parse().expect(tokens)
}

fn card(token: &str) -> Card {
    token.parse().expect(token)
}

#[test]
fn cards_come_in_the_order_of_the_pack() {
    assert_eq!(set("AS 2C JD 9D").to_string(), "2C 9D JD AS");
}

#[test]
fn two_sets_join_without_doubles() {
    assert_eq!(set("2C JD") | set("JD AS"), set("2C JD AS"));
}

#[test]
fn two_sets_share_what_both_have() {
    assert_eq!(set("2C JD") & set("JD AS"), set("JD"));
}

#[test]
fn a_set_loses_what_is_taken_away() {
    assert_eq!(set("2C JD") - set("JD AS"), set("2C"));
}

#[test]
fn a_card_goes_in_and_out() {
    assert_eq!(set("2C").with(card("AS")).without(card("2C")), set("AS"));
}

#[test]
fn the_nth_card_is_counted_from_0() {
    assert_eq!(set("AS 2C JD").nth(1), Some(card("JD")));
}

#[test]
fn no_cards_have_no_first() {
    assert_eq!(CardSet::EMPTY.first(), None);
}

#[test]
fn a_set_knows_how_many_are_still_to_come() {
    let mut cards = set("2C JD AS").iter();
    cards.next();
    assert_eq!(cards.len(), 2);
}
