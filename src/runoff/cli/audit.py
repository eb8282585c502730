"""`runoff audit`: is the top of a board there by luck or by overfitting."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import board_comparison_options, figure_options, output_options, reading_options
from runoff.cli.output import run_progress, write_figure, write_result

HAS_FINDINGS = 1
"""Exit status with --exit-code if a submission broke the rule or a team got an alarm."""


@click.command(
    epilog="""\b
Examples:
  runoff audit board.toml
  runoff audit board.toml -m nDCG@10 --show bm25 --show dense
  runoff audit board.toml --window 7 --most 1 --exit-code"""
)
@click.argument("board_file", type=click.Path(path_type=Path), metavar="board.toml")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure beside the board's own; repeat it for more.",
)
@board_comparison_options
@click.option("--public", metavar="NAME", help="The query set whose scores teams are shown; public by default.")
@click.option(
    "--private", metavar="NAME", help="The query set whose scores are not shown before the end; private by default."
)
@click.option(
    "--show",
    multiple=True,
    metavar="RUN",
    help="Show the ranks of this run; repeat it for more; by default all of 20, or a choice.",
)
@click.option(
    "--window",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="DAYS",
    help="Length in days of the rolling window of the rule for submissions.",
)
@click.option(
    "--most", type=click.IntRange(min=1), default=2, show_default=True, help="Submissions of a team in the window."
)
@click.option(
    "--variants",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How many of these may be small variations.",
)
@click.option(
    "--overlap",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.95,
    show_default=True,
    help="Runs whose top 10 documents overlap by this are near-duplicates.",
)
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples of the queries."
)
@click.option("--exit-code", is_flag=True, help="Exit with status 1 if a rule was broken or an alarm fired.")
@reading_options
@figure_options
@output_options
def audit(
    *,
    board_file: Path,
    measures: tuple[str, ...],
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    public: str | None,
    private: str | None,
    show: tuple[str, ...],
    window: int,
    most: int,
    variants: int,
    overlap: float,
    trials: int,
    exit_code: bool,
    tie_rule: str,
    duplicates: str,
    max_bytes: int,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Look for signs that the top of a board is there by luck or by overfitting.

    Compares the order of the runs under every query set, label set and measure, checks the rule for submissions, finds
    near-duplicates, and looks whether each team's gain on public queries carries over to private ones as the other
    teams' gains do. Public queries are those whose scores teams are shown, private ones those whose scores they are
    not shown before the end; queries whose labels teams hold are development queries, and neither.
    """
    from runoff.boards.submissions import SubmissionRule
    from runoff.files.board_toml import read_board
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.audit import AuditOptions
    from runoff.verbs.audit import audit as audit_board

    options = AuditOptions(
        measures=measures,
        public=public,
        private=private,
        show=show,
        rule=SubmissionRule(days=window, most=most, variants=variants),
        overlap=overlap,
        trials=trials,
        seed=seed,
    )
    board = read_board(board_file).overruled(depth=depth, level=level, gains=gains)
    files = sum(run.path is not None for run in board.runs)
    with run_progress(files, quiet=quiet, what="reading runs") as progress:
        result = audit_board(
            board,
            options=options,
            reading=ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes),
            progress=progress,
        )
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
    if exit_code and result.has_findings:
        raise click.exceptions.Exit(HAS_FINDINGS)
