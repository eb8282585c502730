"""`runoff reliability`: do the significance tests repeat on the other half of the queries."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.cluster_options import ReadingChoice, reading_choice_options
from runoff.cli.options import (
    check_that_runs_are_no_measures,
    figure_options,
    output_options,
    queries_option,
    read_query_file,
    run_progress,
    write_figure,
    write_result,
)

DEFAULT_MEASURE = "RR@10"
"""The same as `runoff.workflows.reliability.DEFAULT_MEASURE`, which is not imported to keep help quick."""


@click.command(
    epilog="""\b
Examples:
  runoff reliability *.run --qrels qrels.txt -m RR@10
  runoff reliability --scores matrix.csv --splits 100 --alpha 0.05"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--qrels", metavar="FILE", help="The relevance judgments.")
@click.option("--scores", "score_file", type=click.Path(path_type=Path), metavar="FILE",
              help="A matrix of per-query scores instead of runs and judgments.")  # fmt: skip
@click.option("-m", "--measure", metavar="MEASURE",
              help=f"The measure, by default {DEFAULT_MEASURE}; or what --scores are of.")  # fmt: skip
@click.option("--splits", type=click.IntRange(min=1), default=100, show_default=True, help="Random splits in halves.")
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True,
              help="A p below it is significant.")  # fmt: skip
@queries_option
@reading_choice_options
@figure_options
@output_options
def reliability(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    score_file: Path | None,
    measure: str | None,
    splits: int,
    alpha: float,
    query_file: Path | None,
    choice: ReadingChoice,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Tell how often the significance tests say the same of two runs on the other half of the queries.

    The queries are split at random in two halves, all pairs of runs are tested on both, and each pair agrees, partially
    agrees or disagrees.
    """
    from runoff.workflows.evaluate import evaluate
    from runoff.workflows.reliability import reliability_of_scores

    if (qrels is None) == (score_file is None) or bool(runs) == (qrels is None):
        raise click.UsageError("give either RUNs and --qrels FILE, or --scores FILE")
    with choice.opened(quiet=quiet) as reading:
        if score_file is not None:
            from runoff.files import read_scores

            if query_file is not None:
                raise click.UsageError(
                    "--queries needs runs and judgments; leave it out, or take rows out of the matrix"
                )
            scores = read_scores(score_file, measure=measure or "score", max_bytes=choice.max_bytes)
        else:
            check_that_runs_are_no_measures(runs)
            with run_progress(len(runs), quiet=quiet) as progress:
                scores = evaluate(
                    list(runs),
                    qrels,
                    measures=[measure or DEFAULT_MEASURE],
                    queries=read_query_file(query_file, choice.max_bytes),
                    reading=reading,
                    progress=progress,
                ).scores[0]
        with run_progress(splits, quiet=quiet, what="splitting queries") as progress:
            result = reliability_of_scores(
                scores, splits=splits, alpha=alpha, seed=seed, progress=progress, engine=reading.engine
            )
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
