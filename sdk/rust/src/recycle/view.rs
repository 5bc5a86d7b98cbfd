//! What a player knows of a game described in RECYCLE, and what it may do.

use std::fmt;
use std::time::Duration;

use super::{RecycleFace, RecycleRules};
use crate::message::Unknown;
use crate::v1::recycle_step::Value;
use crate::v1::turn::View;
use crate::v1::{self, Turn};

/// What you know of a hand of a game that is described in RECYCLE.
///
/// It works out what you ask for, each time: keep what you need again.
pub struct RecycleView<'a> {
    turn: &'a Turn,
    message: &'a v1::RecycleView,
    rules: &'a RecycleRules,
}

/// Where cards lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecycleSpot<'a> {
    /// 0 the table, n player n, -n team n.
    pub owner: i32,
    /// Who sees the cards: `vloc` all, `iloc` the owner, `hloc` nobody, `oloc` all but the owner.
    /// `mem` is seen by all, and has only references to cards that lie elsewhere.
    pub kind: &'a str,
    /// What the program calls it.
    pub name: &'a str,
    /// Its number among the places of one name.
    pub index: u32,
}

/// A place for cards, with what you may know of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecyclePlace<'a> {
    /// Where it is.
    pub spot: RecycleSpot<'a>,
    /// How many cards lie there.
    pub size: u32,
    /// The cards, the bottom one first; None if they are hidden from you.
    pub faces: Option<Vec<&'a RecycleFace>>,
    /// How many hidden cards of each back there are, if the deck has several.
    pub backs: Vec<(&'a str, u32)>,
}

/// A map of what cards score, each the sum of the awards it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecyclePoints<'a> {
    /// Whose it is.
    pub owner: i32,
    /// What the program calls it.
    pub name: &'a str,
    /// What is awarded.
    pub awards: Vec<RecycleAward<'a>>,
}

/// What a card gets that has all of some attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecycleAward<'a> {
    /// The names and values of the attributes.
    pub attributes: Vec<(&'a str, &'a str)>,
    /// What it gets.
    pub points: i32,
}

/// What something is done with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecycleValue<'a> {
    /// A number.
    Number(i32),
    /// A text.
    Text(&'a str),
    /// A map of what cards score.
    Points(Vec<RecycleAward<'a>>),
}

/// One thing that a move does; what does not apply is None.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecycleStep<'a> {
    /// What it is: `move`, `set`, `pass` and so on.
    pub verb: &'a str,
    /// The card; None also if you may not see it.
    pub face: Option<&'a RecycleFace>,
    /// Where the card comes from.
    pub source: Option<RecycleSpot<'a>>,
    /// Where it goes.
    pub target: Option<RecycleSpot<'a>>,
    /// Whose storage it is, or which player is meant.
    pub owner: Option<i32>,
    /// What is stored.
    pub name: Option<&'a str>,
    /// What it is done with.
    pub value: Option<RecycleValue<'a>>,
    /// The second card that is swapped.
    pub other_face: Option<&'a RecycleFace>,
}

/// Something you may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecycleMove<'a> {
    /// The move in words, as it stands in what is legal.
    pub text: &'a str,
    /// What is done, one after the other; empty where a decision has too many moves to tell.
    pub steps: Vec<RecycleStep<'a>>,
}

impl<'a> RecycleView<'a> {
    /// Reads a turn of such a game.
    pub(crate) fn of(turn: &'a Turn, rules: &'a RecycleRules) -> Result<Self, Unknown> {
        let Some(View::Recycle(message)) = turn.view.as_ref() else {
            return Err(Unknown::Game);
        };
        let mut faces = message.places.iter().flat_map(|place| &place.faces);
        if faces.any(|&face| rules.face(face).is_none()) {
            return Err(Unknown::Card);
        }
        Ok(Self {
            turn,
            message,
            rules,
        })
    }

    /// The game at this table.
    pub fn rules(&self) -> &'a RecycleRules {
        self.rules
    }

    /// The texts of what you may do; choose one of them.
    pub fn legal(&self) -> Vec<&'a str> {
        let moves = self.message.legal.iter();
        moves.map(|each| each.text.as_str()).collect()
    }

    /// What you may do, in the order of `legal`.
    pub fn moves(&self) -> Vec<RecycleMove<'a>> {
        let steps = |each: &'a v1::RecycleMove| RecycleMove {
            text: &each.text,
            steps: each.steps.iter().map(|step| self.step(step)).collect(),
        };
        self.message.legal.iter().map(steps).collect()
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
        self.message.hand_number
    }

    /// Which player of the program you are in this hand, from 1.
    pub fn player(&self) -> u32 {
        self.message.player
    }

    /// What each side of this hand scored before it, the first side first; more is better.
    pub fn scores(&self) -> &'a [i32] {
        &self.message.scores
    }

    /// The places that were used in this hand.
    pub fn places(&self) -> Vec<RecyclePlace<'a>> {
        let places = self.message.places.iter();
        places.map(|each| self.place(each)).collect()
    }

    /// The numbers that are stored, with their owners and names; what is not there is 0.
    pub fn numbers(&self) -> Vec<(i32, &'a str, i32)> {
        let numbers = self.message.numbers.iter();
        numbers
            .map(|each| (each.owner, each.name.as_str(), each.value))
            .collect()
    }

    /// A number that is stored.
    pub fn number(&self, owner: i32, name: &str) -> i32 {
        let mut numbers = self.message.numbers.iter();
        let stored = numbers.find(|each| each.owner == owner && each.name == name);
        stored.map_or(0, |each| each.value)
    }

    /// The texts that are stored, with their owners and names; what is not there is empty.
    pub fn texts(&self) -> Vec<(i32, &'a str, &'a str)> {
        let texts = self.message.texts.iter();
        texts
            .map(|each| (each.owner, each.name.as_str(), each.value.as_str()))
            .collect()
    }

    /// A text that is stored.
    pub fn text(&self, owner: i32, name: &str) -> &'a str {
        let mut texts = self.message.texts.iter();
        let stored = texts.find(|each| each.owner == owner && each.name == name);
        stored.map_or("", |each| &each.value)
    }

    /// What cards score, by the maps that are stored.
    pub fn points(&self) -> Vec<RecyclePoints<'a>> {
        let points = self.message.points.iter();
        points
            .map(|each| RecyclePoints {
                owner: each.owner,
                name: &each.name,
                awards: awards(each),
            })
            .collect()
    }

    /// Where the program stands.
    pub fn flow(&self) -> &'a [i32] {
        &self.message.flow
    }

    fn place(&self, place: &'a v1::RecyclePlace) -> RecyclePlace<'a> {
        let faces = place.faces.iter().filter_map(|&face| self.rules.face(face));
        let backs = place.backs.iter();
        RecyclePlace {
            spot: spot(place),
            size: place.size,
            faces: (!place.hidden).then(|| faces.collect()),
            backs: backs.map(|back| (back.name.as_str(), back.cards)).collect(),
        }
    }

    fn step(&self, step: &'a v1::RecycleStep) -> RecycleStep<'a> {
        RecycleStep {
            verb: &step.verb,
            face: self.rules.face(step.face),
            source: step.source.as_ref().map(spot),
            target: step.target.as_ref().map(spot),
            owner: step.owner,
            name: Some(step.name.as_str()).filter(|name| !name.is_empty()),
            value: step.value.as_ref().map(|value| match value {
                Value::Number(number) => RecycleValue::Number(*number),
                Value::Text(text) => RecycleValue::Text(text),
                Value::Points(points) => RecycleValue::Points(awards(points)),
            }),
            other_face: self.rules.face(step.other_face),
        }
    }
}

fn spot(place: &v1::RecyclePlace) -> RecycleSpot<'_> {
    RecycleSpot {
        owner: place.owner,
        kind: &place.kind,
        name: &place.name,
        index: place.index,
    }
}

fn awards(points: &v1::RecyclePoints) -> Vec<RecycleAward<'_>> {
    points.awards.iter().map(award).collect()
}

fn award(award: &v1::RecycleAward) -> RecycleAward<'_> {
    let attributes = award.attributes.iter();
    RecycleAward {
        attributes: attributes
            .map(|each| (each.key.as_str(), each.value.as_str()))
            .collect(),
        points: award.points,
    }
}

/// The situation in a line: `recycle, acting: leduc, hand 2, player 1`.
impl fmt::Display for RecycleView<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "recycle, acting: {}", self.rules.name)?;
        if self.rules.hands > 1 {
            write!(out, ", hand {}", self.hand_number() + 1)?;
        }
        write!(out, ", player {}", self.player())
    }
}
