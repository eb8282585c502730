"""`runoff board`: the leaderboard, and how sure its order is."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import (
    check_that_runs_are_no_measures,
    figure_options,
    output_options,
    queries_option,
    read_query_file,
    reading_options,
    run_progress,
    write_figure,
    write_result,
)


@click.command(
    epilog="""\b
Examples:
  runoff board *.run --qrels qrels.txt -m RR@10
  runoff board board.toml --query-set private"""
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN... | board.toml")
@click.option("--qrels", metavar="FILE", help="The relevance judgments; a board.toml names its own.")
@click.option("-m", "--measure", default="RR@10", show_default=True, metavar="MEASURE",
              help="The measure that ranks the runs; a board.toml names its own.")  # fmt: skip
@click.option("--labels", metavar="NAME", help="The label set of board.toml to score with; the first.")
@click.option("--query-set", metavar="NAME",
              help="The query set of board.toml to score on; public if there is one, else all queries.")  # fmt: skip
@queries_option
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True,
              help="Bootstrap samples of the queries.")  # fmt: skip
@reading_options
@figure_options
@output_options
def board(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    measure: str,
    labels: str | None,
    query_set: str | None,
    query_file: Path | None,
    trials: int,
    tie_rule: str,
    max_bytes: int,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Rank runs by their means and tell how sure the order is.

    Ranks, intervals and groups come from bootstrap samples of the queries. A board.toml also gives teams, dates and
    baselines, and so the records over time.
    """
    from runoff.workflows.board import board as board_of_runs
    from runoff.workflows.board import board_from_file
    from runoff.workflows.inputs import Reading, as_qrels

    reading = Reading(tie_rule=tie_rule, max_bytes=max_bytes)
    check_that_runs_are_no_measures(runs)
    is_described = len(runs) == 1 and runs[0].endswith(".toml")
    with run_progress(len(runs), quiet=quiet or is_described) as progress:
        if is_described:
            if qrels is not None or query_file is not None:
                raise click.UsageError("board.toml names its labels and queries; leave --qrels and --queries out")
            result = board_from_file(
                runs[0],
                labels=labels,
                query_set=query_set,
                trials=trials,
                seed=seed,
                reading=reading,
                progress=progress,
            )
        else:
            if qrels is None or labels or query_set:
                raise click.UsageError("give --qrels FILE with runs; --labels and --query-set go with a board.toml")
            judged = as_qrels(qrels, queries=read_query_file(query_file, max_bytes), reading=reading)
            result = board_of_runs(
                list(runs), judged, measure=measure, trials=trials, seed=seed, reading=reading, progress=progress
            )
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
