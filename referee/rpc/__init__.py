"""The referee as a gRPC service: a socket for each place, one stream on it, and a session's life.

Theory of operation. Every place listens on a Unix socket of its own, so the socket is the identity
and the token only a second factor; a bot can lock out nobody but itself. `Line` is one such place:
it starts the bot through the port `Launcher`, reads its messages, and is the arena's `Player`. Each
message is bounded by gRPC and decoded by `codec`, the only module that knows the wire format; what
cannot be decoded is a fault, never an exception.

A bot may go in three ways: its stream ends, its process ends, or the session gives it up. The first
two are awaited together for a moment, because the way a process ended tells who is to blame and a
last message may still be on its way; then the session is told, and answers by a restart. Each start
is a new `_Life`, and whatever an old one still says is not heard.

`hall` runs it all on one event loop: it opens the lines, beats the time for the session, and says
goodbye.
"""
