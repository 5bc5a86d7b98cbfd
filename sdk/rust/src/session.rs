//! A bot's conversation with the referee, from hello to goodbye.

use std::rc::Rc;
use std::time::Instant;

use tonic::{Status, Streaming};

use crate::answering::{Piece, SeatBot, Tables};
use crate::ended::Ended;
use crate::stream::{Outbox, leave, open, reason};
use crate::telling::{log, tell_failure};
use crate::v1::play_request::Message as Say;
use crate::v1::play_response::Message as Told;
use crate::v1::{Fault, FaultNotice, Frame, Hello, PlayResponse, Welcome};

/// Plays until the referee says goodbye; gives the exit code.
pub(crate) async fn converse(address: String, hello: Hello, seat_bot: SeatBot<'_>) -> u8 {
    match play(address, hello, seat_bot).await {
        Ok(()) => 0,
        Err(ended) => {
            if matches!(ended, Ended::Failed(_)) {
                tell_failure();
            }
            log(&ended);
            ended.exit_code()
        }
    }
}

/// Plays until the referee says goodbye.
pub(crate) async fn play(
    address: String,
    hello: Hello,
    seat_bot: SeatBot<'_>,
) -> Result<(), Ended> {
    let refused = |status: Status| Ended::Refused(reason(&status));
    let (outbox, mut stream) = open(address, Say::Hello(hello)).await.map_err(refused)?;
    if let Some(welcome) = welcome(&mut stream).await.map_err(refused)? {
        let tables = Tables::new(&welcome, seat_bot)?;
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
    let gone = |status: Status| Ended::Gone(reason(&status));
    while let Some(response) = stream.message().await.map_err(gone)? {
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
        let choice = tables.decide(&frame, place)?;
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

pub(crate) fn explained(notice: &FaultNotice) -> String {
    // There may be faults that were not known when this was written.
    let fault = Fault::try_from(notice.fault).map_or_else(
        |_| notice.fault.to_string(),
        |known| known.as_str_name().replacen("FAULT_", "", 1),
    );
    let place = match (notice.table_id, notice.turn_id) {
        (0, _) => String::new(),
        (table, 0) => format!(" at table {table}"),
        (table, turn) => format!(" at table {table}, turn {turn}"),
    };
    format!("fault {fault}{place}: {}", notice.explanation)
}
