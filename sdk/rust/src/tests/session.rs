//! A bot's stream, from hello to goodbye.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use tonic::Code;

use super::answering::{TABLE, frame, turn, welcome};
use super::referee::Referee;
use crate::ended::Ended;
use crate::running::wait_for;
use crate::session::{explained, play};
use crate::v1::play_request::Message as Say;
use crate::v1::play_response::Message as Told;
use crate::v1::{Fault, FaultNotice, Frame, Goodbye, Hello};
use crate::{Action, Bot, View};

/// Long enough for a machine that is busy; a test that waits longer waits in vain.
const IN_VAIN: Duration = Duration::from_secs(600);

struct First;

impl Bot for First {
    fn choose(&mut self, _view: &View, legal: &[Action]) -> Action {
        legal[0]
    }
}

fn hello() -> Hello {
    Hello {
        token: "secret".to_owned(),
        protocol_revision: 1,
        sdk: "a test".to_owned(),
        tables: 7,
    }
}

fn welcomed() -> Told {
    Told::Welcome(welcome())
}

fn goodbye() -> Told {
    Told::Goodbye(Goodbye {})
}

/// The same turn so many times at the table that it opens.
fn asked(turns: usize) -> Told {
    Told::Frame(Frame {
        turns: vec![turn(); turns],
        closed: Vec::new(),
        ..(*frame()).clone()
    })
}

fn talk<B: Bot>(referee: &Referee, bot: impl Fn() -> B) -> Result<(), Ended> {
    let seat_bot = Box::new(|_| Box::new(bot()) as Box<dyn Bot>);
    wait_for(play(referee.address.clone(), hello(), seat_bot))
}

/// How a bot ends whom the referee says all this, and whom it leaves with this status.
fn ended(says: Vec<Told>, end: Option<Code>) -> Result<(), Ended> {
    talk(&Referee::saying(says, end), || First)
}

fn pieces(heard: &Receiver<Option<Say>>) -> Vec<usize> {
    let said = heard.iter().flatten();
    let sizes = said.filter_map(|said| match said {
        Say::Answers(answers) => Some(answers.turn_ids.len()),
        Say::Hello(_) => None,
    });
    sizes.collect()
}

#[test]
fn a_bot_presents_itself_first() {
    let referee = Referee::saying(vec![goodbye()], None);
    talk(&referee, || First).expect("an end in order");
    assert_eq!(referee.heard.recv(), Ok(Some(Say::Hello(hello()))));
}

#[test]
fn a_frame_is_answered_by_one_message() {
    let referee = Referee::saying(vec![welcomed(), asked(200), goodbye()], None);
    talk(&referee, || First).expect("an end in order");
    assert_eq!(pieces(&referee.heard), [200]);
}

/// Waits at its second decision until the referee has heard an answer.
struct Waits<'a> {
    decisions: u32,
    heard: &'a Receiver<Option<Say>>,
}

impl Waits<'_> {
    fn until_a_piece_is_heard(&self) {
        let heard = || self.heard.recv_timeout(IN_VAIN).expect("a piece has left");
        while !matches!(heard(), Some(Say::Answers(_))) {}
    }
}

impl Bot for Waits<'_> {
    fn choose(&mut self, _view: &View, legal: &[Action]) -> Action {
        self.decisions += 1;
        if self.decisions == 2 {
            self.until_a_piece_is_heard();
        }
        legal[0]
    }
}

#[test]
fn a_piece_leaves_while_the_bot_goes_on_computing() {
    let referee = Referee::saying(vec![welcomed(), asked(2), goodbye()], None);
    let waits = || Waits {
        decisions: 0,
        heard: &referee.heard,
    };
    assert_eq!(talk(&referee, waits), Ok(()));
}

#[test]
fn goodbye_ends_a_bot_in_order() {
    assert_eq!(ended(vec![welcomed(), goodbye()], None), Ok(()));
}

#[test]
fn a_bot_closes_its_side_after_the_goodbye() {
    let referee = Referee::saying(vec![welcomed(), goodbye()], None);
    talk(&referee, || First).expect("an end in order");
    assert_eq!(referee.heard.iter().last(), Some(None));
}

#[test]
fn a_goodbye_instead_of_a_welcome_ends_a_bot_in_order() {
    assert_eq!(ended(vec![goodbye()], None), Ok(()));
}

#[test]
fn after_the_goodbye_it_does_not_matter_how_the_stream_ends() {
    let says = vec![welcomed(), goodbye()];
    assert_eq!(ended(says, Some(Code::Aborted)), Ok(()));
}

#[test]
fn the_end_of_the_stream_ends_a_bot_in_order() {
    assert_eq!(ended(vec![welcomed()], Some(Code::Ok)), Ok(()));
}

#[test]
fn a_fault_does_not_end_a_bot() {
    let notice = Told::Fault(FaultNotice::default());
    let says = vec![notice.clone(), welcomed(), notice, goodbye()];
    assert_eq!(ended(says, None), Ok(()));
}

#[test]
fn a_broken_stream_is_told() {
    let ended = ended(vec![welcomed()], Some(Code::Aborted)).expect_err("a broken stream");
    assert_eq!(ended.to_string(), "the referee is gone: ABORTED: enough");
}

#[test]
fn a_refused_bot_is_told_why() {
    let ended = ended(Vec::new(), Some(Code::Unauthenticated)).expect_err("a refusal");
    let told = "the referee does not receive this bot: UNAUTHENTICATED: enough";
    assert_eq!(ended.to_string(), told);
}

#[test]
fn a_bot_that_is_asked_what_it_cannot_know_is_lost() {
    let asked = Told::Frame(Frame {
        turns: vec![turn()],
        ..Frame::default()
    });
    let told = "the table was never opened".to_owned();
    assert_eq!(ended(vec![welcomed(), asked], None), Err(Ended::Lost(told)));
}

#[test]
fn to_be_left_alone_is_no_failure() {
    let exit_code = |ended: fn(String) -> Ended| ended(String::new()).exit_code();
    assert_eq!(exit_code(Ended::Gone), 0);
    assert_eq!(exit_code(Ended::Refused), 1);
    assert_eq!(exit_code(Ended::Lost), 1);
    assert_eq!(exit_code(Ended::Failed), 1);
}

fn fault(fault: i32) -> FaultNotice {
    FaultNotice {
        fault,
        table_id: TABLE,
        turn_id: 12,
        explanation: "a reason".to_owned(),
    }
}

#[test]
fn a_fault_is_told_by_its_name() {
    let told = "fault ILLEGAL_ACTION at table 1, turn 12: a reason";
    assert_eq!(explained(&fault(Fault::IllegalAction.into())), told);
}

#[test]
fn a_fault_from_later_is_told_by_its_number() {
    let told = "fault 999 at table 1, turn 12: a reason";
    assert_eq!(explained(&fault(999)), told);
}

#[test]
fn a_fault_of_no_table_is_told_without_one() {
    let notice = FaultNotice {
        table_id: 0,
        turn_id: 0,
        ..fault(Fault::NeverReady.into())
    };
    assert_eq!(explained(&notice), "fault NEVER_READY: a reason");
}
