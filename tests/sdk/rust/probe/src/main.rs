//! A bot that does what its first argument says, for the tests of the SDK.

use std::env;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use upcard::{Action, Bot, Phase, View};

struct Probe {
    does: String,
    decisions: u32,
}

impl Bot for Probe {
    fn choose(&mut self, view: &View, legal: &[Action]) -> Action {
        self.decisions += 1;
        match self.does.as_str() {
            "raise" if self.decisions == 3 => panic!("the probe fails on purpose"),
            "illegal" => return not_legal(view.phase()),
            "slow" => sleep(Duration::from_millis(30)),
            "log" => upcard::log("a word from the probe"),
            _ => {}
        }
        legal[0]
    }
}

/// A call is never legal when a card is due, nor is a card legal when a call is.
fn not_legal(phase: Phase) -> Action {
    match phase {
        Phase::Bidding => "play:JD".parse().expect("a token"),
        Phase::Discarding | Phase::Playing => Action::Pass,
    }
}

fn main() -> ExitCode {
    let does = env::args().nth(1).unwrap_or_default();
    upcard::run(|_| Probe {
        does: does.clone(),
        decisions: 0,
    })
}
