//! What a seat knows when it is to act, under the names a card player would use.

mod bidding;
mod holding;
mod playing;

use std::cell::OnceCell;
use std::fmt;
use std::time::Duration;

use crate::message::{self, Message, Unknown};
use crate::v1::Turn;
use crate::{Action, Card, CardSet, Game, Rules, Seat, Suit};

pub use playing::{Play, Trick};

/// What your seat knows when it is to act.
///
/// It wraps the referee's message, and works out only what is asked for. Every method is there in
/// both games; what a game does not have is None, false or empty.
pub struct View<'a> {
    turn: &'a Turn,
    message: Message<'a>,
    phase: Phase,
    rules: &'a Rules,
    legal: &'a [Action],
    /// The cards played in this hand, once somebody asked.
    played: OnceCell<Vec<Card>>,
}

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Euchre: a call.
    Bidding,
    /// Euchre: the card the dealer lays away.
    Discarding,
    /// A card to the trick.
    Playing,
}

/// A count for both teams, your own first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Your team's.
    pub us: u32,
    /// The others'.
    pub them: u32,
}

impl<'a> View<'a> {
    /// Reads a turn, if this version knows all that is in it; `legal` is the place for its actions.
    pub(crate) fn of(
        turn: &'a Turn,
        rules: &'a Rules,
        legal: &'a mut Vec<Action>,
    ) -> Result<Self, Unknown> {
        let message = Message::of(turn, rules.game)?;
        let phase = message.phase()?;
        message.read_legal(phase, legal)?;
        Ok(Self::showing((turn, message, phase), rules, legal))
    }

    /// The same with the actions that were read before.
    pub(crate) fn with_legal(
        turn: &'a Turn,
        rules: &'a Rules,
        legal: &'a [Action],
    ) -> Result<Self, Unknown> {
        let message = Message::of(turn, rules.game)?;
        Ok(Self::showing(
            (turn, message, message.phase()?),
            rules,
            legal,
        ))
    }

    fn showing(
        (turn, message, phase): (&'a Turn, Message<'a>, Phase),
        rules: &'a Rules,
        legal: &'a [Action],
    ) -> Self {
        Self {
            turn,
            message,
            phase,
            rules,
            legal,
            played: OnceCell::new(),
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.rules.game
    }

    /// The rules at this table.
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// What you may do; choose one of them.
    pub fn legal(&self) -> &'a [Action] {
        self.legal
    }

    /// What is due.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The table: a number that means nothing, another one for every match.
    pub fn table(&self) -> u32 {
        self.turn.table_id
    }

    /// The number of this decision; the referee counts them.
    pub fn turn(&self) -> u32 {
        self.turn.turn_id
    }

    /// What is left of your time for this match; None if only each decision is limited.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.turn.time_left_ms;
        (left > 0).then(|| Duration::from_millis(left.into()))
    }

    /// The number of this hand in its match, from 0.
    pub fn hand_number(&self) -> u32 {
        self.message.hand_number()
    }

    /// Your seat.
    pub fn seat(&self) -> Seat {
        Seat::of(self.message.seat()).expect("the referee always tells the seat")
    }

    /// The seat across the table.
    pub fn partner(&self) -> Seat {
        self.seat().partner()
    }

    /// Who dealt.
    pub fn dealer(&self) -> Seat {
        Seat::of(self.message.dealer()).expect("the referee always tells the dealer")
    }

    /// The points of both teams before this hand.
    pub fn score(&self) -> Sides {
        let (north_south, east_west) = self.message.points();
        if self.seat().same_team(Seat::North) {
            Sides {
                us: north_south,
                them: east_west,
            }
        } else {
            Sides {
                us: east_west,
                them: north_south,
            }
        }
    }

    /// How many points win the match.
    pub fn target(&self) -> u32 {
        self.rules.target
    }

    /// The cards you hold.
    pub fn hand(&self) -> CardSet {
        message::cards(self.message.hand()).collect()
    }

    /// The cards you may play or lay away; none in the bidding.
    pub fn legal_cards(&self) -> CardSet {
        message::cards(self.message.legal_cards()).collect()
    }

    /// The trump suit; None until it is made.
    pub fn trump(&self) -> Option<Suit> {
        self.message.trump()
    }

    /// Whist: the last card dealt, the dealer's until she plays it.
    pub fn trump_card(&self) -> Option<Card> {
        self.message.trump_card()
    }

    /// The suit a card counts as: the left bower is a trump. For a trump suit of your own, as in
    /// the bidding, ask [`Game::effective_suit`].
    pub fn effective_suit(&self, card: Card) -> Suit {
        self.game().effective_suit(card, self.trump())
    }

    /// The place of a card in its effective suit, the higher the stronger. For a trump suit of your
    /// own, ask [`Game::strength`].
    pub fn strength(&self, card: Card) -> u32 {
        self.game().strength(card, self.trump())
    }

    /// Whether a card takes the trick over from another that is winning it. For a trump suit of
    /// your own, ask [`Game::beats`].
    pub fn beats(&self, card: Card, other: Card) -> bool {
        self.game().beats(card, other, self.trump())
    }
}

/// The situation in a line: `euchre, playing: hand JD AD QD, trump H, trick 9S AS`.
impl fmt::Display for View<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}, {}: hand {}",
            self.game(),
            self.phase(),
            self.hand()
        )?;
        if let (Phase::Bidding, Some(upcard)) = (self.phase(), self.upcard()) {
            write!(out, ", upcard {upcard}")?;
        }
        if let Some(trump) = self.trump() {
            write!(out, ", trump {trump}")?;
        }
        if !self.trick().is_empty() {
            out.write_str(", trick")?;
        }
        self.trick()
            .iter()
            .try_for_each(|card| write!(out, " {card}"))
    }
}

/// `bidding`, `discarding` or `playing`.
impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Bidding => "bidding",
            Self::Discarding => "discarding",
            Self::Playing => "playing",
        })
    }
}
