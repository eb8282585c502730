"""`runoff mcp`: the commands that read, as tools of an agent."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from runoff.cli.options import FOLDER


@click.command(
    epilog="""\b
Examples:
  runoff mcp --root ~/runs
  runoff mcp --root ~/runs --root ~/qrels --seconds 600"""
)
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=FOLDER,
    metavar="DIR",
    help="A folder whose files may be read, also those below it; repeat it for more.  [default: the working folder]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=120,
    show_default=True,
    help="Stop a call after this time.",
)
def mcp(*, roots: tuple[Path, ...], seconds: float) -> None:
    """Serve the commands that only read to an agent: the Model Context Protocol on standard input and output.

    The tools are evaluate, compare, board, ipso, reliability, check and scale, with the options of the commands. They
    read files in the folders of --root, write nothing, and use no network. A client starts this command itself.
    """
    from runoff.cli._mcp_server import Server
    from runoff.errors import UsageError

    folders = [root.expanduser().resolve() for root in roots or (Path.cwd(),)]
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such folder; expected one whose files may be read; name another")
    Server(folders, seconds, sys.stdout.buffer).serve(sys.stdin.buffer)
