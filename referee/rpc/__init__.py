"""The referee as a gRPC service: a socket for each bot, one stream on it, and a session's life.

Theory of operation. Every bot has a Unix socket of its own to dial, so the socket is the identity
and the token only a second factor; a bot can lock out nobody but itself. What it sends there goes
through a `Relay`, which counts the frames and passes no flood on to gRPC. A `Link` is one process
of a bot: it starts the bot through the port `Launcher`, reads and judges its messages, and notifies
a `Listener`. Each message is bounded by gRPC and decoded by `codec`, the only module that knows the
wire format; what cannot be decoded is a fault, never an exception.

A bot may go in three ways: its stream ends, its process ends, or the listener abandons it. The
first two are awaited together for a moment, because the way a process ended says who is to blame
and a last message may still be on its way; then the listener is notified. Whatever a bot says after
it was abandoned does not count.

`Connection` is the arena's `Player`: it has a link to each bot that is started for a place of a
session, and a new one after each restart. Bots that are examined outside of a session have links as
well (`referee.examination.examined_bot`), so both are judged alike.

===============  ===================================================================================
`sessions`       plays a session on one event loop: opens the sockets, ticks, says goodbye
`connection`     the arena's player: one place of a session
`link`           one process of a bot: start, stream, transcript, end
`server`         a socket that a bot dials, and the bounds on what it may do there
`relay`          passes on what is sent on that socket, and cuts a bot that floods it
`traffic`        counts what a bot sends below its messages
`launcher`       the port through which bots are started
`judging`        judges hellos, messages and endings
`refusal`        refuses a stream with a status that a program can read
`transcript`     what was said on a stream
`codec`          messages to bots as bytes, and bytes from bots as messages
`recycle_codec`  views and rules of games described in RECYCLE as bytes
`seat_views`     what seats see as the SDK shows it to bots, for bots in this process
`fields`         how fields of a message are written
`decoding`       recorded messages of both sides as a card player reads them
`enums`          the words of the card table by their numbers on the wire
===============  ===================================================================================
"""
