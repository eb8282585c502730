"""`runoff calibrate`: do runoff's own statements hold on boards like this one."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.choices import BOARD_MEASURE, CALIBRATION_SIZES, QUANTITIES
from runoff.cli.options import (
    check_that_runs_are_no_measures,
    figure_options,
    gains_option,
    output_options,
    read_score_file,
    reading_options,
)
from runoff.cli.output import run_progress, write_figure, write_result

REFUTED = 1
"""Exit status with --exit-code if a promise is refuted."""


def _sizes(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[int, ...]:
    """The sizes that were asked for, as written: apart by commas, or the option again."""
    words = [word for text in value for word in text.split(",")]
    for word in words:
        if not (word.isascii() and word.isdecimal()):
            raise click.BadParameter(
                f"'{word}' is not a number of queries; expected whole numbers, such as 50,500,5000",
                ctx=ctx,
                param=param,
            )
    return tuple(map(int, words)) or CALIBRATION_SIZES


@click.command(
    epilog="""\b
Examples:
  runoff calibrate *.run --qrels qrels.txt -m RR@10
  runoff calibrate --scores matrix.csv --queries 50,500,5000 --boards 1000
  runoff calibrate --scores matrix.csv --only records --only rank_sets --exit-code"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--qrels", metavar="FILE", help="The relevance judgments.")
@click.option(
    "--scores",
    "score_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A matrix of per-query scores instead of runs and judgments.",
)
@click.option(
    "-m", "--measure", metavar="MEASURE", help=f"The measure, by default {BOARD_MEASURE}; or what --scores are of."
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="K",
    help="Ranks that outcomes and IPSO look at; by default the measure's cutoff, or 100.",
)
@click.option("--level", type=click.IntRange(min=1), metavar="GRADE", help="The lowest grade that counts as relevant.")
@gains_option
@click.option(
    "--queries",
    "sizes",
    multiple=True,
    callback=_sizes,
    metavar="N,...",
    help="Queries of the simulated boards; one size or several.  [default: 50,500]",
)
@click.option(
    "--boards",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    help="Simulated boards for each quantity and size.",
)
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(QUANTITIES),
    metavar="NAME",
    help=f"Calibrate this alone; repeatable: {', '.join(QUANTITIES)}.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The level of the tests and verdicts.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=39),
    default=400,
    show_default=True,
    help="Samples of every bootstrap and randomization.",
)
@click.option(
    "--most-runs", type=click.IntRange(min=2), default=8, show_default=True, help="The most runs of a simulated board."
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if a promise is refuted.")
@reading_options
@figure_options
@output_options
def calibrate(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    score_file: Path | None,
    measure: str | None,
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    sizes: tuple[int, ...],
    boards: int,
    only: tuple[str, ...],
    alpha: float,
    trials: int,
    most_runs: int,
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
    """Check whether runoff's own statements hold on boards like this one.

    Boards are drawn from the queries of the given runs or scores, so that the truth about them is known: two runs made
    the same, a board made equal, or the data itself as the truth. Each statement's errors are counted and compared
    with what it promises.
    """
    from runoff.comparisons.options import CompareOptions
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.calibrate import CalibrationOptions
    from runoff.verbs.calibrate import calibrate as calibrate_board

    if (qrels is None) == (score_file is None) or bool(runs) == (qrels is None):
        raise click.UsageError("give either RUNs and --qrels FILE, or --scores FILE")
    if score_file is not None and (depth is not None or level is not None or gains is not None):
        raise click.UsageError("--depth, --level and --gains need runs and judgments; leave them out")
    check_that_runs_are_no_measures(runs)
    with run_progress(2, quiet=quiet, what="simulating boards") as progress:
        result = calibrate_board(
            read_score_file(score_file, measure, max_bytes) or runs,
            qrels,
            measures=measure,
            options=CalibrationOptions(
                sizes=sizes, boards=boards, only=only, alpha=alpha, trials=trials, most_runs=most_runs, seed=seed
            ),
            compared=CompareOptions(depth=depth, level=level, gains=gains),
            reading=ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes),
            progress=progress,
        )
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
    if exit_code and not result.not_refuted:
        raise click.exceptions.Exit(REFUTED)
