"""`runoff board`: the leaderboard, and how sure its order is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runoff.choices import BOARD_MEASURE, RECORD_RULES
from runoff.cli.cluster_options import ReadingChoice, reading_choice_options
from runoff.cli.options import (
    board_comparison_options,
    check_resolution,
    check_that_runs_are_no_measures,
    figure_options,
    is_board_file,
    output_options,
    queries_option,
    read_query_file,
    read_score_file,
    resolution_options,
)
from runoff.cli.output import run_progress, write_figure, write_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from runoff.display import Shown
    from runoff.results.board import BoardResult
    from runoff.verbs._published_board import PublishedBoardResult


@click.command(
    epilog="""\b
Examples:
  runoff board *.run --qrels qrels.txt -m RR@10
  runoff board board.toml --query-set private --order verdict
  runoff board board.toml --evidence first
  runoff board *.run --qrels qrels.txt -m RR@10 -m nDCG@10 --resolution --difference 0.01
  runoff board --scores matrix.csv -m AP
  runoff board --import document-leaderboard.csv -o board.toml"""
)
@click.argument("runs", nargs=-1, metavar="[RUN... | board.toml]")
@click.option("--qrels", metavar="FILE", help="The relevance judgments; a board.toml names its own.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help=f"What ranks the runs, by default {BOARD_MEASURE}; a board.toml names its own. For "
    "further ones, the smallest detectable differences.",
)
@click.option(
    "--scores",
    "score_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A matrix of per-query scores instead of runs and judgments.",
)
@click.option("--labels", metavar="NAME", help="The label set of board.toml to score with; by default the first.")
@click.option(
    "--query-set",
    metavar="NAME",
    help="The query set of board.toml to score on; by default public, or else all but development.",
)
@queries_option
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples of the queries."
)
@click.option(
    "--order",
    type=click.Choice(["mean", "verdict"]),
    default="mean",
    show_default=True,
    help="Rank by the mean, or by the verdicts: runs it beats minus runs that beat it.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="The level of the verdicts, by default 0.05; a board.toml names its own.",
)
@click.option(
    "--record-rule",
    type=click.Choice(RECORD_RULES),
    help="How records are certified: all at once by Holm, or each on its day by alpha spending or online "
    "fallback, the default; a board.toml names its own.",
)
@board_comparison_options
@click.option("--rank-table", is_flag=True, help="Print the chance of each run to be at each rank instead.")
@click.option(
    "--interval-scaled",
    is_flag=True,
    help="Print what changes under the interval-scaled version of the measure instead.",
)
@click.option(
    "--evidence",
    type=click.Choice(["first", "pairs"]),
    help="Print all evidence about the top runs instead: the first against each, or every pair.",
)
@click.option(
    "--top",
    type=click.IntRange(min=2),
    default=10,
    show_default=True,
    help="How many runs --evidence looks at, those with the best means.",
)
@resolution_options
@click.option(
    "--judgments",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Judged pairs of documents, for --evidence; repeat it for more files.",
)
@click.option(
    "--import",
    "source",
    type=click.Path(path_type=Path),
    metavar="SOURCE",
    help="Write a board.toml, to --output, from the MS MARCO table or a folder of submissions.",
)
@reading_choice_options
@figure_options
@output_options
def board(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    measures: tuple[str, ...],
    score_file: Path | None,
    labels: str | None,
    query_set: str | None,
    query_file: Path | None,
    trials: int,
    order: str,
    alpha: float | None,
    record_rule: str | None,
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    rank_table: bool,
    interval_scaled: bool,
    evidence: str | None,
    top: int,
    resolution: bool,
    difference: float | None,
    judgments: tuple[Path, ...],
    source: Path | None,
    choice: ReadingChoice,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Rank runs by their means and say how sure the order is.

    Possible ranks, groups and verdicts against the leader come from one decision about all pairs of runs; intervals and
    chances to be first from bootstrap samples of the queries. A board.toml also gives teams, dates and baselines, and
    so the records over time.
    """
    from runoff.comparisons.options import CompareOptions
    from runoff.files.board_toml import read_board
    from runoff.results.board import BoardResult
    from runoff.verbs.board import BoardOptions, EvidenceSources, evidence_of_board
    from runoff.verbs.board import board as rank_runs
    from runoff.verdicts import Policy

    chosen = tuple(dict.fromkeys(measures))
    measure = chosen[0] if chosen else None
    if source is not None:
        _import(source, runs, qrels, measure, output)
        return
    if judgments and not evidence:
        raise click.UsageError("--judgments goes with --evidence; add it")
    is_described = is_board_file(runs)
    if (score_file is not None) == bool(runs) or (score_file is not None or is_described) != (qrels is None):
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml alone, or --scores FILE alone")
    check_that_runs_are_no_measures(runs)
    if not is_described and (labels or query_set):
        raise click.UsageError("--labels and --query-set go with a board.toml; leave them out")
    if is_described and ((measure and not resolution) or query_file):
        raise click.UsageError("board.toml names its measure, labels and queries; leave -m and --queries out")
    check_resolution(
        chosen,
        resolution=resolution,
        difference=difference,
        scores=score_file,
        evidence=evidence,
        rank_table=rank_table,
        interval_scaled=interval_scaled,
    )
    board_source: Any = read_score_file(score_file, measure, choice.max_bytes) or runs
    rules = {name: value for name, value in (("alpha", alpha), ("record_rule", record_rule)) if value is not None}
    policy = None if is_described or not rules else Policy(**rules)  # type: ignore[arg-type]
    if is_described:
        described = read_board(runs[0]).overruled(depth=depth, level=level, gains=gains)
        board_source = replace(described, **rules)  # type: ignore[arg-type]
    with (
        choice.opened(quiet=quiet) as reading,
        run_progress(len(runs), quiet=quiet, what="scoring runs, then sampling queries") as progress,
    ):
        make_board: Callable[..., BoardResult | PublishedBoardResult] = rank_runs  # all its forms
        result = make_board(
            board_source,
            qrels,
            measures=chosen or None,
            labels=labels,
            query_set=query_set,
            queries=read_query_file(query_file, choice.max_bytes),
            title=None if score_file is None else score_file.name,
            trials=trials,
            seed=seed,
            compared=CompareOptions(measure=BOARD_MEASURE, depth=depth, level=level, gains=gains),
            options=BoardOptions(
                order=order,  # type: ignore[arg-type]
                claims=not (rank_table or interval_scaled or resolution or evidence),
                explained=bool(evidence) or format_name == "latex",
                lists=format_name == "json",
                unjudged=figure is not None,
                interval_scaled=interval_scaled,
                resolution=resolution,
                difference=difference,
            ),
            policy=policy,
            reading=reading,
            progress=progress,
        )
        shown: Shown = result
        if isinstance(result, BoardResult):
            shown = result.interval_scaled or (result.resolution if resolution else None) or result
            if rank_table:
                shown = result.rank_table()
            elif evidence:
                beside = EvidenceSources(
                    described=runs[0] if is_described else None,
                    labels=labels,
                    query_set=query_set,
                    runs=() if is_described or score_file else runs,
                    judgments=judgments,
                )
                which: Any = evidence
                shown = evidence_of_board(result, beside, which=which, top=top, reading=reading)
    write_figure(shown, figure, chart)
    write_result(shown, format_name, output)


def _import(source: Path, runs: tuple[str, ...], qrels: str | None, measure: str | None, output: Path | None) -> None:
    from runoff.verbs.board import import_board

    if runs:
        raise click.UsageError("--import takes no runs; leave them out")
    target = output or Path("board.toml")
    write_result(import_board(source, target, measures=measure or BOARD_MEASURE, qrels=qrels), "table", None)
