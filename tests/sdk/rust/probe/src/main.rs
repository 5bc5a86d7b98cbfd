//! A bot that does what its first argument says, for the tests of the SDK.

use std::env;
use std::hint::spin_loop;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use upcard::{Action, Bot, Phase, RecycleView, View};

const SLOW: Duration = Duration::from_millis(30);
const TOO_LONG: Duration = Duration::from_secs(60);

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
            "slow" => compute(SLOW, view.turn() > 5),
            "block" => compute(Duration::ZERO, view.turn() > 1),
            "log" => upcard::log("a word from the probe"),
            _ => {}
        }
        legal[0]
    }

    fn act<'a>(&mut self, _view: &RecycleView<'a>, legal: &[&'a str]) -> &'a str {
        legal[0]
    }
}

/// Computes for a while, or until the first answers have been heard.
fn compute(least: Duration, waits: bool) {
    let heard = env::var("HEARD").unwrap_or_default();
    let begin = Instant::now();
    while begin.elapsed() < least || waits && !Path::new(&heard).exists() {
        assert!(begin.elapsed() < TOO_LONG, "nothing was heard meanwhile");
        spin_loop();
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
