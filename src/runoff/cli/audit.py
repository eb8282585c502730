"""`runoff audit`: is the top of a board there by luck or by overfitting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.cli.options import (
    ANSWER_IS_NO,
    comparison_options,
    count_option,
    exit_code_option,
    measures_option,
    output_options,
    trials_option,
)
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, reading_options


@click.command(
    epilog="""\b
Examples:
  runoff audit board.toml
  runoff audit board.toml -m nDCG@10 --show bm25 --show dense
  runoff audit board.toml --window 7 --most 1 --exit-code"""
)
@click.argument("board_file", type=click.Path(path_type=Path), metavar="board.toml")
@measures_option(help="Another measure beside the board's own; repeat it for more.")
@comparison_options(board=True)
@click.option("--public", metavar="NAME", help="The query set whose scores teams see; by default public.")
@click.option(
    "--private", metavar="NAME", help="The query set whose scores teams do not see before the end; by default private."
)
@click.option(
    "--show",
    multiple=True,
    metavar="RUN",
    help="Show the ranks of this run; repeat it for more. By default all runs are shown, or 20 of a larger board.",
)
@count_option("--window", "The submission rule looks at this many days in a row.", default=30, metavar="DAYS")
@count_option("--most", "Submissions that a team may make in the window.", default=2)
@count_option("--variants", "How many of these may be small variations.", default=1, least=0)
@click.option(
    "--overlap",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.95,
    show_default=True,
    help="Runs that share at least this much of their top 10 documents are near-duplicates.",
)
@trials_option
@exit_code_option(help="Exit with status 1 if a rule was broken or an alarm was raised.")
@reading_options
@output_options(figure=True)
def audit(
    *,
    board_file: Path,
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    window: int,
    most: int,
    variants: int,
    exit_code: bool,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Look for signs that the top of a board is there by luck or by overfitting.

    Compares the order of the runs under every query set, label set and measure, checks the submission rule, finds
    near-duplicates, and checks whether each team's gain on public queries carries over to private ones as the other
    teams' gains do. Teams see their scores on public queries, and do not see those on private queries before the end.
    Queries whose labels teams have are development queries, and neither.
    """
    from runoff.boards.submissions import SubmissionRule
    from runoff.files.board_toml import read_board
    from runoff.verbs.audit import AuditOptions
    from runoff.verbs.audit import audit as audit_board

    rule = SubmissionRule(days=window, most=most, variants=variants)
    board = read_board(board_file).overruled(depth=depth, level=level, gains=gains)
    with out.progress(sum(run.path is not None for run in board.runs), "reading runs") as progress:
        result = audit_board(
            board, options=AuditOptions(rule=rule, **options), reading=reading.options(), progress=progress
        )
    out.write(result)
    if exit_code and result.has_findings:
        raise click.exceptions.Exit(ANSWER_IS_NO)
