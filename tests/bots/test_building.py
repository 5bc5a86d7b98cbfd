"""What builds a bot may do with the machine what a bot may, and write; only its result plays."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from referee.bots.build_space import build_directory
from tests.sandbox.accounts import Account, ordinary, root
from tests.waiting import PATIENCE

Outcome = dict[str, Any]
Build = Callable[..., Outcome]
NO_LIMITS: Mapping[str, int] = {}
SMALL = {"most_mib": 64}
"""So that the tests need not fill a disk."""


class Builder:
    """A process of a user in which bots are built one after the other."""

    def __init__(self, account: Account, program: Path) -> None:
        self.account = account
        self._process = subprocess.Popen(
            account.command("-W", "error", str(program)),
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def build(self, bot: Path, copy: Path, cache: Path, allowance: Mapping[str, float]) -> Outcome:
        """Build a bot and return what came of it."""
        assert self._process.stdin
        assert self._process.stdout
        print(
            json.dumps([str(bot), str(copy), str(cache), allowance]),
            file=self._process.stdin,
            flush=True,
        )
        outcome: Outcome = json.loads(self._process.stdout.readline())
        return outcome

    def close(self) -> None:
        """End it."""
        self._process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="session", params=["root", "userns"])
def builder(request: pytest.FixtureRequest) -> Iterator[Builder]:
    with TemporaryDirectory(prefix="upcard-tests-") as tree:
        account = root() if request.param == "root" else ordinary(Path(tree, "project"))
        program = Path(shutil.copy(Path(__file__).with_name("building_scene.py"), tree))
        for path in (Path(tree), program):
            path.chmod(0o755)
        builder = Builder(account, program)
        try:
            yield builder
        finally:
            builder.close()


@pytest.fixture
def place(builder: Builder) -> Iterator[Path]:
    """Yield a directory of the user's own."""
    made = Path(tempfile.mkdtemp(prefix="upcard-tests-"))
    if builder.account.before[:1] == ("setpriv",):
        subprocess.run(["chown", "upcard-ci:", made], check=True)
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def build(builder: Builder, place: Path) -> Build:
    """Return what builds a bot by a shell script, as the user."""

    def run_build(
        script: str,
        *result: str,
        seconds: float = 60,
        limits: Mapping[str, int] = NO_LIMITS,
        author: str = "bot",
        **more: str,
    ) -> Outcome:
        bot = place / author
        bot.mkdir(exist_ok=True)
        lines = {
            "name": '"owl"',
            "version": '"1"',
            "author": '"A"',
            "language": '"shell"',
            "run": '["owl"]',
            "games": '["euchre"]',
            "build": json.dumps(["sh", "-c", script]),
            "result": json.dumps(result or ["owl"]),
            **more,
        }
        manifest = "".join(f"{key} = {value}\n" for key, value in lines.items() if value)
        (bot / "bot.toml").write_text(manifest)
        (bot / "source").write_text("from which it is built")
        copy = place / "copy"
        if copy.exists():
            shutil.rmtree(copy)
        outcome = builder.build(bot, copy, place, {"seconds": seconds, **limits})
        assert outcome.pop("left") == []
        return outcome

    return run_build


def test_only_the_result_plays(build: Build) -> None:
    outcome = build(
        "mkdir out; cp source out/owl; echo aside > aside", "out/owl", run='["out/owl"]'
    )
    assert outcome["files"].keys() == {"bot.toml", ".upcard-built", "out/owl"}
    assert outcome["files"]["out/owl"] == "from which it is built"


def test_all_plays_where_no_result_is_named(build: Build) -> None:
    outcome = build("echo built > owl", result="")
    assert outcome["files"].keys() == {"bot.toml", ".upcard-built", "owl", "source"}


def test_what_was_built_once_is_not_built_again(build: Build) -> None:
    script = "head -c 16 /dev/urandom | od -x > owl"
    assert build(script)["digest"] == build(script)["digest"]


def test_what_one_author_fetched_is_no_result_for_another(build: Build) -> None:
    script = "head -c 16 /dev/urandom | od -x > owl"
    found = [
        build(script, limits={"network": True}, author=author)["digest"]
        for author in ("ann", "bob", "ann")
    ]
    assert found[0] == found[2] != found[1]


def test_without_a_network_the_same_sources_have_one_result(build: Build) -> None:
    script = "head -c 16 /dev/urandom | od -x > owl"
    assert build(script, author="ann")["digest"] == build(script, author="bob")["digest"]


def test_a_build_changes_no_environment_of_others(build: Build, place: Path) -> None:
    script = (
        "for f in /bot/.upcard/* /usr/bin/*; do if echo x >> $f; then exit 7; fi; done; echo > owl"
    )
    assert "digest" in build(script + "; mkdir -p $HOME/x")
    assert not [*place.rglob("x")]


def test_what_has_changed_is_built_again(build: Build) -> None:
    assert build("echo one > owl")["digest"] != build("echo two > owl")["digest"]


def test_the_author_sees_why_it_failed(build: Build) -> None:
    outcome = build("echo no such suit; exit 3")
    assert outcome["log"] == "no such suit\n"
    assert "the build of owl failed: it ended with exit code 3" in outcome["error"]


def test_a_build_that_needs_the_network_is_told_how_to_get_it(build: Build) -> None:
    outcome = build("echo curl: Could not resolve host: example.org; exit 6")
    assert outcome["error"].endswith("it has no network; where it needs one, add --build-network")


def test_another_failure_says_nothing_of_the_network(build: Build) -> None:
    assert "--build-network" not in build("echo no such suit; exit 3")["error"]


@pytest.mark.parametrize("language", ["shell", "Kotlin"])
def test_the_home_of_the_account_is_the_one_it_may_fill(build: Build, language: str) -> None:
    script = 'test "$(sed -n "s/^bot:.*:\\(.*\\):.*/\\1/p" /etc/passwd)" = "$HOME" && echo > owl'
    assert "digest" in build(script, language=f'"{language}"')


def test_a_failed_build_is_tried_again(build: Build) -> None:
    first, again = (build("echo tried; exit 1")["log"] for _ in range(2))
    assert first == again == "tried\n"


def test_a_result_that_was_not_made_is_named(build: Build) -> None:
    assert "made no owl" in build("true")["error"]


def test_no_program_of_that_name_is_told(build: Build) -> None:
    outcome = build("", build='["no-such-compiler"]')
    assert "no-such-compiler" in outcome["log"]


def test_the_manifest_stays_as_its_author_wrote_it(build: Build) -> None:
    outcome = build("echo > owl; echo 'name = \"eagle\"' > bot.toml", "owl")
    assert 'name = "owl"' in outcome["files"]["bot.toml"]


def test_it_takes_no_longer_than_it_may(build: Build) -> None:
    assert "took longer than 1 seconds" in build("sleep 1000", seconds=1)["error"]


def test_what_it_starts_ends_with_it(build: Build) -> None:
    sleeps = f"1{os.getpid()}.5"
    build(f"setsid sleep {sleeps} & echo > owl")
    assert subprocess.run(["pgrep", "-f", sleeps], check=False).returncode == 1


HOSTILE = {
    "the machine's accounts": "grep ^daemon: /etc/passwd",
    "other homes": "ls -A /home",
    "what others left about": "cat {secret}",
    "the machine's keys": "test -e /etc/ssl/private",
    "the machine's settings": "ls /etc/apt || ls /etc/dnf || ls /etc/maven/settings.xml",
    "other processes": "test $(ls -d /proc/[0-9]* | wc -l) -gt 8",
    "a server of this machine": "perl -MIO::Socket::INET -e "
    "'exit !IO::Socket::INET->new(PeerAddr => \"127.0.0.1:{port}\", Timeout => 2)'",
    "a socket without a file": "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); "
    'exit !connect(S, pack_sockaddr_un("\\0{abstract}"))\'',
    "the cache": "test -e {cache}",
    "the machine's programs": "touch /usr/bin/owl",
    "its own root": "touch /owl",
    "a mount": "mount -t tmpfs none /tmp",
    "a namespace": "unshare --user true",
}
"""What a build may try; each would succeed where it is not kept from it."""


@pytest.mark.parametrize("what", HOSTILE)
def test_a_build_cannot_reach(build: Build, place: Path, what: str) -> None:
    abstract = f"upcard-tests-{place.name}"
    with socket.socket() as server, socket.socket(socket.AF_UNIX) as nameless:
        server.bind(("127.0.0.1", 0))
        nameless.bind(f"\0{abstract}")
        for listener in (server, nameless):
            listener.listen()
        (place / "secret").write_text("for anybody's eyes but a build's")
        listeners = {
            "port": server.getsockname()[1],
            "abstract": abstract,
            "cache": place / "upcard",
            "secret": place / "secret",
        }
        tried = HOSTILE[what]
        for name, value in listeners.items():
            tried = tried.replace(f"{{{name}}}", str(value))
        assert "digest" in build(f"if {tried}; then exit 7; fi; echo safe > owl")


def test_a_build_that_floods_is_ended(build: Build) -> None:
    assert "limit of output" in build("yes")["error"]


WRITE = "dd if=/dev/zero bs=1M count=40 status=none"


def is_ended(outcome: Outcome) -> bool:
    """Return whether a build met its limit: that of its file system, or of the count."""
    return "wrote more than 64 MiB" in outcome["error"] or "No space left" in outcome["log"]


def test_a_build_that_fills_the_disk_is_ended(build: Build) -> None:
    script = f"for n in 1 2; do {WRITE} of=f$n || exit 9; done; sleep 1000"
    assert is_ended(build(script, limits=SMALL))


def test_a_build_that_hides_what_it_writes_is_ended(build: Build) -> None:
    script = (
        f"mkdir a; cd a; for n in 1 2; do {WRITE} of=f$n || exit 9; done; chmod 300 .; sleep 99"
    )
    assert is_ended(build(script, limits=SMALL))


def test_a_build_that_writes_what_has_no_name_is_ended(build: Build) -> None:
    write = f"eval exec $n\\>f$n; {WRITE} >&$n || exit 9; rm f$n"
    assert is_ended(build(f"for n in 3 4; do {write}; done; sleep 99", limits=SMALL))


@pytest.mark.parametrize("builder", ["root"], indirect=True)
@pytest.mark.parametrize(
    "write",
    [
        "dd if=/dev/zero bs=4M count=60 of=f",
        "for n in $(seq 60); do head -c 4M /dev/zero > f$n || exit 9; done",
    ],
)
def test_where_a_file_system_can_be_mounted_a_build_never_exceeds_it(
    build: Build, place: Path, write: str
) -> None:
    with build_directory(place) as (_, space):
        if not space.is_mount():
            pytest.skip("this machine mounts no file system for a build")
    outcome = build(f"{write} || exit 9; echo > owl", limits={"most_mib": 64})
    assert is_ended(outcome)


def test_a_build_ends_at_its_last_file(build: Build) -> None:
    script = "perl -e 'for (1..5000) { open F, qq(>$_) or exit 9 }' || exit 9; sleep 99"
    outcome = build(script, limits={"most_files": 2000})
    assert "2000 files" in outcome["error"] or "code 9" in outcome["error"]


def test_a_build_takes_no_space_without_writing(build: Build) -> None:
    kinds = ("fallocate -l 900M f", "fallocate -n -l 900M f", "fallocate -z -l 900M f")
    script = "".join(f"if {kind}; then exit 7; fi; " for kind in kinds)
    assert "digest" in build(script + "echo > owl")


def test_a_build_asks_no_file_system_for_space_by_another_call(build: Build) -> None:
    requests = (0x40305828, 0x4030582A, 0x40305839)  # FS_IOC_RESVSP, _RESVSP64, _ZERO_RANGE
    asked = "open F, q(>f); my $x = pack(q(ssqqlll4), 1, 0, 0, 9e8); ioctl F, {}, $x and exit 7"
    script = "".join(f"perl -e '{asked.format(request)}' || exit 8; " for request in requests)
    assert "digest" in build(script + "test $(stat -c %b f) -lt 99 && echo > owl")


def test_a_library_that_asks_for_space_writes_instead(build: Build) -> None:
    script = (
        'python3 -c \'import os; f = open("owl", "wb"); os.posix_fallocate(f.fileno(), 0, 99)\''
    )
    assert len(build(script)["files"]["owl"]) == 99


def test_a_build_ends_before_the_disk_is_full(build: Build, place: Path) -> None:
    found = os.statvfs(place)
    nearly_all = {"free_mib": found.f_bavail * found.f_frsize // 2**20 + 1000}
    outcome = build("sleep 1000", limits=nearly_all)
    assert "MiB are free on the disk it works on" in outcome["error"]


def test_a_build_that_goes_too_deep_spoils_nobody_elses(build: Build) -> None:
    deep = "i=0; while [ $i -lt 1200 ]; do mkdir d; cd d; i=$((i+1)); done; exit 3"
    assert "failed" in build(deep)["error"]
    assert "digest" in build("echo > owl")


def test_a_result_that_goes_too_deep_is_refused(build: Build) -> None:
    deep = "mkdir owl; cd owl; i=0; while [ $i -lt 70 ]; do mkdir d; cd d; i=$((i+1)); done"
    assert "is over 64 deep" in build(deep)["error"]


def test_a_manifest_that_became_something_else_does_no_harm(build: Build) -> None:
    outcome = build("rm bot.toml; mkdir bot.toml .upcard-built; echo > owl", result="")
    assert 'name = "owl"' in outcome["files"]["bot.toml"]


def test_a_result_behind_links_in_a_ring_is_refused(build: Build) -> None:
    assert "is behind a link" in build("ln -s a a", "a/b")["error"]


def test_a_result_that_leads_out_is_refused(build: Build) -> None:
    assert "leads out of the bundle" in build("ln -s /etc/passwd owl")["error"]


def test_a_way_to_the_result_that_leads_out_is_refused(build: Build) -> None:
    outcome = build("ln -s /etc out", "out/passwd")
    assert "is behind a link" in outcome["error"]


def test_a_result_that_is_too_large_is_refused(build: Build) -> None:
    assert "at most 256 MiB" in build("truncate -s 300M owl")["error"]


def test_what_it_locks_is_removed_all_the_same(build: Build) -> None:
    script = "echo > owl; mkdir -p a/b; chmod 0 a"
    assert "digest" in build(script)


def test_an_earlier_build_at_home_is_left_there(build: Build, place: Path) -> None:
    made = place / "bot" / "target"
    made.mkdir(parents=True)
    (made / "owl").write_text("from yesterday")
    assert "made no target/owl" in build("true", "target/owl")["error"]


def test_a_spoilt_build_is_made_again(build: Build, place: Path) -> None:
    outcome = build("echo built > owl")
    (kept,) = (place / "upcard" / "builds").glob("*/bundle/owl")
    kept.write_text("spoilt\n")
    assert build("echo built > owl") == outcome
