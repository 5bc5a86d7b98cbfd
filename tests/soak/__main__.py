"""Kills a league at random moments, and demands that nothing comes of it.

A league is played once undisturbed, by bots that are tasks of this process. Then it is played
again from the same beginning, by bots in sandboxes, while the coordinator, referees and sandboxes
are killed; it is resumed after each kill until it is complete.
Both have to be the same: every duel, its play, its faults and the tables; one of the bots fails now
and then, by its seed. Another league follows until the
kills that were asked for are done. With --server the undisturbed league is played in a file, and
the other one on a server of PostgreSQL.

With --host it is a host that is killed, while authors hand bots in and a ladder plays.

With --strength nobody is killed: the strongest example plays a plain one, and has to win. With
--hostile partners try to tell each other bits in real duels, by every channel that is known, and
bots run every known attack in each mode of the sandbox. With --fuzz the commands that read files of
strangers get a million that were changed at random. With --slurm a real Slurm is started, and plays
a league as an array of jobs.
"""

import argparse
import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp

from referee.arena.limits import Terms
from referee.cli.output import print_table
from referee.engine.registry import PRESETS
from referee.sandbox.channels.primitives import PRIMITIVES
from referee.store.models import Plan
from tests.hostile.conftest import MODES
from tests.soak import attacks, fuzz, host, hostile, kin, slurm, strength
from tests.soak.blows import KINDS, LOCAL_KINDS, Blows
from tests.soak.cluster import CLUSTER_KINDS, started
from tests.soak.comparing import differences
from tests.soak.scene import BOTS, LIMITS, Scene, play_here, progress, run, set_scene
from tests.soak.storm import Broken, Storm
from tests.soak.tally import KillTally
from tests.store.server import server

_SIZES = ((3, 4, 4), (4, 8, 4), (4, 16, 8), (5, 8, 3))
"""Entrants, duels of each pairing, and duels in a visit; the first is the smallest."""
_SMALL = 20
"""So few kills need no more than that, if there is time for them."""
_PAUSE = 0.002
"""Seconds before each decision of a small league."""
_OWN = "own"


def main() -> int:
    """Run the command, and give its exit code."""
    asked = _arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if asked.server == _OWN:
        return _on_own_server()
    instead = _instead(asked)
    return _kill_leagues(asked) if instead is None else instead


def _instead(asked: argparse.Namespace) -> int | None:
    """Do what was asked for instead of killing leagues; return its exit code, if it was."""
    if asked.fuzz:
        return fuzz.soak(asked.inputs, asked.jobs, asked.seed, asked.target, as_json=asked.json)
    if asked.slurm:
        return slurm.soak(asked.game, asked.jobs, asked.seed, as_json=asked.json)
    if asked.host:
        return host.soak(asked.kills, asked.jobs, asked.seed, as_json=asked.json)
    if asked.hostile:
        return _hostile(asked)
    if asked.strength:
        wanted = strength.Wanted(
            asked.duels or strength.ENOUGH, asked.game, asked.jobs, asked.seed, asked.budget_ms
        )
        return strength.soak(wanted, as_json=asked.json)
    return None


def _kill_leagues(asked: argparse.Namespace) -> int:
    kin.adopt_orphans()
    tally = KillTally(asked.kills, _show)
    place = Path(mkdtemp(prefix="upcard-soak-"))
    try:
        _soak(asked, place, tally)
    finally:
        if tally.differences:
            print(f"what is left of it is in {place}", file=sys.stderr)
        else:
            rmtree(place)
    _report(tally, as_json=asked.json)
    return bool(tally.differences)


def _on_own_server() -> int:
    """Run the same command on a server that is no process of its own to look after."""
    with server() as address:
        words = [f"--server={address}" if word == "--server" else word for word in sys.argv[1:]]
        return subprocess.run([sys.executable, "-m", "tests.soak", *words], check=False).returncode


def _hostile(asked: argparse.Namespace) -> int:
    """Whisper and attack; where one of the two is chosen from, only that."""
    channels = asked.channel or ([] if asked.attack else list(PRIMITIVES))
    names = asked.attack or ([] if asked.channel else list(attacks.ATTACKS))
    failed = 0
    if channels:
        failed = hostile.soak(channels, asked.duels or hostile.ENOUGH, as_json=asked.json)
    if names:
        modes, plays = asked.mode or MODES, asked.play or attacks.PLAYS
        failed |= attacks.soak(names, modes, plays, as_json=asked.json)
    return failed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="upcard soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the bots, deals, moments and kinds")
    parser.add_argument("--jobs", type=_positive, default=2, help="sessions at once (default: 2)")
    parser.add_argument("--game", choices=PRESETS, default="euchre")
    parser.add_argument(
        "--server",
        nargs="?",
        const=_OWN,
        metavar="URL",
        help="disturb leagues in a database of PostgreSQL; without an address, on an own server",
    )
    parser.add_argument(
        "--cluster",
        action="store_true",
        help="play on a scheduler and three workers, and kill these as well",
    )
    parser.add_argument(
        "--host",
        action="store_true",
        help="kill a host while authors hand in and a ladder plays, in place of leagues",
    )
    parser.add_argument("--json", action="store_true")
    instead = parser.add_argument_group("instead of killing")
    what = f"let {strength.STRONG} play {strength.PLAIN}"
    instead.add_argument("--strength", action="store_true", help=what)
    instead.add_argument(
        "--duels",
        type=_positive,
        help=f"default: {strength.ENOUGH} with --strength, {hostile.ENOUGH} of each channel with "
        "--hostile",
    )
    instead.add_argument(
        "--budget-ms", type=_positive, help="for a decision (default: in its bot.toml)"
    )
    instead.add_argument(
        "--hostile",
        action="store_true",
        help="let partners whisper and bots attack, in plain and in strict play",
    )
    instead.add_argument(
        "--channel", action="append", choices=PRIMITIVES, help="only this one; may be repeated"
    )
    instead.add_argument(
        "--attack", action="append", choices=attacks.ATTACKS, help="likewise, of the attacks"
    )
    instead.add_argument(
        "--mode", action="append", choices=MODES, help="of the sandbox, for attacks (default: all)"
    )
    instead.add_argument(
        "--play", action="append", choices=attacks.PLAYS, help="for attacks (default: both)"
    )
    instead.add_argument(
        "--fuzz", action="store_true", help="feed changed files to the commands that read them"
    )
    instead.add_argument(
        "--inputs",
        type=_positive,
        default=fuzz.ENOUGH,
        help=f"how many with --fuzz (default: {fuzz.ENOUGH})",
    )
    instead.add_argument(
        "--target",
        metavar="COMMAND",
        choices=fuzz.TARGETS,
        help="feed only this command, with --fuzz: " + ", ".join(fuzz.TARGETS),
    )
    instead.add_argument(
        "--slurm",
        action="store_true",
        help="play a league as an array of jobs of a real Slurm, some of which are killed",
    )
    return parser.parse_args()


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def _soak(asked: argparse.Namespace, place: Path, tally: KillTally) -> None:
    random = Random(asked.seed)
    kinds = CLUSTER_KINDS if asked.cluster else LOCAL_KINDS
    kills = Blows(Random(asked.seed), kinds)
    while not (tally.enough or tally.differences):
        tally.leagues += 1
        here = place / str(tally.leagues)
        here.mkdir()
        tally.differences = _league(asked, here, random, kills, tally)
        if not tally.differences:
            rmtree(here)


def _league(
    asked: argparse.Namespace, here: Path, random: Random, kills: Blows, tally: KillTally
) -> list[str]:
    """Play a league twice, and tell what differs."""
    seed, log = random.randbytes(32).hex(), here / "log"
    fresh = _founded(here / "fresh", asked, random)
    calm, place = fresh.copy(here / "calm"), here / "stormy"
    stormy = fresh.copy_to(asked.server, place) if asked.server else fresh.copy(place)
    undisturbed = play_here(calm, seed)
    if undisturbed.code:
        return [f"undisturbed, it ended with {undisturbed.code}: {undisturbed.err}"]
    try:
        if asked.cluster:
            storm, wrong = _disturbed_cluster(stormy, seed, kills, random, tally, log)
        else:
            play = partial(run, stormy, seed, asked.jobs, log)
            storm, wrong = Storm(stormy, play, kills, random, tally, log), []
            storm.pass_over()
    except Broken as broken:
        return [str(broken)]
    tally.duels += progress(stormy).duels
    tally.voids += progress(stormy).voids
    # Looking on while it was played has kept files open that who opens it next removes.
    return wrong + differences(calm, stormy, log) + storm.left()


def _disturbed_cluster(
    stormy: Scene, seed: str, kills: Blows, random: Random, tally: KillTally, log: Path
) -> tuple[Storm, list[str]]:
    """Play a league on a cluster whose members are killed; return who did not end well."""
    with started(stormy, log) as cluster:
        storm = Storm(
            stormy,
            partial(cluster.run, seed),
            kills,
            random,
            tally,
            log,
            strikes=cluster.strikes(),
            members=cluster.pids,
        )
        storm.pass_over()
        wrong = cluster.stop()
    storm.await_nobody()
    return storm, wrong


def _founded(place: Path, asked: argparse.Namespace, random: Random) -> Scene:
    is_small = asked.kills <= _SMALL
    sizes = _SIZES[1:2] if asked.cluster else _SIZES[:1] if is_small else _SIZES
    entrants, duels, block = random.choice(sizes)
    # One table in each room, so that sessions are more than their beginnings and ends.
    plan = Plan(Terms(PRESETS[asked.game].game(), LIMITS, tables=1), duels, block)
    others = random.sample(sorted(BOTS.keys() - {"brittle"}), entrants - 1)
    return set_scene(place, ["brittle", *others], plan, _PAUSE if is_small else 0.0)


def _show(tally: KillTally) -> None:
    if sys.stderr.isatty():
        told = f"{tally.kills.total()} of {tally.wanted} kills, league {tally.leagues}"
        print(f"\r{told}", end="", file=sys.stderr, flush=True)


def _report(tally: KillTally, *, as_json: bool) -> None:
    if sys.stderr.isatty():
        print(file=sys.stderr)
    counted = {
        **{f"kills of {what}": tally.kills[kind] for kind, what in KINDS.items()},
        "of these in the middle of a commit": tally.torn,
        "leagues": tally.leagues,
        "duels": tally.duels,
        "voids": tally.voids,
    }
    if as_json:
        told = {
            "kills": dict(tally.kills),
            "torn": tally.torn,
            "leagues": tally.leagues,
            "duels": tally.duels,
            "voids": tally.voids,
            "differences": tally.differences,
        }
        print(json.dumps(told, indent=2))
        return
    print_table("soak", ("", "times"), [(what, str(times)) for what, times in counted.items()])
    print("\n".join(tally.differences) or "the same")


if __name__ == "__main__":
    sys.exit(main())
