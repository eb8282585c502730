"""`runoff board`: the leaderboard, and how sure its order is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runoff.cli.cluster_options import ReadingChoice, reading_choice_options
from runoff.cli.options import (
    board_comparison_options,
    check_that_runs_are_no_measures,
    figure_options,
    output_options,
    queries_option,
    read_query_file,
    run_progress,
    write_figure,
    write_result,
)
from runoff.cli.resolution_options import check_resolution, resolution_options

if TYPE_CHECKING:
    from runoff.comparisons.options import CompareOptions
    from runoff.display import Shown
    from runoff.reading.sources import ReadOptions
    from runoff.results.board_data import BoardData
    from runoff.tables.board import Board

RECORD_RULES = ("holm", "spending", "fallback")
"""The same as `runoff.verdicts.RECORD_RULES`; a test compares them."""
DEFAULT_MEASURE = "RR@10"
"""The same as `runoff.reading.boards.DEFAULT_MEASURE`, which is not imported to keep help quick."""


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
@click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE",
              help=f"What ranks the runs, by default {DEFAULT_MEASURE}; a board.toml names its own. Further ones add "
              "what the queries can detect.")  # fmt: skip
@click.option("--scores", "score_file", type=click.Path(path_type=Path), metavar="FILE",
              help="A matrix of per-query scores instead of runs and judgments.")  # fmt: skip
@click.option("--labels", metavar="NAME", help="The label set of board.toml to score with; the first.")
@click.option("--query-set", metavar="NAME",
              help="The query set of board.toml to score on; public, or else all but development.")  # fmt: skip
@queries_option
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True,
              help="Bootstrap samples of the queries.")  # fmt: skip
@click.option("--order", type=click.Choice(["mean", "verdict"]), default="mean", show_default=True,
              help="Rank by the mean, or by the verdicts: runs it beats minus runs that beat it.")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True),
              help="The level of the verdicts, by default 0.05; a board.toml names its own.")  # fmt: skip
@click.option("--record-rule", type=click.Choice(RECORD_RULES),
              help="How records are certified: all at once by Holm, or each on its day by alpha spending or online "
              "fallback, the default; a board.toml names its own.")  # fmt: skip
@board_comparison_options
@click.option("--rank-table", is_flag=True, help="Print the chance of each run to be at each rank instead.")
@click.option("--interval-scaled", is_flag=True,
              help="Print what changes under the interval-scaled version of the measure instead.")  # fmt: skip
@click.option("--evidence", type=click.Choice(["first", "pairs"]),
              help="Print all evidence about the top runs instead: the first against each, or every pair.")  # fmt: skip
@click.option("--top", type=click.IntRange(min=2), default=10, show_default=True,
              help="How many runs --evidence looks at, those with the best means.")  # fmt: skip
@resolution_options
@click.option("--judgments", multiple=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Judged pairs of documents, for --evidence; repeat it for more files.")  # fmt: skip
@click.option("--import", "source", type=click.Path(path_type=Path), metavar="SOURCE",
              help="Write a board.toml, to --output, from the MS MARCO table or a folder of submissions.")  # fmt: skip
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
    """Rank runs by their means and tell how sure the order is.

    Possible ranks, groups and verdicts against the leader come from one decision about all pairs of runs; intervals and
    chances to be first from bootstrap samples of the queries. A board.toml also gives teams, dates and baselines, and
    so the records over time.
    """
    from runoff.comparisons.options import CompareOptions

    chosen = tuple(dict.fromkeys(measures))
    measure, also = (chosen[0], chosen[1:]) if chosen else (None, ())
    if source is not None:
        _import(source, runs, qrels, measure, output)
        return
    if judgments and not evidence:
        raise click.UsageError("--judgments goes with --evidence; add it")
    is_described = len(runs) == 1 and runs[0].endswith(".toml")
    _check(runs, qrels, score_file, is_described=is_described)
    named = (measure and not resolution) or query_file
    _check_described(is_described=is_described, described=labels or query_set, named=named)
    check_resolution(
        chosen,
        resolution=resolution,
        difference=difference,
        scores=score_file,
        evidence=evidence,
        rank_table=rank_table,
        interval_scaled=interval_scaled,
    )
    if is_described:
        from runoff.verbs._published_board import has_only_means, published_board

        if has_only_means(runs[0]):
            published = published_board(runs[0], query_set=query_set)
            write_figure(published, figure, chart)
            write_result(published, format_name, output)
            return
    with choice.opened(quiet=quiet) as reading:
        with run_progress(len(runs), quiet=quiet or is_described) as progress:
            if is_described:
                from runoff.files.board_toml import read_board

                described = read_board(runs[0]).overruled(depth=depth, level=level, gains=gains)
                data = _described(described, labels, query_set, alpha, chosen, reading, progress)
            elif score_file is not None:
                data = _matrix(score_file, measure, alpha, choice.max_bytes)
            else:
                queries = read_query_file(query_file, choice.max_bytes)
                question = CompareOptions(
                    measure=measure or DEFAULT_MEASURE, depth=depth, level=level, gains=gains, seed=seed, also=also
                )
                data = _listed(runs, qrels, queries, question, alpha, reading, progress)
        from runoff.verbs.board import BoardOptions, board_of

        with run_progress(trials, quiet=quiet, what="drawing queries again") as progress:
            ruled = _ruled(data, record_rule)
            options = BoardOptions(
                order=order,  # type: ignore[arg-type]
                claims=not (rank_table or interval_scaled or resolution or evidence),
                explained=bool(evidence) or format_name == "latex",
                unjudged=figure is not None,
                interval_scaled=interval_scaled,
                resolution=resolution,
                difference=difference,
            )
            engine = reading.engine
            result = board_of(ruled, trials=trials, seed=seed, options=options, engine=engine, progress=progress)
    shown: Shown = result.interval_scaled or (result.resolution if resolution else None) or result
    if rank_table:
        shown = result.rank_table()
    elif evidence:
        from runoff.verbs._board_evidence import EvidenceSources, evidence_of_board

        files = () if is_described or score_file else runs
        beside = EvidenceSources(
            described=runs[0] if is_described else None,
            labels=labels,
            query_set=query_set,
            runs=files,
            judgments=judgments,
        )
        here = choice.opened_here()  # the cluster is left by now
        shown = evidence_of_board(result, beside, which=evidence, top=top, reading=here)  # type: ignore[arg-type]
    write_figure(shown, figure, chart)
    write_result(shown, format_name, output)


def _ruled(data: BoardData, record_rule: str | None) -> BoardData:
    """The board with another rule for its records, if one is given."""
    from dataclasses import replace

    if record_rule is None:
        return data
    return replace(data, policy=replace(data.policy, record_rule=record_rule))  # type: ignore[arg-type]


def _check(runs: tuple[str, ...], qrels: str | None, score_file: Path | None, *, is_described: bool) -> None:
    ways = "give RUNs and --qrels FILE, or a board.toml alone, or --scores FILE alone"
    if (score_file is not None) == bool(runs) or (score_file is not None or is_described) != (qrels is None):
        raise click.UsageError(ways)
    check_that_runs_are_no_measures(runs)


def _check_described(*, is_described: bool, described: object, named: object) -> None:
    """Refuse options that a board.toml alone knows, or that it names itself."""
    if not is_described and described:
        raise click.UsageError("--labels and --query-set go with a board.toml; leave them out")
    if is_described and named:
        raise click.UsageError("board.toml names its measure, labels and queries; leave -m and --queries out")


def _import(source: Path, runs: tuple[str, ...], qrels: str | None, measure: str | None, output: Path | None) -> None:
    from runoff.verbs._import_board import import_board

    if runs:
        raise click.UsageError("--import takes no runs; leave them out")
    target = output or Path("board.toml")
    write_result(import_board(source, target, measure=measure or DEFAULT_MEASURE, qrels=qrels), "table", None)


def _policy(alpha: float | None) -> Any:
    from runoff.verdicts import Policy

    return None if alpha is None else Policy(alpha=alpha)


def _described(
    described: Board,
    labels: str | None,
    query_set: str | None,
    alpha: float | None,
    also: tuple[str, ...],
    reading: ReadOptions,
    progress: Any,
) -> BoardData:
    from dataclasses import replace

    from runoff.comparisons.options import CompareOptions
    from runoff.reading.boards import board_inputs, read_board_inputs

    inputs = board_inputs(described, labels=labels, query_set=query_set)
    data = read_board_inputs(inputs, options=CompareOptions(also=also), reading=reading, progress=progress)
    return data if alpha is None else replace(data, policy=replace(data.policy, alpha=alpha))


def _matrix(score_file: Path, measure: str | None, alpha: float | None, max_bytes: int) -> BoardData:
    from runoff.files.score_matrix import read_scores
    from runoff.measures import parse_measure
    from runoff.reading.boards import board_data_of_scores

    scores = read_scores(score_file, measure=measure or "score", max_bytes=max_bytes)
    return board_data_of_scores(
        scores, measure=parse_measure(measure) if measure else None, policy=_policy(alpha), title=score_file.name
    )


def _listed(
    runs: tuple[str, ...],
    qrels: str | None,
    queries: tuple[str, ...] | None,
    question: CompareOptions,
    alpha: float | None,
    reading: ReadOptions,
    progress: Any,
) -> BoardData:
    from runoff.measures import parse_measure
    from runoff.reading.boards import read_board_data
    from runoff.reading.sources import as_labels

    measure = parse_measure(question.measure) if isinstance(question.measure, str) else question.measure
    return read_board_data(
        list(runs),
        as_labels(qrels or "", runs, queries=queries, measures=[measure], reading=reading),
        options=question,
        policy=_policy(alpha),
        reading=reading,
        progress=progress,
    )
