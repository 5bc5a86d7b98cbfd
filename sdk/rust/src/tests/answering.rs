//! Frames in, choices out.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::testdata::{lines, message};
use crate::answering::{Piece, Tables};
use crate::v1::{Answers, Frame, TableClosed, TableOpened, Turn, Welcome};
use crate::{Action, Bot, Seat, Table, View};

const TABLE: u32 = 1;

/// Says what it was told to say.
struct Says(Action);

impl Bot for Says {
    fn choose(&mut self, _view: &View, _legal: &[Action]) -> Action {
        self.0
    }
}

fn saying(action: Action) -> Tables<'static> {
    seating(move |_| Says(action))
}

fn seating<'a, B: Bot + 'a>(mut seat_bot: impl FnMut(Table) -> B + 'a) -> Tables<'a> {
    Tables::new(&welcome(), Box::new(move |table| Box::new(seat_bot(table)))).expect("a game")
}

/// To the bot in the seat of East.
fn welcome() -> Welcome {
    message(&lines("views")[0]["welcome"])
}

/// A call at the table: pass, order up, order up alone.
fn turn() -> Turn {
    message(&lines("views")[0]["turn"])
}

fn frame() -> Rc<Frame> {
    Rc::new(Frame {
        opened: vec![TableOpened {
            table_id: TABLE,
            seed: 5,
        }],
        turns: vec![turn()],
        closed: vec![TableClosed {
            table_id: TABLE,
            ..TableClosed::default()
        }],
    })
}

#[test]
fn an_answer_is_the_place_of_the_action_among_the_legal_ones() {
    let mut tables = saying(Action::OrderUpAlone);
    tables.open(&frame().opened);
    assert_eq!(tables.decide(&frame(), 0), Ok(2));
}

#[test]
fn an_action_that_is_not_legal_is_told_with_those_that_are() {
    let mut tables = saying("play:JD".parse().expect("a token"));
    tables.open(&frame().opened);
    let told = "the bot returned play:JD; legal here: pass order_up order_up_alone";
    assert_eq!(tables.decide(&frame(), 0), Err(told.to_owned()));
}

#[test]
fn a_bot_is_made_for_each_table_from_what_it_needs_to_know() {
    let mut made = Vec::new();
    let mut tables = seating(|table| {
        made.push((table.seat, table.rules.target, table.random.clone().bits()));
        Says(Action::Pass)
    });
    tables.open(&frame().opened);
    drop(tables);
    assert_eq!(made, [(Seat::East, 10, crate::Random::new(5).bits())]);
}

#[test]
fn a_closed_table_has_no_bot_any_more() {
    let mut tables = saying(Action::Pass);
    tables.open(&frame().opened);
    tables.close(&frame());
    assert_eq!(
        tables.decide(&frame(), 0),
        Err("the table was never opened".to_owned())
    );
}

#[test]
fn a_game_from_later_is_an_error() {
    let welcome = Welcome {
        rules: None,
        ..welcome()
    };
    let error = Tables::new(&welcome, Box::new(|_| Box::new(Says(Action::Pass)))).err();
    let told = "the referee plays a game that this version of the SDK does not know";
    assert_eq!(error.as_deref(), Some(told));
}

#[test]
#[should_panic(expected = "Silent cannot decide: write bid(&mut self, view, legal) for this")]
fn a_bot_without_a_method_for_a_decision_says_which() {
    struct Silent;
    impl Bot for Silent {}
    let mut tables = seating(|_| Silent);
    tables.open(&frame().opened);
    let _ = tables.decide(&frame(), 0);
}

fn answers(turn_ids: &[u32]) -> Answers {
    Answers {
        turn_ids: turn_ids.to_vec(),
        choices: vec![0; turn_ids.len()],
    }
}

#[test]
fn answers_within_a_tenth_of_a_second_go_together() {
    let begin = Instant::now();
    let mut piece = Piece::new(begin);
    piece.add(1, 0);
    assert_eq!(piece.take_due(begin + Duration::from_millis(99)), None);
    piece.add(2, 0);
    assert_eq!(piece.rest(), Some(answers(&[1, 2])));
}

#[test]
fn after_a_tenth_of_a_second_what_there_is_goes() {
    let begin = Instant::now();
    let mut piece = Piece::new(begin);
    piece.add(1, 0);
    assert_eq!(
        piece.take_due(begin + Duration::from_millis(100)),
        Some(answers(&[1]))
    );
}

#[test]
fn the_next_piece_has_a_tenth_of_a_second_of_its_own() {
    let begin = Instant::now();
    let mut piece = Piece::new(begin);
    piece.take_due(begin + Duration::from_millis(150));
    piece.add(2, 0);
    assert_eq!(piece.take_due(begin + Duration::from_millis(249)), None);
}

#[test]
fn nothing_is_sent_when_nothing_is_left() {
    assert_eq!(Piece::new(Instant::now()).rest(), None);
}
