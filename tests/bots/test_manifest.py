"""A manifest is taken as it is told, or refused with one line that says what to do."""

import os
from pathlib import Path

import pytest

from referee.bots.manifest import Manifest, read_manifest
from referee.errors import ConfigError
from referee.sandbox.mounts import Runtime

_NATIVE = Runtime("native", (), (), {}, (), "")
RUNTIMES = {
    "native": _NATIVE,
    "python": _NATIVE._replace(name="python", program=("/opt/python/bin/python3",)),
}
LEAST = {
    "name": '"owl"',
    "version": '"1.0"',
    "author": '"A. Author"',
    "language": '"Python"',
    "run": '["python", "bot.py"]',
    "games": '["euchre"]',
}

WHICH_GAMES = "a list of one or more of euchre, whist, recycle, none twice"


def manifest_text(**changed: str | None) -> bytes:
    """Return a manifest with other values of some keys; None leaves a key out."""
    keys = {**LEAST, **changed}
    return "".join(f"{key} = {value}\n" for key, value in keys.items() if value).encode()


def read(directory: Path, content: bytes) -> Manifest:
    (directory / "bot.toml").write_bytes(content)
    return read_manifest(directory)


def refusal(directory: Path, content: bytes) -> str:
    with pytest.raises(ConfigError) as refused:
        read(directory, content)
    return str(refused.value).removeprefix(f"{directory}/")


def test_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    assert read(tmp_path, manifest_text()) == Manifest(
        name="owl",
        version="1.0",
        author="A. Author",
        language="Python",
        runtime="python",
        run=("python", "bot.py"),
        build=(),
        result=(),
        games=("euchre",),
        tables=1,
        demo=False,
        memory_mib=None,
    )


def test_everything_can_be_said(tmp_path: Path) -> None:
    manifest = read(
        tmp_path,
        manifest_text(
            runtime='"native"',
            build='["make"]',
            result='["out/owl", "lib"]',
            games='["whist", "euchre"]',
            tables="256",
            demo="true",
            memory_mib="4096",
        ),
    )
    assert manifest[4:] == (
        "native",
        ("python", "bot.py"),
        ("make",),
        ("out/owl", "lib"),
        ("whist", "euchre"),
        256,
        True,
        4096,
    )


def test_the_demonstration_may_have_a_command_of_its_own(tmp_path: Path) -> None:
    assert read(tmp_path, manifest_text(demo='["owl", "--quick"]')).demo == ("owl", "--quick")


@pytest.mark.parametrize("places", ['"out", "out/owl"', '"owl", "./owl"'])
def test_no_result_lies_within_another(tmp_path: Path, places: str) -> None:
    said = refusal(tmp_path, manifest_text(result=f"[{places}]"))
    assert said.startswith("bot.toml: result must be a list of 1 to 32 paths below")


@pytest.mark.parametrize(
    "place", ["/etc/passwd", "../other", "out/../../other", ".", "", "bot.toml", ".upcard/x"]
)
def test_a_result_lies_below_the_bot(tmp_path: Path, place: str) -> None:
    said = refusal(tmp_path, manifest_text(result=f'["{place}"]'))
    assert said.startswith("bot.toml: result must be a list of 1 to 32 paths below")


@pytest.mark.parametrize(
    ("language", "runtime"),
    [("Python", "python"), ("TypeScript", "node"), ("java", "java"), ("Rust", "native")],
)
def test_a_language_has_its_runtime(tmp_path: Path, language: str, runtime: str) -> None:
    assert read(tmp_path, manifest_text(language=f'"{language}"')).runtime == runtime


def test_a_runtime_that_is_there_is_taken(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(manifest_text())
    assert read_manifest(tmp_path, RUNTIMES).runtime == "python"


def test_a_runtime_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(manifest_text(runtime='"nod"'))
    with pytest.raises(ConfigError, match=r"bot.toml: runtime must be native or python, not 'nod'"):
        read_manifest(tmp_path, RUNTIMES)


def test_how_to_get_a_runtime_is_told(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(manifest_text(runtime='"node"'))
    with pytest.raises(ConfigError, match=r"node is not on this machine; install Node.js"):
        read_manifest(tmp_path, RUNTIMES)


def test_a_program_that_cannot_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(manifest_text(run='["python3", "bot.py"]'))
    with pytest.raises(ConfigError, match=r"bot.toml: run: there is no 'python3' in the bot's"):
        read_manifest(tmp_path, RUNTIMES)


def test_a_program_that_is_still_to_be_built_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(manifest_text(run='["owl"]', build='["make"]'))
    assert read_manifest(tmp_path, RUNTIMES).run == ("owl",)


@pytest.mark.parametrize("key", LEAST)
def test_what_must_be_said_is_missed(tmp_path: Path, key: str) -> None:
    said = refusal(tmp_path, manifest_text(**{key: None}))
    assert said.startswith(f"bot.toml: {key} is missing; it must be ")


COMMAND = "a list of 1 to 32 texts, the program and its arguments"
NAME = "1 to 40 letters, digits, - _ or ., the first a letter or a digit"


@pytest.mark.parametrize(
    ("key", "value", "must_be"),
    [
        ("name", '""', NAME),
        ("name", f'"{"a" * 41}"', NAME),
        ("name", '"-rf"', NAME),
        ("name", '".."', NAME),
        ("name", '"a b"', NAME),
        ("name", '"été"', NAME),
        ("name", '"owl\\n"', NAME),
        ("version", '""', "a text of 1 to 40 printable characters"),
        ("version", f'"{"1" * 41}"', "a text of 1 to 40 printable characters"),
        ("version", "1.0", "a text of 1 to 40 printable characters"),
        ("author", '"\\u001b[2J"', "a text of 1 to 100 printable characters"),
        ("language", "[]", "a text of 1 to 40 printable characters"),
        ("runtime", '"../python"', "the name of a runtime"),
        ("run", '"python bot.py"', COMMAND),
        ("run", "[]", COMMAND),
        ("run", str(["a"] * 33), COMMAND),
        ("run", '["python", 3]', COMMAND),
        ("run", '[""]', COMMAND),
        ("run", '["\\u0000"]', COMMAND),
        ("build", "[]", COMMAND),
        ("games", "[]", WHICH_GAMES),
        ("games", '["bridge"]', WHICH_GAMES),
        ("games", '["whist", "whist"]', WHICH_GAMES),
        ("games", '"whist"', WHICH_GAMES),
        ("games", "[[]]", WHICH_GAMES),
        ("tables", "'many'", "a whole number from 1 to 256"),
        ("tables", "0", "a whole number from 1 to 256"),
        ("tables", "257", "a whole number from 1 to 256"),
        ("tables", "true", "a whole number from 1 to 256"),
        ("tables", "1.0", "a whole number from 1 to 256"),
        ("demo", "1", "true, false or a command"),
        ("memory_mib", "63", "a whole number from 64 to 4096"),
        ("memory_mib", "4097", "a whole number from 64 to 4096"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    tmp_path: Path, key: str, value: str, must_be: str
) -> None:
    assert refusal(tmp_path, manifest_text(**{key: value})).startswith(
        f"bot.toml: {key} must be {must_be}, not "
    )


@pytest.mark.parametrize("key", ["tables", "author"])
def test_a_refusal_is_one_short_line(tmp_path: Path, key: str) -> None:
    said = refusal(tmp_path, manifest_text(**{key: str(["a\\nb" * 99])}))
    assert len(said) < 200
    assert said.isprintable()


def test_a_refusal_shows_what_was_said(tmp_path: Path) -> None:
    said = refusal(tmp_path, manifest_text(tables="'many'"))
    assert said == "bot.toml: tables must be a whole number from 1 to 256, not 'many'"


def test_an_unknown_key_is_refused_with_those_there_are(tmp_path: Path) -> None:
    assert refusal(tmp_path, manifest_text(table="3")) == (
        "bot.toml: 'table' is no key of a manifest; they are name, version, author, language, "
        "runtime, run, build, result, games, tables, demo, memory_mib"
    )


def test_a_section_is_an_unknown_key(tmp_path: Path) -> None:
    assert "'bot' is no key" in refusal(tmp_path, b"[bot]\n" + manifest_text())


def test_what_is_no_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, manifest_text() + b"tables many\n")
    assert said.startswith("bot.toml: line 7: is not TOML: ")


def test_what_is_no_toml_is_refused_with_its_key(tmp_path: Path) -> None:
    said = refusal(tmp_path, manifest_text() + b"tables = many\n")
    assert said.startswith("bot.toml: line 7, tables: is not TOML: ")


def test_a_key_that_stands_twice_is_refused_with_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, manifest_text() + b'name = "other"\n')
    assert said == "bot.toml: line 7, name: the key is there already; keep one"


def test_a_byte_order_mark_is_refused_by_its_name(tmp_path: Path) -> None:
    said = refusal(tmp_path, b"\xef\xbb\xbf" + manifest_text())
    assert said == ("bot.toml: line 1 begins with a byte-order mark; save it as UTF-8 without one")


def test_what_is_not_ascii_is_shown_as_it_is(tmp_path: Path) -> None:
    assert refusal(tmp_path, manifest_text(tables="'größer'")).endswith("not 'größer'")


@pytest.mark.parametrize("hard", [b"a = " + b"[" * 30000, b"tables = " + b"9" * 30000])
def test_what_no_reader_takes_is_refused(tmp_path: Path, hard: bytes) -> None:
    assert refusal(tmp_path, hard).startswith("bot.toml: ")


def test_a_number_too_long_to_show_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, manifest_text(tables="0x" + "f" * 9999)).endswith("not that")


def test_what_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, manifest_text() + b'x = "\xff"\n')
    assert said == "bot.toml: line 7 is not UTF-8; TOML must be"


def test_a_manifest_of_64_kib_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, manifest_text().ljust(65536, b"#")).name == "owl"


def test_a_larger_one_is_refused(tmp_path: Path) -> None:
    said = refusal(tmp_path, manifest_text().ljust(65537, b"#"))
    assert said == "bot.toml: is larger than 65536 bytes; it must not be"


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"/owl: is not a directory"):
        read_manifest(tmp_path / "owl")


def test_a_directory_without_a_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"/bot.toml: there is no such file"):
        read_manifest(tmp_path)


def test_a_link_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").symlink_to("/etc/hostname")
    with pytest.raises(ConfigError, match=r"/bot.toml: is a symbolic link"):
        read_manifest(tmp_path)


def test_a_pipe_is_no_manifest_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.toml")
    with pytest.raises(ConfigError, match=r"/bot.toml: is not a file"):
        read_manifest(tmp_path)


def test_a_directory_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").mkdir()
    with pytest.raises(ConfigError, match=r"/bot.toml: cannot be read: Is a directory"):
        read_manifest(tmp_path)
