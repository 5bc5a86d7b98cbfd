//! Frames in, choices out.

use std::rc::Rc;

use super::testdata::{lines, message};
use crate::answering::Tables;
use crate::ended::Ended;
use crate::v1::turn;
use crate::v1::{EuchreView, Frame, TableClosed, TableOpened, Turn, Welcome, WhistView};
use crate::{Action, Bot, Seat, Table, View};

pub const TABLE: u32 = 1;

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
pub fn welcome() -> Welcome {
    message(&lines("views")[0]["welcome"])
}

/// A call at the table: pass, order up, order up alone.
pub fn turn() -> Turn {
    message(&lines("views")[0]["turn"])
}

pub fn frame() -> Rc<Frame> {
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
    let failed = Ended::Failed(told.to_owned());
    assert_eq!(tables.decide(&frame(), 0), Err(failed));
}

/// From what the bots are made that one frame asks so many times, and what they answer.
fn made(opened: &[TableOpened], turns: usize) -> Vec<(Seat, u32, u64)> {
    let mut made = Vec::new();
    let mut tables = seating(|mut table| {
        made.push((table.seat, table.rules.target, table.random.bits()));
        Says(Action::Pass)
    });
    tables.open(opened);
    for _ in 0..turns {
        tables.decide(&frame(), 0).expect("an answer");
    }
    drop(tables);
    made
}

#[test]
fn a_bot_is_made_for_each_table_from_what_it_needs_to_know() {
    let bits = crate::Random::new(5).bits();
    assert_eq!(made(&frame().opened, 1), [(Seat::East, 10, bits)]);
}

#[test]
fn a_table_that_is_opened_and_never_asked_makes_no_bot() {
    assert_eq!(made(&frame().opened, 0), []);
}

#[test]
fn a_table_has_the_same_bot_for_all_its_turns() {
    assert_eq!(made(&frame().opened, 3).len(), 1);
}

#[test]
fn a_closed_table_is_forgotten() {
    let mut tables = saying(Action::Pass);
    tables.open(&frame().opened);
    tables.close(&frame());
    let lost = Ended::Lost("the table was never opened".to_owned());
    assert_eq!(tables.decide(&frame(), 0), Err(lost));
}

/// What a bot is told that is asked this, and that must not be made for it.
fn unanswered(turn: Turn) -> String {
    let mut tables = seating(|_| -> Says { panic!("nobody can be asked") });
    tables.open(&frame().opened);
    let frame = Frame {
        turns: vec![turn],
        ..(*frame()).clone()
    };
    let ended = tables.decide(&Rc::new(frame), 0).expect_err("no answer");
    assert_eq!(ended.exit_code(), 1);
    ended.to_string()
}

/// The same, of a euchre turn with a change.
fn changed(change: impl FnOnce(&mut EuchreView)) -> String {
    let mut turn = turn();
    match turn.view.as_mut() {
        Some(turn::View::Euchre(view)) => change(view),
        _ => panic!("the turn is one of euchre"),
    }
    unanswered(turn)
}

const UNKNOWN_GAME: &str = "the referee plays a game that this version of the SDK does not know";
const UNKNOWN_ACTION: &str =
    "the referee offers an action that this version of the SDK does not know";

#[test]
fn a_game_from_later_is_an_error() {
    let welcome = Welcome {
        rules: None,
        ..welcome()
    };
    let error = Tables::new(&welcome, Box::new(|_| Box::new(Says(Action::Pass)))).err();
    assert_eq!(error, Some(Ended::Lost(UNKNOWN_GAME.to_owned())));
}

#[test]
fn a_turn_without_a_view_is_an_error() {
    let turn = Turn {
        view: None,
        ..turn()
    };
    assert_eq!(unanswered(turn), UNKNOWN_GAME);
}

#[test]
fn a_turn_of_the_other_game_is_an_error() {
    let turn = Turn {
        view: Some(turn::View::Whist(WhistView::default())),
        ..turn()
    };
    assert_eq!(unanswered(turn), UNKNOWN_GAME);
}

#[test]
fn a_phase_from_later_is_an_error() {
    let told = "the referee asks in a phase that this version of the SDK does not know";
    assert_eq!(changed(|view| view.phase = 4), told);
}

#[test]
fn a_turn_without_a_phase_is_an_error() {
    let told = "the referee asks in a phase that this version of the SDK does not know";
    assert_eq!(changed(|view| view.phase = 0), told);
}

#[test]
fn a_call_from_later_is_never_left_out_of_the_legal_ones() {
    assert_eq!(
        changed(|view| view.legal_calls.insert(0, 12)),
        UNKNOWN_ACTION
    );
}

#[test]
fn a_call_that_is_none_is_never_left_out_of_the_legal_ones() {
    assert_eq!(
        changed(|view| view.legal_calls.insert(0, 0)),
        UNKNOWN_ACTION
    );
}

#[test]
fn a_card_from_later_is_never_left_out_of_the_legal_ones() {
    assert_eq!(changed(|view| view.legal_cards.push(53)), UNKNOWN_ACTION);
}

#[test]
fn a_call_from_later_is_never_left_out_of_what_was_said() {
    let told = "the referee tells of a call that this version of the SDK does not know";
    assert_eq!(changed(|view| view.calls.push(12)), told);
}

#[test]
fn a_card_from_later_is_never_left_out_of_a_hand() {
    let told = "the referee shows a card that this version of the SDK does not know";
    assert_eq!(changed(|view| view.hand.push(53)), told);
}

#[test]
fn a_card_from_later_is_never_left_out_of_what_was_played() {
    let told = "the referee shows a card that this version of the SDK does not know";
    assert_eq!(changed(|view| view.played.push(53)), told);
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
