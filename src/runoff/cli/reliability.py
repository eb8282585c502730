"""`runoff reliability`: do the significance tests repeat on the other half of the queries."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.choices import BOARD_MEASURE
from runoff.cli.cluster_options import ReadingChoice, reading_choice_options
from runoff.cli.options import (
    board_set_options,
    check_that_runs_are_no_measures,
    figure_options,
    is_board_file,
    output_options,
    queries_option,
    read_query_file,
    read_score_file,
)
from runoff.cli.output import run_progress, write_figure, write_result


@click.command(
    epilog="""\b
Examples:
  runoff reliability *.run --qrels qrels.txt -m RR@10
  runoff reliability board.toml
  runoff reliability --scores matrix.csv --splits 100 --alpha 0.05"""
)
@click.argument("runs", nargs=-1, metavar="[RUN... | board.toml]")
@click.option("--qrels", metavar="FILE", help="The relevance judgments; instead of those of a board.toml.")
@click.option(
    "--scores",
    "score_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A matrix of per-query scores instead of runs and judgments.",
)
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    help=f"The measure, by default that of board.toml, or {BOARD_MEASURE}; or of --scores.",
)
@click.option("--splits", type=click.IntRange(min=1), default=100, show_default=True, help="Random splits in halves.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="A p below it is significant; by default that of board.toml, or 0.05.",
)
@board_set_options
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
    alpha: float | None,
    labels: str | None,
    query_set: str | None,
    query_file: Path | None,
    choice: ReadingChoice,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Measure how often the significance tests say the same of two runs on the other half of the queries.

    The queries are split at random in two halves, all pairs of runs are tested on both, and each pair agrees, partially
    agrees or disagrees. A board.toml gives runs, labels, measure, relevance level and alpha; options replace them.
    """
    from runoff.verbs.reliability import reliability as find_reliability

    is_described = is_board_file(runs)
    if (labels or query_set) and not is_described:
        raise click.UsageError("--labels and --query-set go with a board.toml; leave them out")
    if (labels and qrels) or (query_set and query_file):
        raise click.UsageError("--labels and --qrels, or --query-set and --queries, name the same; leave one out")
    if not is_described and ((qrels is None) == (score_file is None) or bool(runs) == (qrels is None)):
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml, or --scores FILE")
    if score_file is not None and (query_file is not None or is_described):
        raise click.UsageError(
            "--scores goes without runs and --queries; leave them out, or take rows out of the matrix"
        )
    check_that_runs_are_no_measures(runs)
    source = read_score_file(score_file, measure, choice.max_bytes) or (runs[0] if is_described else runs)
    with choice.opened(quiet=quiet) as reading, run_progress(splits, quiet=quiet, what="splitting queries") as progress:
        result = find_reliability(
            source,
            qrels,
            measures=measure,
            labels=labels,
            query_set=query_set,
            queries=read_query_file(query_file, choice.max_bytes),
            splits=splits,
            alpha=alpha,
            seed=seed,
            reading=reading,
            progress=progress,
        )
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
