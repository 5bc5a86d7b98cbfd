"""What is passed on of what a bot writes."""

import os

from referee.sandbox.output import Output


def test_output_is_passed_on_as_it_comes_and_its_end_at_the_end() -> None:
    output, copied = Output(4), list[bytes]()
    reading, writing = os.pipe()
    os.write(writing, b"ab")
    output.read(reading)
    output.copy_to(copied.append)
    os.write(writing, b"cdefg")
    output.read(reading)
    assert copied == [b"ab", b"cd"]
    output.close()
    assert copied[2:] == [b"efg", b""]
    os.close(reading)
    os.close(writing)
