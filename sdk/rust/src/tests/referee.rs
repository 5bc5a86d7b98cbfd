//! A referee that says what a test tells it to, at a socket and on a thread of its own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{env, fs, process, thread};

use h2::server::{SendResponse, handshake};
use h2::{RecvStream, SendStream};
use prost::Message;
use tokio::net::UnixListener;
use tonic::Code;
use tonic::codegen::Bytes;
use tonic::codegen::http::{HeaderMap, Request, Response};

use crate::running::wait_for;
use crate::v1::play_request::Message as Say;
use crate::v1::play_response::Message as Told;
use crate::v1::{PlayRequest, PlayResponse};

/// Before a message: whether it is compressed, and how long it is.
const HEAD: usize = 5;

pub struct Referee {
    pub address: String,
    /// What the bot says; None when it closes its side.
    pub heard: Receiver<Option<Say>>,
}

struct Script {
    says: Vec<Told>,
    end: Option<Code>,
    heard: Sender<Option<Say>>,
}

impl Referee {
    /// Waits for a hello, says all of it, and ends the stream: at once if there is a status to end
    /// it with, else when the bot has closed its side.
    pub fn saying(says: Vec<Told>, end: Option<Code>) -> Self {
        static SOCKETS: AtomicU32 = AtomicU32::new(0);
        let number = SOCKETS.fetch_add(1, Ordering::Relaxed);
        let name = format!("upcard-rust-{}-{number}.sock", process::id());
        let path = env::temp_dir().join(name);
        let address = format!("unix:{}", path.display());
        let (sender, heard) = channel();
        let script = Script {
            says,
            end,
            heard: sender,
        };
        let (listening, ready) = channel();
        thread::spawn(move || {
            wait_for(async {
                let socket = UnixListener::bind(&path).expect("a socket");
                listening.send(()).expect("a test");
                let (connection, _) = socket.accept().await.expect("a bot");
                fs::remove_file(&path).expect("a socket");
                let mut connection = handshake(connection).await.expect("HTTP/2");
                let call = connection.accept().await.expect("a call").expect("a call");
                tokio::spawn(script.play(call));
                // This moves the call on, until the bot hangs up.
                while connection.accept().await.is_some() {}
            });
        });
        ready.recv().expect("a referee that listens");
        Self { address, heard }
    }
}

impl Script {
    async fn play(self, (call, mut respond): (Request<RecvStream>, SendResponse<Bytes>)) {
        let head = Response::builder().header("content-type", "application/grpc");
        let head = head.body(()).expect("a head");
        let mut stream = respond.send_response(head, false).expect("a call");
        let mut requests = Requests::of(call);
        while let Some(said) = requests.next().await {
            let hello = matches!(said, Say::Hello(_));
            let _ = self.heard.send(Some(said));
            if hello {
                self.speak(&mut stream);
            }
        }
        let _ = self.heard.send(None);
        if self.end.is_none() {
            close(&mut stream, Code::Ok);
        }
    }

    fn speak(&self, stream: &mut SendStream<Bytes>) {
        for told in &self.says {
            let message = PlayResponse {
                message: Some(told.clone()),
            };
            let length = message.encoded_len() as u32;
            let bytes = [&[0], &length.to_be_bytes()[..], &message.encode_to_vec()].concat();
            stream.send_data(bytes.into(), false).expect("a call");
        }
        if let Some(code) = self.end {
            close(stream, code);
        }
    }
}

fn close(stream: &mut SendStream<Bytes>, code: Code) {
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", (code as i32).into());
    trailers.insert("grpc-message", "enough".parse().expect("a value"));
    // A bot may be gone by now.
    let _ = stream.send_trailers(trailers);
}

/// What a bot says, message by message.
struct Requests {
    body: RecvStream,
    bytes: Vec<u8>,
}

impl Requests {
    fn of(call: Request<RecvStream>) -> Self {
        Self {
            body: call.into_body(),
            bytes: Vec::new(),
        }
    }

    async fn next(&mut self) -> Option<Say> {
        loop {
            if let Some(message) = self.take() {
                return message.message;
            }
            let chunk = self.body.data().await?.ok()?;
            let _ = self.body.flow_control().release_capacity(chunk.len());
            self.bytes.extend(chunk);
        }
    }

    fn take(&mut self) -> Option<PlayRequest> {
        let length = self.bytes.get(1..HEAD)?.try_into().ok()?;
        let end = HEAD + u32::from_be_bytes(length) as usize;
        let message = PlayRequest::decode(self.bytes.get(HEAD..end)?).expect("a message");
        self.bytes.drain(..end);
        Some(message)
    }
}
