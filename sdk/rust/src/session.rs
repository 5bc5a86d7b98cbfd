//! A bot's conversation with the referee, from hello to goodbye.

use std::rc::Rc;
use std::time::Instant;

use tonic::{Status, Streaming};

use crate::answering::{Piece, SeatBot, Tables};
use crate::stream::{Outbox, leave, open, reason};
use crate::telling::{log, tell_failure};
use crate::v1::play_request::Message as Say;
use crate::v1::play_response::Message as Told;
use crate::v1::{FaultNotice, Frame, Hello, PlayResponse, Welcome};

/// Why a bot stops before the goodbye.
enum Ended {
    /// The referee does not receive it.
    Refused(Status),
    /// The stream broke.
    Gone(Status),
    /// The bot was asked what it cannot know.
    Lost(String),
    /// It returned what it may not.
    Failed(String),
}

/// Plays until the referee says goodbye; gives the exit code.
pub(crate) async fn converse(address: String, hello: Hello, seat_bot: SeatBot<'_>) -> u8 {
    match play(address, hello, seat_bot).await {
        Ok(()) => 0,
        Err(ended) => tell(&ended),
    }
}

async fn play(address: String, hello: Hello, seat_bot: SeatBot<'_>) -> Result<(), Ended> {
    let opened = open(address, Say::Hello(hello)).await;
    let (outbox, mut stream) = opened.map_err(Ended::Refused)?;
    if let Some(welcome) = welcome(&mut stream).await.map_err(Ended::Refused)? {
        let tables = Tables::new(&welcome, seat_bot).map_err(Ended::Lost)?;
        answer_all(tables, &outbox, &mut stream).await?;
    }
    leave(outbox, stream).await;
    Ok(())
}

/// Waits to be received; gives None if the referee takes leave at once.
async fn welcome(stream: &mut Streaming<PlayResponse>) -> Result<Option<Welcome>, Status> {
    while let Some(response) = stream.message().await? {
        match response.message {
            Some(Told::Welcome(welcome)) => return Ok(Some(welcome)),
            Some(Told::Fault(notice)) => log(explained(&notice)),
            Some(Told::Goodbye(_)) => break,
            _ => {}
        }
    }
    Ok(None)
}

/// Answers frames until the goodbye.
async fn answer_all(
    mut tables: Tables<'_>,
    outbox: &Outbox,
    stream: &mut Streaming<PlayResponse>,
) -> Result<(), Ended> {
    while let Some(response) = stream.message().await.map_err(Ended::Gone)? {
        match response.message {
            Some(Told::Frame(frame)) => answer(&mut tables, frame, outbox).await?,
            Some(Told::Fault(notice)) => log(explained(&notice)),
            Some(Told::Goodbye(_)) => break,
            _ => {}
        }
    }
    Ok(())
}

/// Answers every turn of a frame, in one piece or, if that takes long, in several.
async fn answer(tables: &mut Tables<'_>, frame: Frame, outbox: &Outbox) -> Result<(), Ended> {
    let mut piece = Piece::new(Instant::now());
    tables.open(&frame.opened);
    let frame = Rc::new(frame);
    for (place, turn) in frame.turns.iter().enumerate() {
        let choice = tables.decide(&frame, place).map_err(Ended::Failed)?;
        piece.add(turn.turn_id, choice);
        if let Some(answers) = piece.take_due(Instant::now()) {
            outbox.send(Say::Answers(answers)).await;
        }
    }
    if let Some(answers) = piece.rest() {
        outbox.send(Say::Answers(answers)).await;
    }
    tables.close(&frame);
    Ok(())
}

fn explained(notice: &FaultNotice) -> String {
    let fault = notice.fault().as_str_name();
    let fault = fault.strip_prefix("FAULT_").unwrap_or(fault);
    let place = match (notice.table_id, notice.turn_id) {
        (0, _) => String::new(),
        (table, 0) => format!(" at table {table}"),
        (table, turn) => format!(" at table {table}, turn {turn}"),
    };
    format!("fault {fault}{place}: {}", notice.explanation)
}

/// Tells why the bot stops; gives the exit code.
fn tell(ended: &Ended) -> u8 {
    match ended {
        Ended::Refused(status) => {
            log(format_args!(
                "the referee does not receive this bot: {}",
                reason(status)
            ));
            1
        }
        Ended::Gone(status) => {
            log(format_args!("the referee is gone: {}", reason(status)));
            0
        }
        Ended::Lost(message) => {
            log(message);
            1
        }
        Ended::Failed(message) => {
            tell_failure();
            log(message);
            1
        }
    }
}
