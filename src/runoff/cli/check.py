"""`runoff check`: every fault of some files."""

from __future__ import annotations

import click

from runoff.choices import JUNIT
from runoff.cli.options import count_option, output_options, qrels_option
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, reading_options


@click.command(
    epilog="""\b
Examples:
  runoff check bm25.run.gz dense.tsv --qrels qrels.txt
  runoff check board.toml --format junit -o check.xml"""
)
@click.argument("runs", nargs=-1, metavar="RUN...")
@qrels_option
@count_option("--depth", "Count ties and documents without a judgment to this rank.", default=10, metavar="K")
@reading_options
@output_options(seed=False, formats=(JUNIT,))
def check(*, runs: tuple[str, ...], qrels: str | None, depth: int, reading: Reading, out: Output) -> None:
    """Find every fault of RUNs, of a board.toml with all its files, or of --qrels alone, and score nothing.

    What cannot be scored is an error, and the exit status is 2 if there is one. What only looks odd, such as ranks that
    do not start at 1 or many ties, is a warning.
    """
    from runoff.cli.main import BAD_INPUT
    from runoff.cli.options import is_board_file
    from runoff.verbs.check import check as check_files

    if not runs and qrels is None:
        raise click.UsageError("nothing to check; name runs, a board.toml, or --qrels FILE")
    source = runs[0] if is_board_file(runs) else list(runs) or None
    with out.progress(len(runs), "checking files") as progress:
        result = check_files(source, qrels, depth=depth, reading=reading.options(), progress=progress)
    out.write(result)
    if result.errors:
        raise click.exceptions.Exit(BAD_INPUT)
