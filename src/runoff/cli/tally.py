"""`runoff tally`: are the labels still good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.cli.options import exclude_option, figure_options, output_options, reading_options, trials_option
from runoff.cli.output import run_progress, write_figure, write_file, write_result

BETTER_THAN_PERFECT = 1
"""Exit status with --exit-code if a run is significantly preferred to the labels."""


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
    help="Count the one pair per query that `runoff pool --one-pair` made for RUN: both categories, judges' "
    "error, and win ratios corrected for it.",
)
@click.option("--qrels", metavar="FILE", help="The original labels: the perfect ranking, and the impact on the board.")
@click.option("--tasks", "task_file", metavar="FILE", help="The task file, which knows the test pairs.")
@click.option(
    "--qrels-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the best documents as qrels.",
)
@click.option(
    "--reissue-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the tasks to issue again, as CSV.",
)
@exclude_option
@click.option(
    "--assessors-per-task",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many assessors should do each task well; by default the most who did one.",
)
@click.option(
    "--too-fast",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Faster judgments are counted.",
)
@click.option(
    "--bradley-terry/--no-bradley-terry",
    default=None,
    help="Fit this model too; by default if it is installed and there are at most 1,000 queries.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The level of the win ratios.",
)
@click.option("--exit-code", is_flag=True, help="Exit with status 1 if a run is better than the labels.")
@trials_option
@reading_options
@figure_options
@output_options
def tally(
    *,
    judgments: tuple[str, ...],
    runs: tuple[str, ...],
    one_pair: str | None,
    qrels: str | None,
    task_file: str | None,
    qrels_out: Path | None,
    reissue_out: Path | None,
    exclude: Any,
    assessors_per_task: int | None,
    too_fast: float,
    bradley_terry: bool | None,
    alpha: float,
    exit_code: bool,
    trials: int,
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
    """Count JUDGMENTS of pairs: their quality, the best documents, and what they say about runs and labels.

    JUDGMENTS are files in any format that runoff reads, and results of Mechanical Turk or Label Studio. A file that is
    named twice counts once.
    """
    from runoff.reading.sources import ReadOptions
    from runoff.results.tally_tables import TallyOptions
    from runoff.verbs.tally import tally as count
    from runoff.verdicts import Policy

    options = TallyOptions(
        exclude=exclude,
        assessors_per_task=assessors_per_task,
        too_fast=too_fast,
        bradley_terry=bradley_terry,
        policy=Policy(alpha=alpha),
        trials=trials,
        seed=seed,
    )
    listed = _files(runs)
    with run_progress(
        len(listed) + (one_pair is not None and one_pair not in listed), quiet=quiet, what="reading runs"
    ) as progress:
        result = count(
            list(judgments),
            runs=listed,
            qrels=qrels,
            tasks=task_file,
            one_pair=one_pair,
            options=options,
            reading=ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes),
            progress=progress,
        )
    if qrels_out is not None:
        write_file(qrels_out, "".join(result.qrels_lines()))
    if reissue_out is not None:
        write_file(reissue_out, "".join(result.reissue_lines()))
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
    if exit_code and result.board and result.board.marks.better_than_perfect:
        raise click.exceptions.Exit(BETTER_THAN_PERFECT)


def _files(runs: tuple[str, ...]) -> list[str]:
    """The runs, with patterns such as 'runs/*.run' written out."""
    from glob import glob, has_magic

    found: list[str] = []
    for run in runs:
        named = sorted(glob(run)) if has_magic(run) and not Path(run).exists() else [run]  # noqa: PTH207
        found += named or [run]
    return found
