"""What is recorded of what was said."""

from referee.rpc.transcript import FROM_BOT, TAIL, Message, Transcript, TranscriptEvidence

MIB = 1 << 20


def test_every_message_is_kept() -> None:
    transcript = Transcript()
    said = [Message(0.1 * n, FROM_BOT, bytes(n)) for n in range(9)]
    for message in said:
        transcript.note(message)
    assert transcript.messages == tuple(said)


def test_of_a_bot_that_says_too_much_the_greeting_and_the_latest_are_recorded() -> None:
    transcript = Transcript()
    for n in range(40):
        transcript.note(Message(n, FROM_BOT, bytes(MIB)))
    assert [message.seconds for message in transcript.messages] == [0, 1, 38, 39]


def test_a_tail_has_the_greeting_and_the_end_of_messages_and_output() -> None:
    messages = tuple(Message(n, FROM_BOT, bytes(TAIL // 4)) for n in range(40))
    tail = TranscriptEvidence(messages, b"a" * TAIL + b"b" * TAIL, "it ended").tail()
    assert [message.seconds for message in tail.messages] == [0, 1, 36, 37, 38, 39]
    assert (tail.output, tail.ending) == (b"b" * TAIL, "it ended")


def test_the_tail_of_a_short_transcript_is_all_of_it() -> None:
    messages = tuple(Message(n, FROM_BOT, b"word") for n in range(9))
    evidence = TranscriptEvidence(messages, b"output", "")
    assert evidence.tail() == evidence
