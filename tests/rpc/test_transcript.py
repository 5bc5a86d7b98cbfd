"""What is kept of what was said."""

from referee.rpc.transcript import FROM_BOT, Message, Transcript

MIB = 1 << 20


def test_every_message_is_kept() -> None:
    transcript = Transcript()
    said = [Message(0.1 * n, FROM_BOT, bytes(n)) for n in range(9)]
    for message in said:
        transcript.note(message)
    assert transcript.messages == tuple(said)


def test_of_a_bot_that_says_too_much_the_latest_is_kept() -> None:
    transcript = Transcript()
    for n in range(40):
        transcript.note(Message(n, FROM_BOT, bytes(MIB)))
    kept = transcript.messages
    assert (len(kept), kept[-1].seconds) == (4, 39)
