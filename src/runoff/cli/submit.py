"""`runoff submit`: send a run to a server."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runoff.cli.options import output_options
from runoff.cli.output import write_result
from runoff.errors import InputError

if TYPE_CHECKING:
    from runoff.verbs.submit import Sent


@click.command(
    epilog="""\b
Examples:
  runoff submit bm25.run.gz --board https://example.org/boards/passages --wait
  runoff submit bm25.run --board https://example.org/boards/passages --dry-run"""
)
@click.argument("run", type=click.Path(dir_okay=False, path_type=Path), metavar="RUN")
@click.option("--board", required=True, metavar="URL", help="The address of the board's page.")
@click.option(
    "--token",
    envvar="RUNOFF_TOKEN",
    required=True,
    metavar="TOKEN",
    help="An API token of yours; better in the variable RUNOFF_TOKEN.",
)
@click.option(
    "--metadata",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="JSON with name, team, description, variant_of, anonymous_until, embargo_until.",
)
@click.option("--dry-run", is_flag=True, help="Only check: nothing is kept, no submission is used.")
@click.option("--wait", is_flag=True, help="Wait until the run is scored or rejected.")
@output_options
def submit(
    *,
    run: Path,
    board: str,
    token: str,
    metadata: Path | None,
    dry_run: bool,
    wait: bool,
    format_name: str,
    output: Path | None,
    seed: int,  # noqa: ARG001  # nothing here is random; every verb takes it
    quiet: bool,
) -> None:
    """Send RUN to a board on a server; it is scored there. The same command twice is one submission."""
    from runoff.verbs.submit import submit as send

    said = None if metadata is None else metadata.read_bytes()
    with _sending(run, quiet=quiet) as sent:
        result = send(run, board=board, token=token, metadata=said, dry_run=dry_run, wait=wait, sent=sent)
    write_result(result, format_name, output)
    if result.problems:
        raise InputError([f"{len(result.problems)} problems; see above"])


@contextlib.contextmanager
def _sending(run: Path, *, quiet: bool) -> Iterator[Sent | None]:
    """A progress bar of bytes, on a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn(f"sending {run.name}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("send", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
