"""`runoff calibrate`: do runoff's own statements hold on boards like this one."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from runoff.choices import CALIBRATION_SIZES, DEFAULT_MEASURE, QUANTITIES
from runoff.cli.options import (
    ANSWER_IS_NO,
    alpha_option,
    check_that_runs_are_no_measures,
    comparison_options,
    count_option,
    exit_code_option,
    files_of_scores,
    number_list,
    output_options,
    qrels_option,
    scores_option,
    whole_number,
)
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, reading_options


@click.command(
    epilog="""\b
Examples:
  runoff calibrate *.run --qrels qrels.txt -m RR@10
  runoff calibrate --scores matrix.csv --queries 50,500,5000 --boards 1000
  runoff calibrate --scores matrix.csv --only records --only rank_sets --exit-code"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@qrels_option
@scores_option()
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    help=f"The measure, {DEFAULT_MEASURE}. With --scores: what they measure.",
)
@comparison_options()
@click.option(
    "--queries",
    "sizes",
    multiple=True,
    callback=partial(number_list, whole_number, "a number of queries; expected whole numbers, such as 50,500,5000"),
    metavar="N,...",
    help="Queries of the simulated boards; one size or several.  [default: 50,500]",
)
@count_option("--boards", "Simulated boards for each quantity and size.", default=100, least=2)
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(QUANTITIES),
    metavar="NAME",
    help=f"Calibrate only this; repeat it for more: {', '.join(QUANTITIES)}.",
)
@alpha_option(help="The significance level of the tests and verdicts.")
@count_option("--trials", "Samples of every bootstrap and randomization.", default=400, least=39)
@count_option("--most-runs", "The most runs of a simulated board.", default=8, least=2)
@exit_code_option(help="Exit with status 1 if a promise is refuted.")
@reading_options
@output_options(figure=True)
def calibrate(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    score_files: tuple[str, ...],
    measure: str | None,
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    sizes: tuple[int, ...],
    exit_code: bool,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Check whether runoff's own statements hold on boards like this one.

    Boards are drawn from the queries of the given runs or scores, so that the truth about them is known: two runs made
    the same, a board made equal, or the data itself as the truth. Each statement's errors are counted and compared
    with what it promises.
    """
    from runoff.comparisons.options import CompareOptions
    from runoff.verbs.calibrate import CalibrationOptions
    from runoff.verbs.calibrate import calibrate as calibrate_board

    score_files, runs = files_of_scores(score_files, runs)
    if (qrels is None) != bool(score_files) or bool(runs) == (qrels is None):
        raise click.UsageError("give either RUNs and --qrels FILE, or --scores FILE")
    if score_files and (depth is not None or level is not None or gains is not None):
        raise click.UsageError("--depth, --level and --gains need runs and judgments; leave them out")
    check_that_runs_are_no_measures(runs)
    with out.progress(2, "simulating boards") as progress:
        result = calibrate_board(
            reading.score_table(score_files, *([measure] if measure else [])) or runs,
            qrels,
            measures=measure,
            options=CalibrationOptions(sizes=sizes or CALIBRATION_SIZES, **options),
            compared=CompareOptions(depth=depth, level=level, gains=gains),
            reading=reading.options(),
            progress=progress,
        )
    out.write(result, note=result.measure_note)
    if exit_code and not result.not_refuted:
        raise click.exceptions.Exit(ANSWER_IS_NO)
