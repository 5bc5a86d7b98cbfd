//! The one stream of a bot's process: what is sent on it, and how it is opened and left.

use std::iter::successors;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tonic::codegen::tokio_stream::Stream;
use tonic::transport::{Channel, Endpoint, Error};
use tonic::{Code, Status, Streaming};

use crate::v1::play_request::Message;
use crate::v1::referee_service_client::RefereeServiceClient;
use crate::v1::{PlayRequest, PlayResponse};

const LARGEST_MESSAGE: usize = 16 * 1024 * 1024;
const GOODBYE: Duration = Duration::from_millis(500);

/// What is to be sent.
#[derive(Clone)]
pub(crate) struct Outbox(UnboundedSender<PlayRequest>);

struct Requests(UnboundedReceiver<PlayRequest>);

impl Stream for Requests {
    type Item = PlayRequest;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<PlayRequest>> {
        self.0.poll_recv(context)
    }
}

impl Outbox {
    /// Has the thread of the network send a message.
    pub fn put(&self, message: Message) {
        // It fails only if the stream has ended, which its listener finds out.
        let _ = self.0.send(PlayRequest {
            message: Some(message),
        });
    }
}

/// Opens the stream with the message that has to be the first one.
pub(crate) async fn open(
    address: String,
    first: Message,
) -> Result<(Outbox, Streaming<PlayResponse>), Status> {
    let (sender, receiver) = unbounded_channel();
    let outbox = Outbox(sender);
    outbox.put(first);
    let channel = dial(address.clone())
        .await
        .map_err(|error| unreached(&address, &error))?;
    let mut client = RefereeServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
    let stream = client.play(Requests(receiver)).await?.into_inner();
    Ok((outbox, stream))
}

async fn dial(address: String) -> Result<Channel, Error> {
    Endpoint::from_shared(address)?.connect().await
}

fn unreached(address: &str, error: &dyn std::error::Error) -> Status {
    let causes = successors(Some(error), |error| error.source());
    let first = causes.last().map(ToString::to_string).unwrap_or_default();
    Status::unavailable(format!("cannot reach {address}: {first}"))
}

/// Closes the bot's side, and waits a little for the referee's.
pub(crate) async fn leave(outbox: Outbox, mut stream: Streaming<PlayResponse>) {
    drop(outbox);
    let rest = async { while let Ok(Some(_)) = stream.message().await {} };
    let _ = timeout(GOODBYE, rest).await;
}

/// Returns a status in words, as all gRPC libraries name it.
pub(crate) fn reason(status: &Status) -> String {
    format!("{}: {}", name(status.code()), status.message())
}

fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
