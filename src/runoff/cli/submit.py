"""`runoff submit`: send a run to a server."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import FILE, PRESENT_FILE, output_options
from runoff.cli.output import Output
from runoff.errors import InputError
from runoff.phrases import counted


@click.command(
    epilog="""\b
Examples:
  runoff submit bm25.run.gz --board https://example.org/boards/passages --wait
  runoff submit bm25.run --board https://example.org/boards/passages --dry-run"""
)
@click.argument("run", type=FILE, metavar="RUN")
@click.option("--board", required=True, metavar="URL", help="The address of the board's page.")
@click.option(
    "--token",
    envvar="RUNOFF_TOKEN",
    required=True,
    metavar="TOKEN",
    help="Your API token; better set in the variable RUNOFF_TOKEN.",
)
@click.option(
    "--metadata",
    type=PRESENT_FILE,
    metavar="FILE",
    help="JSON with name, team, description, variant_of, anonymous_until, embargo_until.",
)
@click.option("--dry-run", is_flag=True, help="Only check: nothing is stored, and no submission is used up.")
@click.option("--wait", is_flag=True, help="Wait until the run is scored or rejected.")
@output_options(seed=False)
def submit(*, run: Path, board: str, token: str, metadata: Path | None, dry_run: bool, wait: bool, out: Output) -> None:
    """Send RUN to a board on a server, where it is scored. The same command twice is one submission."""
    from runoff.verbs.submit import submit as send

    description = None if metadata is None else metadata.read_bytes()
    with out.progress(0, f"sending {run.name}", in_bytes=True) as sent:
        result = send(run, board=board, token=token, metadata=description, dry_run=dry_run, wait=wait, sent=sent)
    out.write(result)
    if result.problems:
        raise InputError([f"{counted(len(result.problems), 'problem')}; see above"])
