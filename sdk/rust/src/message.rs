//! The two games' messages under one roof: what only one of them has is nothing in the other.

use std::fmt;

use crate::v1::turn::View;
use crate::v1::{EuchrePhase, EuchreView, Turn, WhistView};
use crate::{Action, Card, Game, Phase, Seat, Suit};

#[derive(Clone, Copy)]
pub(crate) enum Message<'a> {
    Euchre(&'a EuchreView),
    Whist(&'a WhistView),
}

/// What there may be in a message that this version does not know.
///
/// Nothing of it is ever left out: answers are counted, and so are cards and calls, so that all the
/// rest would mean something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    Game,
    Phase,
    Action,
    Call,
    Card,
}

impl fmt::Display for Unknown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Game => "plays a game",
            Self::Phase => "asks in a phase",
            Self::Action => "offers an action",
            Self::Call => "tells of a call",
            Self::Card => "shows a card",
        };
        write!(
            out,
            "the referee {what} that this version of the SDK does not know"
        )
    }
}

/// Reads a field that both games have.
macro_rules! both {
    ($message:expr, $field:ident) => {
        match $message {
            Message::Euchre(view) => &view.$field,
            Message::Whist(view) => &view.$field,
        }
    };
}

impl<'a> Message<'a> {
    /// The message of a turn of the game that is played.
    pub fn of(turn: &'a Turn, game: Game) -> Result<Self, Unknown> {
        let message = match (turn.view.as_ref(), game) {
            (Some(View::Euchre(view)), Game::Euchre) => Self::Euchre(view),
            (Some(View::Whist(view)), Game::Whist) => Self::Whist(view),
            _ => return Err(Unknown::Game),
        };
        message.know_all().map(|()| message)
    }

    /// Sees to it that nothing will be left out of the cards and the calls it tells of.
    fn know_all(self) -> Result<(), Unknown> {
        let (calls_told, hand, played) = (self.calls(), self.hand(), self.played());
        if calls(calls_told).count() < calls_told.len() {
            return Err(Unknown::Call);
        }
        if cards(hand).count() < hand.len() || cards(played).count() < played.len() {
            return Err(Unknown::Card);
        }
        Ok(())
    }

    pub fn euchre(self) -> Option<&'a EuchreView> {
        match self {
            Self::Euchre(view) => Some(view),
            Self::Whist(_) => None,
        }
    }

    pub fn phase(self) -> Result<Phase, Unknown> {
        match self.euchre().map(EuchreView::phase) {
            Some(EuchrePhase::Bidding) => Ok(Phase::Bidding),
            Some(EuchrePhase::Discarding) => Ok(Phase::Discarding),
            Some(EuchrePhase::Playing) | None => Ok(Phase::Playing),
            Some(EuchrePhase::Unspecified) => Err(Unknown::Phase),
        }
    }

    pub fn trump_card(self) -> Option<Card> {
        match self {
            Self::Euchre(_) => None,
            Self::Whist(view) => Card::of(view.trump_card),
        }
    }

    pub fn trump(self) -> Option<Suit> {
        match self {
            Self::Euchre(view) => Suit::of(view.trump),
            Self::Whist(_) => self.trump_card().map(Card::suit),
        }
    }

    pub fn sits_out(self) -> Option<Seat> {
        self.euchre().and_then(|view| Seat::of(view.sits_out))
    }

    pub fn seat(self) -> i32 {
        *both!(self, seat)
    }

    pub fn dealer(self) -> i32 {
        *both!(self, dealer)
    }

    pub fn hand_number(self) -> u32 {
        *both!(self, hand_number)
    }

    /// The points of North and South, and of East and West.
    pub fn points(self) -> (u32, u32) {
        let (north_south, east_west) = (
            both!(self, points_north_south),
            both!(self, points_east_west),
        );
        (*north_south, *east_west)
    }

    pub fn hand(self) -> &'a [i32] {
        both!(self, hand)
    }

    pub fn played(self) -> &'a [i32] {
        both!(self, played)
    }

    pub fn leaders(self) -> &'a [i32] {
        both!(self, leaders)
    }

    pub fn legal_cards(self) -> &'a [i32] {
        both!(self, legal_cards)
    }

    pub fn calls(self) -> &'a [i32] {
        self.euchre().map_or(&[], |view| &view.calls)
    }

    fn legal_calls(self) -> &'a [i32] {
        self.euchre().map_or(&[], |view| &view.legal_calls)
    }

    /// Puts what may be done into `legal`, in the order in which an answer counts.
    pub fn read_legal(self, phase: Phase, legal: &mut Vec<Action>) -> Result<(), Unknown> {
        let as_action = match phase {
            Phase::Discarding => Action::Discard,
            _ => Action::Play,
        };
        legal.clear();
        for &number in self.legal_calls() {
            legal.push(Action::of_call(number).ok_or(Unknown::Action)?);
        }
        for &number in self.legal_cards() {
            legal.push(Card::of(number).map(as_action).ok_or(Unknown::Action)?);
        }
        Ok(())
    }
}

/// The cards of a list of numbers, which are all known once the message is read.
pub(crate) fn cards(numbers: &[i32]) -> impl Iterator<Item = Card> + '_ {
    numbers.iter().copied().filter_map(Card::of)
}

/// The calls of a list of numbers, which are all known once the message is read.
pub(crate) fn calls(numbers: &[i32]) -> impl Iterator<Item = Action> + '_ {
    numbers.iter().copied().filter_map(Action::of_call)
}
