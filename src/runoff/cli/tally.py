"""`runoff tally`: are the labels still good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.cli.options import (
    ANSWER_IS_NO,
    alpha_option,
    count_option,
    exclude_option,
    exit_code_option,
    file_option,
    output_options,
    trials_option,
)
from runoff.cli.output import Output, write_file
from runoff.cli.reading_options import Reading, reading_options


@click.command(
    epilog="""\b
Examples:
  runoff tally judgments.csv --tasks tasks.csv --qrels-out preference.qrels
  runoff tally one.csv two.csv --tasks tasks.csv --runs '*.run' --qrels qrels.txt
  runoff tally judgments.csv --tasks tasks.csv --one-pair new.run --qrels qrels.txt"""
)
@click.argument("judgments", nargs=-1, required=True, metavar="JUDGMENTS...")
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN",
    help="A run to compare by its top documents; repeat it, or give a pattern in quotes.",
)
@click.option(
    "--one-pair",
    metavar="RUN",
    help="Count the one pair per query that `runoff pool --one-pair` made for RUN: both categories, the assessors' "
    "error rate, and win ratios corrected for it.",
)
@click.option("--qrels", metavar="FILE", help="The original labels: the perfect ranking, and the impact on the board.")
@click.option("--tasks", metavar="FILE", help="The task file, which knows the test pairs.")
@file_option("--qrels-out", help="Write the best documents as qrels.")
@file_option("--reissue-out", help="Write the tasks to issue again, as CSV.")
@exclude_option
@count_option(
    "--assessors-per-task", "How many assessors should do each task well; by default the most who did one.", metavar="N"
)
@click.option(
    "--too-fast",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Count the judgments that took less time than this.",
)
@click.option(
    "--bradley-terry/--no-bradley-terry",
    default=None,
    help="Also fit this model; by default if it is installed and there are at most 1,000 queries.",
)
@alpha_option(help="The significance level of the win ratios.")
@exit_code_option(help="Exit with status 1 if a run is significantly preferred to the labels.")
@trials_option
@reading_options
@output_options(figure=True)
def tally(
    *,
    judgments: tuple[str, ...],
    runs: tuple[str, ...],
    one_pair: str | None,
    qrels: str | None,
    tasks: str | None,
    qrels_out: Path | None,
    reissue_out: Path | None,
    alpha: float,
    exit_code: bool,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Count JUDGMENTS of pairs: their quality, the best documents, and what they say about runs and labels.

    JUDGMENTS are files in any format that runoff reads, and results of Mechanical Turk or Label Studio. A file that is
    named twice counts once.
    """
    from runoff.results.tally_tables import TallyOptions
    from runoff.verbs.tally import tally as count
    from runoff.verdicts import Policy

    total = len(runs) + (one_pair is not None and one_pair not in runs)
    with out.progress(total, "reading runs") as progress:
        result = count(
            list(judgments),
            runs=runs,
            qrels=qrels,
            tasks=tasks,
            one_pair=one_pair,
            options=TallyOptions(policy=Policy(alpha=alpha), **options),
            reading=reading.options(),
            progress=progress,
        )
    if qrels_out is not None:
        write_file(qrels_out, "".join(result.qrels_lines()))
    if reissue_out is not None:
        write_file(reissue_out, "".join(result.reissue_lines()))
    out.write(result)
    if exit_code and result.board and result.board.marks.better_than_perfect:
        raise click.exceptions.Exit(ANSWER_IS_NO)
