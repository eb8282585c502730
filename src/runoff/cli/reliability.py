"""`runoff reliability`: do the significance tests repeat on the other half of the queries."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.choices import DEFAULT_MEASURE
from runoff.cli.options import (
    alpha_option,
    board_set_options,
    check_board_sets,
    check_that_runs_are_no_measures,
    count_option,
    files_of_scores,
    is_board_file,
    output_options,
    queries_option,
    scores_option,
)
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, cluster_options


@click.command(
    epilog="""\b
Examples:
  runoff reliability *.run --qrels qrels.txt -m RR@10
  runoff reliability board.toml
  runoff reliability --scores matrix.csv --splits 100 --alpha 0.05"""
)
@click.argument("runs", nargs=-1, metavar="[RUN... | board.toml]")
@click.option("--qrels", metavar="FILE", help="The relevance judgments, instead of those of a board.toml.")
@scores_option()
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    help=f"The measure; that of board.toml, or {DEFAULT_MEASURE}. With --scores: what they measure.",
)
@count_option("--splits", "Random splits into halves.", default=100)
@alpha_option(help="The significance level; by default that of board.toml, or 0.05.", default=None)
@board_set_options
@queries_option
@cluster_options
@output_options(figure=True)
def reliability(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    score_files: tuple[str, ...],
    measure: str | None,
    splits: int,
    alpha: float | None,
    labels: str | None,
    query_set: str | None,
    query_file: Path | None,
    reading: Reading,
    out: Output,
    seed: int,
) -> None:
    """Measure how often the significance tests say the same about two runs on the other half of the queries.

    The queries are split at random into two halves, all pairs of runs are tested on both, and each pair agrees,
    partially agrees or disagrees. A board.toml gives runs, labels, measure, relevance level and alpha; options replace
    them.
    """
    from runoff.verbs.reliability import reliability as find_reliability

    score_files, runs = files_of_scores(score_files, runs)
    is_described = is_board_file(runs)
    check_board_sets(runs, labels, query_set, qrels, query_file)
    if not is_described and ((qrels is None) != bool(score_files) or bool(runs) == (qrels is None)):
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml, or --scores FILE")
    if score_files and query_file is not None:
        raise click.UsageError("--scores goes without --queries; leave it out, or take rows out of the scores")
    check_that_runs_are_no_measures(runs)
    scores = reading.score_table(score_files, *([measure] if measure else []))
    source = scores or (runs[0] if is_described else runs)
    with reading.opened(quiet=out.quiet) as read_options, out.progress(splits, "splitting queries") as progress:
        result = find_reliability(
            source,
            qrels,
            measures=measure,
            labels=labels,
            query_set=query_set,
            queries=reading.query_list(query_file),
            splits=splits,
            alpha=alpha,
            seed=seed,
            reading=read_options,
            progress=progress,
        )
    out.write(result, note=result.measure_note)
