"""Pages as files, which nobody has to serve."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import urldefrag

import pytest

from referee.engine.recycle import Recycle
from referee.errors import ConfigError, FileError, NotFoundError
from referee.store.database import Store
from referee.store.opening import open_store
from referee.web.pages import DUELS_A_PAGE
from referee.web.site import Site, SitePage, site, write
from tests.cli.leagues import write_league
from tests.rollouts.programs import STUCK, WIDE
from tests.web.scenes import CLUB, CUP, EMPTY, NEW, Answers, data, is_page, links

ONE = [SitePage("index.html", lambda: "one")]
OTHER = [SitePage("other/index.html", lambda: "other")]


@pytest.fixture(scope="module")
def club(open_place: Path) -> Iterator[Store]:
    with open_store(str(open_place)) as store:
        yield store


@pytest.fixture(scope="module")
def planned(club: Store) -> Site:
    """Plan the site of a league that goes on, in which something of everything is."""
    planned = site(club, CLUB.name)
    return Site(planned.total, [*planned.pages])


@pytest.fixture(scope="module")
def written(planned: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("public") / "site"
    write(directory, planned.pages)
    return directory


def files(directory: Path) -> set[str]:
    """Return all that is in a directory."""
    found = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix() for path in found}


def pages(directory: Path) -> dict[str, str]:
    return {
        name: (directory / name).read_text("utf-8")
        for name in files(directory)
        if name.endswith(".html")
    }


def test_as_many_pages_are_written_as_were_announced(written: Path, planned: Site) -> None:
    assert len(pages(written)) == planned.total == len([*planned.pages])


@pytest.mark.parametrize("league", [CLUB, NEW, EMPTY], ids=lambda league: league.name)
def test_as_many_pages_are_planned_as_were_announced(club: Store, league: object) -> None:
    assert isinstance(league, tuple)
    planned = site(club, league[0])
    assert planned.total == len({page.address for page in planned.pages})


def test_every_link_leads_to_a_file(written: Path) -> None:
    there = files(written)
    for name, page in pages(written).items():
        for link in links(page):
            target = urldefrag(link).url
            assert not target or normpath(join(dirname(name), target)) in there, (name, link)


def test_every_page_of_the_league_that_is_served_is_written(
    written: Path, answers: Answers
) -> None:
    served = {
        address[1:]
        for address, answer in answers.items()
        if is_page(answer) and not address.startswith(("/api", "/leagues/new", "/leagues/empty"))
    }
    assert {*pages(written)} == served - {""}


def test_a_page_is_written_as_it_is_served(written: Path, answers: Answers) -> None:
    for name in ("leagues/club/duels/1-2-1.html", "leagues/club/entrants/2.html"):
        served = answers[f"/{name}"].text.replace('<a href="../../../api/index.html">API</a>', "")
        assert pages(written)[name] == served


def test_the_first_page_of_a_site_has_its_league_alone(written: Path) -> None:
    leagues = {link for link in links(pages(written)["index.html"]) if link.startswith("leagues/")}
    assert {link.split("/")[1] for link in leagues} == {CLUB.name}


def test_the_cards_of_the_replay_are_there(written: Path) -> None:
    cards = data(pages(written)["leagues/club/duels/1-2-1.html"])["cards"]
    assert (written / "leagues/club/duels" / cards / "JS.svg").is_file()


def test_nothing_of_what_only_a_server_needs_is_in_it(written: Path) -> None:
    assert [name for name in files(written) if "htmx" in name] == []
    for name, page in pages(written).items():
        for word in ("htmx", "sse-connect", "hx-", "api/index.html"):
            assert word not in page, name


def test_nothing_is_asked_of_anybody_else(written: Path) -> None:
    for name, page in pages(written).items():
        assert [link for link in links(page) if ":" in link or link.startswith("/")] == [], name


def test_a_page_that_is_not_served_says_nothing_of_who_plays(written: Path) -> None:
    assert "not running at the moment" not in pages(written)["leagues/club/index.html"]


def test_a_site_may_be_read_by_whom_a_new_directory_may(tmp_path: Path) -> None:
    write(tmp_path / "site", ONE)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "file").touch()
    for name in ("", "index.html", "static/upcard.css"):
        like = "new" if (tmp_path / "site" / name).is_dir() else "new/file"
        made, other = tmp_path / "site" / name, tmp_path / like
        assert made.stat().st_mode == other.stat().st_mode


@pytest.mark.slow
def test_a_pairing_of_many_duels_has_several_pages(tmp_path: Path) -> None:
    write_league(tmp_path / "upcard.db", name=CUP.name, duels=DUELS_A_PAGE + 1)
    with open_store(str(tmp_path / "upcard.db")) as store:
        planned = site(store, CUP.name)
        made = {page.address: page for page in planned.pages}
        first, second = (
            made[f"leagues/cup/pairings/1-2{part}.html"].render() for part in ("", "-page-2")
        )
    assert len(made) == planned.total
    duels = [[link for link in links(page) if "/duels/" in link] for page in (first, second)]
    assert [len(each) for each in duels] == [DUELS_A_PAGE, 1]
    assert "1-2-page-2.html" in links(first)
    assert "1-2.html" in links(second)


@pytest.mark.slow
def test_all_pages_are_of_the_league_as_it_stood(tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, duels=2, played=1)
    with open_store(str(place)) as store:
        planned = site(store, "club")
        write_league(place, name="spring", played=0)
        made = {page.address: page.render() for page in planned.pages}
    assert "spring" not in made["index.html"]


@pytest.mark.slow
@pytest.mark.parametrize("program", [STUCK, WIDE], ids=["stuck", "wide"])
def test_a_game_without_a_drawing_has_a_site_without_it(tmp_path: Path, program: str) -> None:
    game = Recycle.with_rules({"name": "wide", "program": program})
    write_league(tmp_path / "upcard.db", name="wide", game=game, played=0)
    with open_store(str(tmp_path / "upcard.db")) as store:
        planned = site(store, "wide")
        write(tmp_path / "site", planned.pages)
    there = files(tmp_path / "site")
    assert "leagues/wide/game.rcy" in there
    assert "leagues/wide/game.svg" not in there
    assert planned.total == len({name for name in there if not name.startswith(("static", "."))})
    page = (tmp_path / "site" / "leagues/wide/game.html").read_text("utf-8")
    assert "There is no drawing: <span" in page
    assert "game.svg" not in page


def test_a_league_that_is_not_there_has_no_site(club: Store) -> None:
    with pytest.raises(NotFoundError, match="there is no league “none” here"):
        site(club, "none")


def test_an_empty_directory_becomes_a_site(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write(tmp_path / "site", ONE)
    assert (tmp_path / "site" / "index.html").read_text() == "one"


def test_an_earlier_site_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write(tmp_path / "site", ONE)
    write(tmp_path / "site", OTHER)
    assert {*pages(tmp_path / "site")} == {"other/index.html"}


KILLED_AFTER_A_RENAME = """
import os, signal, sys
from pathlib import Path
from referee.web.site import SitePage, write

rename = Path.rename

def rename_and_die(self, target):
    rename(self, target)
    os.kill(os.getpid(), signal.SIGKILL)

Path.rename = rename_and_die
write(Path(sys.argv[1]), [SitePage("index.html", lambda: "new")])
"""


@pytest.mark.slow
def test_a_kill_while_a_site_is_replaced_costs_no_site(tmp_path: Path) -> None:
    """Where two directories can be exchanged there is always one, else from the next start on."""
    write(tmp_path / "site", ONE)
    script = [sys.executable, "-c", KILLED_AFTER_A_RENAME, str(tmp_path / "site")]
    subprocess.run(script, capture_output=True, check=False)
    write(tmp_path / "other", ONE)
    assert (tmp_path / "site" / "index.html").is_file()
    assert {path.name for path in tmp_path.iterdir()} == {"site", "other"}


def test_nothing_is_left_beside_a_site(tmp_path: Path) -> None:
    write(tmp_path / "site", ONE)
    write(tmp_path / "site", OTHER)
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_link_to_a_directory_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to("real")
    write(tmp_path / "site", ONE)
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "real" / "index.html").is_file()


def test_a_directory_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "letters").touch()
    with pytest.raises(ConfigError, match="is not empty and not a site"):
        write(tmp_path / "site", ONE)
    assert files(tmp_path) == {"site/letters"}


def test_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("letters")
    with pytest.raises(ConfigError, match="is not a directory; name a new one"):
        write(tmp_path / "site", ONE)
    assert (tmp_path / "site").read_text() == "letters"


def test_no_directory_is_made_but_the_site(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no directory"):
        write(tmp_path / "none" / "site", ONE)
    assert files(tmp_path) == set()


def fails() -> str:
    raise OSError(28, os.strerror(28))


def is_interrupted() -> str:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("last", "error"),
    [(fails, FileError), (is_interrupted, KeyboardInterrupt)],
    ids=["full", "interrupted"],
)
def test_the_earlier_site_stays_if_the_new_one_does_not_become_whole(
    tmp_path: Path, last: object, error: type[BaseException]
) -> None:
    assert callable(last)
    write(tmp_path / "site", ONE)
    before = files(tmp_path)
    with pytest.raises(error):
        write(tmp_path / "site", [*OTHER, SitePage("last.html", last)])
    assert files(tmp_path) == before
    assert (tmp_path / "site" / "index.html").read_text() == "one"


def test_a_full_disk_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"^cannot write .*/site: No space left on device$"):
        write(tmp_path / "site", [SitePage("index.html", fails)])


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Make every file that grows beyond that fail, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_from_the_first_file_on_is_told_in_a_line(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match=r"^cannot write .*/site: File too large$"),
        files_of_at_most(4096),
    ):
        write(tmp_path / "site", ONE)
    assert files(tmp_path) == set()
