"""`upcard pack`: writes the archive of a bot, to be handed in."""

import sys
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer

from referee.bots.archives import ArchiveLimits
from referee.bots.examples import find_bot
from referee.bots.packing import pack as pack_bot
from referee.cli.new_file import write_new_file
from referee.text import counted, plain

_STDOUT = "-"


def pack(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The bot: the directory of its bot.toml, or the name of an example.",
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The archive, else NAME-VERSION.tar.gz; - is stdout.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Pack a bot into one file, as 'upcard submit' hands it in and 'upcard bots add' takes it.

    What Git ignores is left out, and so is the output of builds.
    """
    directory, archive = find_bot(bot), BytesIO()
    packed = pack_bot(directory, archive, ArchiveLimits())
    manifest = packed.manifest
    if out == _STDOUT:
        sys.stdout.buffer.write(archive.getvalue())
        return
    path = Path(out or f"{manifest.name}-{manifest.version}.tar.gz")
    advice = "add --force, or name another file"
    write_new_file(path, archive.getvalue(), advice, replace=force)
    files = counted(packed.files, "file")
    print(
        f"{plain(str(path))}: {plain(manifest.name)} {plain(manifest.version)}, {files}, "
        f"{packed.size} bytes"
    )
