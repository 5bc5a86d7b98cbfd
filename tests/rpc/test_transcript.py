"""What is recorded of what was said."""

from referee.rpc.transcript import FROM_BOT, TAIL, Message, Transcript, bounded_evidence

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
        transcript.note(Message(n, FROM_BOT, bytes(MIB // 2)))
    assert [message.seconds for message in transcript.messages] == [0, 1, 38, 39]


def test_of_a_bot_that_sends_many_short_messages_the_latest_are_recorded() -> None:
    transcript = Transcript()
    for n in range(100_000):
        transcript.note(Message(n, FROM_BOT, b"!"))
    assert len(transcript.messages) < 20_000
    assert [transcript.messages[n].seconds for n in (0, 1, -1)] == [0, 1, 99_999]


def test_evidence_has_the_end_of_the_output_and_its_size() -> None:
    evidence = bounded_evidence((), b"a" * MIB + b"b" * TAIL, "it ended")
    assert evidence.output.endswith(b"a" + b"b" * TAIL)
    assert len(evidence.output) < 2 * TAIL
    assert evidence.output_size == MIB + TAIL


def test_a_tail_has_the_greeting_and_the_end_of_messages() -> None:
    messages = tuple(Message(n, FROM_BOT, bytes(TAIL // 4)) for n in range(40))
    evidence = bounded_evidence(messages, b"output", "it ended")
    assert [message.seconds for message in evidence.tail().messages] == [0, 1, 36, 37, 38, 39]
    assert evidence.tail()._replace(messages=messages) == evidence


def test_the_tail_of_a_short_transcript_is_all_of_it() -> None:
    messages = tuple(Message(n, FROM_BOT, b"word") for n in range(9))
    evidence = bounded_evidence(messages, b"output", "")
    assert evidence.tail() == evidence
