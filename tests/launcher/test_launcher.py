"""The launcher in a clone of its own, with a stand-in for Python that installs nothing."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PYTHON = f"""#!/bin/sh
[ "$1" = -c ] && exec '{sys.executable}' -c "
import sys
sys.executable, sys.version_info = '$0', (3, ${{MINOR:-99}})
$2"
echo "$PWD: $*" >>"$JOURNAL"
cat >/dev/null
case "$*" in
    "-m venv .venv")
        [ -z "${{NO_ENSUREPIP-}}" ] || exit 1
        mkdir .venv/bin
        ln -s "$0" .venv/bin/python
        ;;
    "-m virtualenv"* | "-m venv --without-pip"*) exit 1 ;;
    "-m pip"*)
        # As pip does, take the variables for lists with spaces between.
        cat ${{PIP_CONSTRAINT:?}} ${{PIP_BUILD_CONSTRAINT:?}} >/dev/null || exit 1
        [ -z "${{GATE-}}" ] || read -r _ <"$GATE"
        echo "$PIP_SAYS"
        [ -z "$PIP_SAYS" ] || exit 1
        cp "$COMMAND" .venv/bin/upcard
        ;;
esac
"""

COMMAND = """#!/bin/sh
printf '%s\\n' "pid $$" "in $PWD" "$@"
[ "${1-}" = repeat ] && cat
[ "${1-}" != fail ] || exit 3
"""

NOT_ROOT = "#!/bin/sh\necho 1000\n"
ROOT_USER = "#!/bin/sh\necho 0\n"
APT_GET = """#!/bin/sh
echo "apt-get $*" >>"$JOURNAL"
"""


@dataclass
class Clone:
    """A clone with just what the launcher reads, and a journal of what Python was told to do."""

    root: Path
    journal: Path
    bin: Path
    env: dict[str, str]

    def start(self, *words: str, launcher: Path | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [launcher or self.root / "upcard", *words],
            cwd=self.bin,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *words: str, launcher: Path | None = None, said: str = ""
    ) -> subprocess.CompletedProcess[str]:
        process = self.start(*words, launcher=launcher)
        out, err = process.communicate(said)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def done(self) -> list[str]:
        """Return what was done since the last call, as words after ``-m``."""
        lines = self.journal.read_text().splitlines() if self.journal.exists() else []
        self.journal.unlink(missing_ok=True)
        return [line.partition("-m ")[2] or line for line in lines]


MADE = ["venv .venv", "pip install -e ./sdk/python -e .[dev]"]
INSTALLED = MADE[1:]


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    root, stand_ins = tmp_path / "a clone", tmp_path / "bin"
    stand_ins.mkdir()
    for name in ("constraints.txt", "pyproject.toml", "sdk/python/pyproject.toml", "upcard"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    executable(stand_ins / "id", NOT_ROOT)
    executable(stand_ins / "apt-get", APT_GET)
    executable(stand_ins / "python3.13", PYTHON)
    env = {
        "PATH": f"{stand_ins}:{os.environ['PATH']}",
        "JOURNAL": str(tmp_path / "journal"),
        "COMMAND": str(executable(tmp_path / "command", COMMAND)),
        "PIP_SAYS": "",
        "UPCARD_PYTHON": str(executable(stand_ins / "python of mine", PYTHON)),
    }
    return Clone(root, tmp_path / "journal", stand_ins, env)


@pytest.fixture
def ready(clone: Clone) -> Clone:
    """Return a clone that is set up already."""
    assert clone.run().returncode == 0
    assert clone.done() == MADE
    return clone


def test_it_parses_as_posix_shell() -> None:
    subprocess.run([shutil.which("dash") or "sh", "-n", ROOT / "upcard"], check=True)


def test_words_go_to_the_command_in_the_callers_directory(ready: Clone) -> None:
    told = ready.run("deal", "two words", "--hands=2").stdout.splitlines()
    assert told[1:] == [f"in {ready.bin}", "deal", "two words", "--hands=2"]


def test_the_command_replaces_the_launcher_so_that_signals_reach_it(ready: Clone) -> None:
    process = ready.start("deal")
    assert process.communicate()[0].startswith(f"pid {process.pid}\n")


def test_the_exit_code_is_the_commands_own(ready: Clone) -> None:
    assert ready.run("fail").returncode == 3


def test_the_command_reads_the_callers_input_even_after_set_up(clone: Clone) -> None:
    assert clone.run("repeat", said="a line\n").stdout.endswith("repeat\na line\n")


def test_test_runs_pytest_in_the_clone(ready: Clone) -> None:
    assert ready.run("test", "-k", "two words").returncode == 0
    assert ready.journal.read_text().startswith(f"{ready.root}: -m pytest ")
    assert ready.journal.read_text().endswith(" -k two words\n")


def test_tests_run_several_at_a_time_unless_options_say_otherwise(ready: Clone) -> None:
    ready.run("test", "--numprocesses", "0")
    (said,) = ready.done()
    assert said == ("pytest --numprocesses auto --dist worksteal --durations 10 --numprocesses 0")


def test_the_word_soak_kills_leagues(ready: Clone) -> None:
    assert ready.run("soak", "--kills", "3").returncode == 0
    assert ready.journal.read_text() == f"{ready.root}: -m tests.soak --kills 3\n"


def test_a_symbolic_link_leads_to_the_clone(ready: Clone, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(ready.root / "upcard")
    assert ready.run("deal", launcher=link).stdout.endswith("deal\n")
    assert ready.done() == []


def test_once_set_up_nothing_is_said_or_done(ready: Clone) -> None:
    assert ready.run("deal").stderr == ""
    assert ready.done() == []


def test_the_python_asked_for_once_is_kept_when_none_is_asked_for(ready: Clone) -> None:
    del ready.env["UPCARD_PYTHON"]
    ready.run("deal")
    assert ready.done() == []


def test_another_python_makes_the_environment_anew(ready: Clone) -> None:
    ready.env["UPCARD_PYTHON"] = str(executable(ready.bin / "another", PYTHON))
    ready.run("deal")
    assert ready.done() == MADE


@pytest.mark.parametrize("name", ["constraints.txt", "pyproject.toml", "sdk/python/pyproject.toml"])
def test_a_changed_input_installs_into_the_environment_there_is(ready: Clone, name: str) -> None:
    with (ready.root / name).open("a") as file:
        file.write("\n")
    ready.run("deal")
    assert ready.done() == INSTALLED


def test_a_moved_clone_makes_the_environment_anew(ready: Clone, tmp_path: Path) -> None:
    ready.root = ready.root.rename(tmp_path / "elsewhere")
    ready.run("deal")
    assert ready.done() == MADE


def test_a_python_that_went_away_makes_the_environment_anew(ready: Clone) -> None:
    (ready.root / ".venv/bin/python").unlink()
    ready.run("deal")
    assert ready.done() == MADE


def test_a_set_up_that_failed_is_made_anew(clone: Clone) -> None:
    clone.env["PIP_SAYS"] = "disk full"
    assert clone.run("deal").returncode == 1
    clone.env["PIP_SAYS"] = ""
    assert clone.run("deal").returncode == 0
    assert clone.done() == MADE * 2


def test_an_installation_that_failed_makes_the_environment_anew(ready: Clone) -> None:
    (ready.root / "constraints.txt").write_text("changed==1\n")
    ready.env["PIP_SAYS"] = "disk full"
    assert ready.run("deal").returncode == 1
    ready.env["PIP_SAYS"] = ""
    assert ready.run("deal").returncode == 0
    assert ready.done() == INSTALLED + MADE


def test_what_pip_said_is_shown_when_it_fails(clone: Clone) -> None:
    clone.env["PIP_SAYS"] = "disk full"
    assert after_steps(clone.run("deal").stderr) == [
        "disk full",
        "upcard: set-up failed; the whole of what pip said is in .venv/setup.log",
    ]


def after_steps(stderr: str) -> list[str]:
    """Return what is said beside the steps of the set-up."""
    return [line for line in stderr.splitlines() if not line.endswith(" ...")]


def test_set_up_shows_each_step(clone: Clone) -> None:
    steps = [line.split()[1] for line in clone.run("deal").stderr.splitlines()]
    assert steps == ["setting", "making", "installing"]


def test_being_offline_is_one_line(clone: Clone) -> None:
    clone.env["PIP_SAYS"] = "WARNING: Retrying (Retry(total=0)) after connection broken"
    failed = clone.run("deal")
    assert failed.returncode == 1
    assert after_steps(failed.stderr) == [
        "upcard: cannot reach the package index; connect and run again"
    ]


def test_who_comes_second_waits_for_the_first(clone: Clone, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    clone.env["GATE"] = str(gate)
    first = clone.start("deal")
    with gate.open("w"):  # opens once the first is installing, and holds it there until closed
        del clone.env["GATE"]
        second = clone.start("deal")
        assert second.stderr
        assert second.stderr.readline().startswith("upcard: setting up")
    assert first.communicate()[0].endswith("deal\n")
    assert second.communicate()[0].endswith("deal\n")
    assert clone.done() == MADE


def no_fitting_python(tried: str) -> str:
    return (
        f"upcard: needs Python 3.11 or newer (tried {tried}); "
        "install it, or name it in UPCARD_PYTHON\n"
    )


def test_a_python_that_is_too_old_is_one_line(clone: Clone) -> None:
    clone.env["MINOR"] = "10"
    failed = clone.run("deal")
    assert failed.returncode == 1
    assert failed.stderr == no_fitting_python(clone.env["UPCARD_PYTHON"])


def test_a_python_that_is_not_there_is_one_line(clone: Clone) -> None:
    clone.env["UPCARD_PYTHON"] = "no-such-python"
    failed = clone.run("deal")
    assert failed.returncode == 1
    assert failed.stderr == no_fitting_python("no-such-python")


def test_an_activated_environment_is_not_made_from_itself(ready: Clone) -> None:
    (ready.root / ".venv/bin/python3.13").symlink_to(ready.env["UPCARD_PYTHON"])
    (ready.bin / "python3.13").unlink()
    (ready.root / ".venv/stamp").unlink()
    del ready.env["UPCARD_PYTHON"]
    ready.env["PATH"] = f"{ready.root}/.venv/bin:{ready.env['PATH']}"
    assert ready.run("deal").returncode == 0
    assert ready.done() == MADE


def test_without_ensurepip_the_package_to_install_is_named(clone: Clone) -> None:
    clone.env["NO_ENSUREPIP"] = "yes"
    failed = clone.run("deal")
    assert failed.returncode == 1
    assert failed.stderr.endswith("install python3.99-venv and run again\n")
    assert "apt-get" not in " ".join(clone.done())


def test_root_without_ensurepip_has_it_installed(clone: Clone) -> None:
    clone.env["NO_ENSUREPIP"] = "yes"
    executable(clone.bin / "id", ROOT_USER)
    clone.run("deal")
    assert clone.done()[-3:-1] == ["apt-get update", "apt-get install -y python3.99-venv"]


TOOLS = ("cat", "cksum", "cp", "grep", "head", "ln", "mkdir", "readlink", "rm", "sh", "tail", "tr")


def installed(clone: Clone) -> list[str]:
    """Return what apt-get was told to do; Python's packages are installed at the same time."""
    return [line for line in clone.done() if line.startswith("apt-get ")]


@pytest.fixture
def bare(clone: Clone) -> Clone:
    """Return a clone on a machine without bubblewrap."""
    for name in TOOLS:
        (clone.bin / name).symlink_to(shutil.which(name) or "")
    clone.env["PATH"] = str(clone.bin)
    return clone


def test_root_without_bubblewrap_has_it_installed(bare: Clone) -> None:
    executable(bare.bin / "id", ROOT_USER)
    assert bare.run("deal").returncode == 0
    assert installed(bare) == [
        "apt-get update",
        "apt-get install -y --no-install-recommends bubblewrap",
    ]


def test_who_may_not_install_bubblewrap_is_set_up_all_the_same(bare: Clone) -> None:
    assert bare.run("deal").returncode == 0
    assert bare.done() == MADE


def test_packages_are_named_while_they_are_installed(bare: Clone) -> None:
    executable(bare.bin / "id", ROOT_USER)
    said = bare.run("deal").stderr
    assert "upcard: installing packages of the system: bubblewrap ...\n" in said


def test_the_tests_packages_are_installed_in_one_call(bare: Clone) -> None:
    executable(bare.bin / "id", ROOT_USER)
    assert bare.run("test").returncode == 0
    update, install = installed(bare)
    assert update == "apt-get update"
    assert {"bubblewrap", "postgresql", "chromium", "maven"} < {*install.split()}


def test_the_tests_packages_are_installed_into_the_environment_there_is(bare: Clone) -> None:
    assert bare.run("deal").returncode == 0
    executable(bare.bin / "id", ROOT_USER)
    assert bare.run("deal").returncode == 0
    assert installed(bare) == []
    assert bare.run("test").returncode == 0
    assert len(installed(bare)) == 2


def test_packages_that_cannot_be_installed_stop_nobody(bare: Clone) -> None:
    executable(bare.bin / "id", ROOT_USER)
    executable(bare.bin / "apt-get", "#!/bin/sh\nexit 100\n")
    assert bare.run("test").returncode == 0
