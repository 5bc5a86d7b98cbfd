//! A word from a bot to its author, and what is told when it fails.

use std::cell::RefCell;
use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};
use std::rc::Rc;
use std::sync::Arc;
use std::{env, panic, thread};

use crate::v1::{Frame, Turn};
use crate::{RecycleRules, RecycleView, Rules, View};

/// A turn that is being decided; it shares the frame, so that a failure can still tell all of it.
pub(crate) struct Decision {
    pub frame: Rc<Frame>,
    pub place: usize,
    pub rules: Rules,
    pub recycle: Option<Arc<RecycleRules>>,
}

/// How many moves an error lists.
const MOST_LISTED: usize = 100;

thread_local! {
    static DECIDING: RefCell<Option<Decision>> = const { RefCell::new(None) };
}

/// Notes what this thread is deciding, for whatever is told meanwhile.
pub(crate) fn now_deciding(decision: Option<Decision>) {
    DECIDING.set(decision);
}

/// Writes a line to stderr, with the table and the turn that it is about.
///
/// `upcard try` shows it, and it is kept with a fault.
pub fn log(message: impl Display) {
    let line = DECIDING.with_borrow(|deciding| match deciding {
        Some(decision) => format!("{}{message}\n", place(decision.turn())),
        None => format!("{message}\n"),
    });
    // In one piece, and if nobody listens, that is no reason to fail.
    let _ = io::stderr().write_all(line.as_bytes());
}

fn place(turn: &Turn) -> String {
    format!("[table {}, turn {}] ", turn.table_id, turn.turn_id)
}

/// Says that the bot failed, and in which situation.
pub(crate) fn tell_failure() {
    let situation = DECIDING.with_borrow(|deciding| match deciding {
        Some(decision) => decision.situation(),
        None => None,
    });
    let situation = situation.as_deref().unwrap_or("no decision was due");
    log(format_args!("the bot failed; {situation}"));
}

/// Logs the situation before what Rust itself prints of a panic on this thread.
pub(crate) fn tell_panics() {
    show_backtraces();
    let usual = panic::take_hook();
    let player = thread::current().id();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == player {
            tell_failure();
        }
        usual(panic);
    }));
}

/// The author cannot set the variable that asks for backtraces: the referee starts the process.
fn show_backtraces() {
    if env::var_os("RUST_BACKTRACE").is_none() {
        // SAFETY: a bot's process begins here, before anything else reads its environment.
        unsafe { env::set_var("RUST_BACKTRACE", "1") };
    }
}

impl Decision {
    fn turn(&self) -> &Turn {
        &self.frame.turns[self.place]
    }

    fn situation(&self) -> Option<String> {
        if let Some(rules) = &self.recycle {
            let view = RecycleView::of(self.turn(), rules).ok()?;
            return Some(format!("{view}, legal{}", listed(&view.legal())));
        }
        let mut legal = Vec::new();
        let view = View::of(self.turn(), &self.rules, &mut legal).ok()?;
        Some(format!("{view}, legal{}", spaced(view.legal())))
    }
}

/// Puts a space before each.
pub(crate) fn spaced<T: Display>(words: &[T]) -> String {
    words.iter().fold(String::new(), |mut line, word| {
        let _ = write!(line, " {word}");
        line
    })
}

/// Puts a space before moves in words, which have spaces inside; there may be thousands.
pub(crate) fn listed(moves: &[&str]) -> String {
    let told = moves[..moves.len().min(MOST_LISTED)].join("; ");
    match moves.len().saturating_sub(MOST_LISTED) {
        0 => format!(" {told}"),
        more => format!(" {told} and {more} more"),
    }
}
