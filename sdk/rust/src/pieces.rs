//! The answers to a frame, sent in one piece or, if that takes long, in several.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::sleep_until;

use crate::stream::Outbox;
use crate::v1::Answers;
use crate::v1::play_request::Message as Say;

/// What is answered is sent at the latest so long after what was sent before.
pub(crate) const PIECE: Duration = Duration::from_millis(100);

/// The answers that are not sent yet.
pub(crate) struct Piece {
    answers: Answers,
    due: Instant,
}

impl Piece {
    /// Begins a piece: what it holds is due a little later.
    pub fn new(now: Instant) -> Self {
        Self {
            answers: Answers::default(),
            due: now + PIECE,
        }
    }

    /// Adds an answer.
    pub fn add(&mut self, turn_id: u32, choice: u32) {
        self.answers.turn_ids.push(turn_id);
        self.answers.choices.push(choice);
    }

    /// Returns what is to be sent by now, and begins the next piece.
    pub fn take_due(&mut self, now: Instant) -> Option<Answers> {
        if now < self.due {
            return None;
        }
        let answers = self.rest()?;
        self.due = now + PIECE;
        Some(answers)
    }

    /// Returns what is left at the end of a frame.
    pub fn rest(&mut self) -> Option<Answers> {
        let any = !self.answers.turn_ids.is_empty();
        any.then(|| mem::take(&mut self.answers))
    }
}

/// Who decides sends what is due between decisions; while a decision takes its time, a task on the
/// thread of the network does.
pub(crate) struct Pieces {
    shared: Arc<Shared>,
    task: AbortHandle,
}

struct Shared {
    outbox: Outbox,
    /// None between frames.
    piece: Mutex<Option<Piece>>,
    begun: Notify,
}

impl Pieces {
    /// Takes where to send a piece.
    pub fn new(outbox: Outbox) -> Self {
        let shared = Arc::new(Shared {
            outbox,
            piece: Mutex::new(None),
            begun: Notify::new(),
        });
        let task = tokio::spawn(watch(Arc::clone(&shared))).abort_handle();
        Self { shared, task }
    }

    /// Begins a frame of so many turns.
    pub fn begin(&self, turns: usize) {
        *self.shared.piece() = Some(Piece::new(Instant::now()));
        if turns > 1 {
            self.shared.begun.notify_one();
        }
    }

    /// Adds an answer, and sends what is due.
    pub fn add(&self, turn_id: u32, choice: u32) {
        let mut open = self.shared.piece();
        if let Some(piece) = open.as_mut() {
            piece.add(turn_id, choice);
            self.shared.send(piece.take_due(Instant::now()));
        }
    }

    /// Sends the last piece.
    pub fn end(&self) {
        let mut open = self.shared.piece();
        let rest = open.take().and_then(|mut piece| piece.rest());
        self.shared.send(rest);
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    fn piece(&self) -> MutexGuard<'_, Option<Piece>> {
        self.piece.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends while the piece is locked, so that pieces leave in their order.
    fn send(&self, answers: Option<Answers>) {
        if let Some(answers) = answers {
            self.outbox.put(Say::Answers(answers));
        }
    }

    /// Sends what is due; returns when to look again, or None between frames.
    fn send_due(&self) -> Option<Instant> {
        let mut open = self.piece();
        let piece = open.as_mut()?;
        let now = Instant::now();
        self.send(piece.take_due(now));
        // If nothing was finished, what is finished next is sent by who decides.
        Some(if piece.due > now {
            piece.due
        } else {
            now + PIECE
        })
    }
}

/// Sends each piece that is due, as long as frames follow one another; then waits for the next.
async fn watch(shared: Arc<Shared>) {
    loop {
        match shared.send_due() {
            Some(next) => sleep_until(next.into()).await,
            None => shared.begun.notified().await,
        }
    }
}
