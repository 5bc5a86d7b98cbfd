//! The two games' messages under one roof: what only one of them has is nothing in the other.

use crate::v1::turn::View;
use crate::v1::{EuchrePhase, EuchreView, Turn, WhistView};
use crate::{Action, Card, Game, Phase, Seat, Suit};

#[derive(Clone, Copy)]
pub(crate) enum Message<'a> {
    Euchre(&'a EuchreView),
    Whist(&'a WhistView),
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
    /// The message of a turn, unless it is of a game this version does not know.
    pub fn of(turn: &'a Turn) -> Option<Self> {
        match turn.view.as_ref()? {
            View::Euchre(view) => Some(Self::Euchre(view)),
            View::Whist(view) => Some(Self::Whist(view)),
        }
    }

    pub fn game(self) -> Game {
        match self {
            Self::Euchre(_) => Game::Euchre,
            Self::Whist(_) => Game::Whist,
        }
    }

    pub fn euchre(self) -> Option<&'a EuchreView> {
        match self {
            Self::Euchre(view) => Some(view),
            Self::Whist(_) => None,
        }
    }

    pub fn phase(self) -> Phase {
        match self.euchre().map(EuchreView::phase) {
            Some(EuchrePhase::Bidding) => Phase::Bidding,
            Some(EuchrePhase::Discarding) => Phase::Discarding,
            _ => Phase::Playing,
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

    /// Puts what may be done into `legal`, in the order in which an answer counts.
    pub fn read_legal(self, legal: &mut Vec<Action>) {
        let as_action = match self.phase() {
            Phase::Discarding => Action::Discard,
            _ => Action::Play,
        };
        let calls = self.euchre().map_or(&[][..], |view| &view.legal_calls);
        legal.clear();
        legal.extend(calls.iter().copied().filter_map(Action::of_call));
        legal.extend(cards(self.legal_cards()).map(as_action));
    }
}

/// The cards of a list of numbers.
pub(crate) fn cards(numbers: &[i32]) -> impl Iterator<Item = Card> + '_ {
    numbers.iter().copied().filter_map(Card::of)
}
