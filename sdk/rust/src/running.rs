//! How a bot's process starts and ends.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use tokio::runtime;

use crate::answering::SeatBot;
use crate::session::converse;
use crate::telling::tell_panics;
use crate::v1::Hello;
use crate::{Bot, Table};

const MOST_TABLES: u32 = 256;
const USAGE: &str = "UPCARD_ADDRESS is not set: a bot is started by the referee. \
    Try yours with `upcard try DIR`, where DIR is the directory with its bot.toml.";

/// Plays for the referee that started this process; return what it gives from `main`.
///
/// `seat_bot` makes the bot of each table, at the first turn there.
pub fn run<B: Bot>(seat_bot: impl FnMut(Table) -> B) -> ExitCode {
    run_at(MOST_TABLES, seat_bot)
}

/// Plays at so many tables at the same time, 1 to 256. Many are faster; with 1, every decision has
/// the time limit for itself.
///
/// # Panics
///
/// If `tables` is out of these bounds.
pub fn run_at<B: Bot>(tables: u32, mut seat_bot: impl FnMut(Table) -> B) -> ExitCode {
    start(tables, Box::new(move |table| Box::new(seat_bot(table))))
}

fn start(tables: u32, seat_bot: SeatBot<'_>) -> ExitCode {
    assert!(
        (1..=MOST_TABLES).contains(&tables),
        "a bot sits at 1 to {MOST_TABLES} tables, not {tables}"
    );
    let Some(address) = env::var("UPCARD_ADDRESS")
        .ok()
        .filter(|address| !address.is_empty())
    else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    tell_panics();
    let hello = Hello {
        token: env::var("UPCARD_TOKEN").unwrap_or_default(),
        protocol_revision: 1,
        sdk: concat!("upcard-rust ", env!("CARGO_PKG_VERSION")).to_owned(),
        tables,
    };
    // A panic ends the bot; what there is to tell of it is told where it happens.
    let played = catch_unwind(AssertUnwindSafe(|| {
        wait_for(converse(address, hello, seat_bot))
    }));
    ExitCode::from(played.unwrap_or(1))
}

/// This thread thinks; another one speaks with the referee meanwhile.
pub(crate) fn wait_for<T>(conversation: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime
        .expect("a process may wait for its stream")
        .block_on(conversation)
}
