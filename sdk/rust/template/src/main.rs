//! my-bot plays euchre and whist: simply for now, and better once you have worked on it.

use std::process::ExitCode;

use upcard::{Action, Bot, Card, CardSet, Game, Suit, View};

/// A player for one match; what it keeps in its fields is its memory of that match.
struct Player;

impl Bot for Player {
    /// Orders up with three trumps; names a suit with three; else passes.
    fn bid(&mut self, view: &View, legal: &[Action]) -> Action {
        let upcard = view.upcard().expect("a card is turned up");
        let trumps_after = |call: &Action| match call {
            Action::OrderUp => trumps(view.hand(), upcard.suit()),
            Action::Name(suit) => trumps(view.hand(), *suit),
            _ => 0, // To go alone is for a better player.
        };
        let best = legal.iter().max_by_key(|call| trumps_after(call));
        let best = *best.expect("something is always legal");
        // A dealer who is stuck may not pass, and then names her best suit.
        let stuck = !legal.contains(&Action::Pass);
        if stuck || trumps_after(&best) >= 3 {
            best
        } else {
            Action::Pass
        }
    }

    /// Lays the worst card away.
    fn discard(&mut self, view: &View, _legal: &[Action]) -> Action {
        Action::Discard(worst(view, view.legal_cards()))
    }

    /// Wins the trick as cheaply as possible, unless partner has it; else throws the worst.
    fn play(&mut self, view: &View, _legal: &[Action]) -> Action {
        let mine = view.legal_cards();
        let takers: CardSet = mine.iter().filter(|&card| view.takes_trick(card)).collect();
        Action::Play(if view.trick().is_empty() {
            best(view, mine)
        } else if takers.is_empty() || view.partner_is_winning() {
            worst(view, mine)
        } else {
            worst(view, takers)
        })
    }
}

/// How many trumps a hand would have; the left bower is one of them.
fn trumps(hand: CardSet, trump: Suit) -> usize {
    (hand & Game::Euchre.cards_of(trump, Some(trump))).len()
}

fn best(view: &View, cards: CardSet) -> Card {
    let best = cards.iter().max_by_key(|&card| view.strength(card));
    best.expect("there is a card to choose")
}

/// The lowest card, and a trump only if there is nothing else.
fn worst(view: &View, cards: CardSet) -> Card {
    let is_trump = |card| Some(view.effective_suit(card)) == view.trump();
    let price = |&card: &Card| (is_trump(card), view.strength(card));
    let worst = cards.iter().min_by_key(price);
    worst.expect("there is a card to choose")
}

fn main() -> ExitCode {
    // A new Player for each match. A bot that draws lots keeps the `random` of its table.
    upcard::run(|_table| Player)
}

#[cfg(test)]
mod tests;
