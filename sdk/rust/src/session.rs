//! A bot's conversation with the referee, from hello to goodbye.

use std::rc::Rc;

use tonic::{Status, Streaming};

use crate::answering::{SeatBot, Tables};
use crate::ended::Ended;
use crate::pieces::Pieces;
use crate::stream::{leave, open, reason};
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
        answer_all(tables, Pieces::new(outbox.clone()), &mut stream).await?;
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
    pieces: Pieces,
    stream: &mut Streaming<PlayResponse>,
) -> Result<(), Ended> {
    let gone = |status: Status| Ended::Gone(reason(&status));
    while let Some(response) = stream.message().await.map_err(gone)? {
        match response.message {
            Some(Told::Frame(frame)) => answer(&mut tables, frame, &pieces)?,
            Some(Told::Fault(notice)) => log(explained(&notice)),
            Some(Told::Goodbye(_)) => break,
            _ => {}
        }
    }
    Ok(())
}

/// Answers every turn of a frame; if a decision fails, those before it are sent.
fn answer(tables: &mut Tables<'_>, frame: Frame, pieces: &Pieces) -> Result<(), Ended> {
    tables.open(&frame.opened);
    let frame = Rc::new(frame);
    pieces.begin(frame.turns.len());
    let decided = decide_all(tables, &frame, pieces);
    pieces.end();
    tables.close(&frame);
    decided
}

fn decide_all(tables: &mut Tables<'_>, frame: &Rc<Frame>, pieces: &Pieces) -> Result<(), Ended> {
    for (place, turn) in frame.turns.iter().enumerate() {
        pieces.add(turn.turn_id, tables.decide(frame, place)?);
    }
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
