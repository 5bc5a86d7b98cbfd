"""`run` names a program that the sandbox has and can execute, or one line says what to do."""

from pathlib import Path

import pytest

from referee.bots.program import refuse_unrunnable
from referee.errors import ConfigError
from referee.sandbox.mounts import Mount, Runtime

NATIVE = Runtime("native", (), (("usr/bin", "/bin"),), {}, (), "")
PYTHON = NATIVE._replace(name="python", program=("/opt/python/bin/python3",))
ELF = b"\x7fELF"


def refusal(bundle: Path, word: str, runtime: Runtime = NATIVE) -> str:
    with pytest.raises(ConfigError) as refused:
        refuse_unrunnable(Path("bot.toml"), bundle, (word,), runtime)
    return str(refused.value)


def write(bundle: Path, content: bytes, mode: int = 0o755) -> Path:
    (bundle / "owl").write_bytes(content)
    (bundle / "owl").chmod(mode)
    return bundle


def test_the_name_of_the_runtime_is_its_interpreter(tmp_path: Path) -> None:
    refuse_unrunnable(Path("bot.toml"), tmp_path, ("python",), PYTHON)


@pytest.mark.parametrize("word", ["owl", "./owl", "/bot/owl"])
def test_a_compiled_program_may_run(tmp_path: Path, word: str) -> None:
    refuse_unrunnable(Path("bot.toml"), write(tmp_path, ELF), (word,), NATIVE)


@pytest.mark.parametrize(
    ("word", "runtime", "to_do"),
    [
        ("python3", PYTHON, 'begin run with "python", the name of the runtime'),
        ("python3.11", NATIVE, 'set runtime = "python" and begin run with "python"'),
        ("nodejs", PYTHON, 'set runtime = "node" and begin run with "node"'),
        ("sh", PYTHON, 'begin run with "python", the name of the runtime'),
        ("sh", NATIVE, "name a compiled program in the bot's directory, or set runtime"),
    ],
)
def test_a_program_of_the_machine_is_not_in_the_bundle(
    tmp_path: Path, word: str, runtime: Runtime, to_do: str
) -> None:
    said = refusal(tmp_path, word, runtime)
    assert said == f"bot.toml: run: there is no {word!r} in the bot's directory; {to_do}"


@pytest.mark.parametrize("word", ["/bin/sh", "../bin/sh"])
def test_a_path_outside_the_bundle_is_not_mounted(tmp_path: Path, word: str) -> None:
    assert f"the sandbox has no {word!r}; name a compiled" in refusal(tmp_path, word)


def test_a_path_that_the_runtime_mounts_may_run(tmp_path: Path) -> None:
    (tmp_path / "lua").touch()
    runtime = NATIVE._replace(mounts=(Mount(tmp_path / "lua", "/usr/bin/lua"),))
    refuse_unrunnable(Path("bot.toml"), tmp_path, ("/bin/lua",), runtime)


def test_without_execute_permission_the_command_that_gives_it_is_named(tmp_path: Path) -> None:
    said = refusal(write(tmp_path, ELF, 0o644), "owl")
    assert said == "bot.toml: run: 'owl' is not executable; run chmod +x on it"


def test_a_directory_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "owl").mkdir()
    assert "'owl' is not a file; name a program" in refusal(tmp_path, "owl")


def test_windows_line_ends_are_named(tmp_path: Path) -> None:
    said = refusal(write(tmp_path, b"#!/usr/bin/env python3\r\nprint()\r\n"), "owl", PYTHON)
    assert said.endswith("has Windows line ends (CRLF), also after its #!; save it with LF")


@pytest.mark.parametrize(
    ("line", "to_do"),
    [
        ("#!/usr/bin/env python3", 'begin run with "python", the name of the runtime'),
        ("#! /bin/sh -e", 'begin run with "python", the name of the runtime'),
        ("#!/usr/bin/ruby", 'set runtime = "ruby" and begin run with "ruby"'),
    ],
)
def test_the_interpreter_of_a_script_is_not_in_the_sandbox(
    tmp_path: Path, line: str, to_do: str
) -> None:
    said = refusal(write(tmp_path, f"{line}\n".encode()), "owl", PYTHON)
    interpreter = line[2:].split(maxsplit=1)[0]
    assert f"is a script for {interpreter}, which the sandbox has not; {to_do}" in said


def test_a_script_for_an_interpreter_in_the_bundle_may_run(tmp_path: Path) -> None:
    (tmp_path / "lua").touch()
    bundle = write(tmp_path, b"#!/bot/lua\n")
    refuse_unrunnable(Path("bot.toml"), bundle, ("owl",), NATIVE)


def test_a_text_without_an_interpreter_cannot_run(tmp_path: Path) -> None:
    said = refusal(write(tmp_path, b"print()\n"), "owl", PYTHON)
    assert "is neither compiled nor a script that begins with #!; begin run with" in said


def test_a_name_outside_ascii_is_shown_as_it_is(tmp_path: Path) -> None:
    assert "there is no 'eulé' in the bot's directory" in refusal(tmp_path, "eulé")
