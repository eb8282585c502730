"""`runoff board`: the leaderboard, and how sure its order is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runoff.choices import DEFAULT_MEASURE, RECORD_RULES
from runoff.cli.options import (
    alpha_option,
    board_qrels_option,
    board_set_options,
    check_board_sets,
    check_resolution,
    check_that_runs_are_no_measures,
    choice_option,
    comparison_options,
    count_option,
    files_of_scores,
    files_option,
    is_board_file,
    measures_option,
    output_options,
    queries_option,
    resolution_options,
    scores_option,
    trials_option,
)
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, cluster_options
from runoff.phrases import listed

if TYPE_CHECKING:
    from runoff.display import Shown


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
@board_qrels_option
@measures_option(
    help=f"The measure that ranks the runs, {DEFAULT_MEASURE}; a board.toml names its own. Repeat it for the "
    "smallest detectable differences of more measures."
)
@scores_option()
@board_set_options
@queries_option
@trials_option
@choice_option(
    "--order",
    choices=["mean", "verdict"],
    default="mean",
    help="Rank by the mean, or by the verdicts: runs it beats minus runs that beat it.",
)
@alpha_option(help="The significance level, by default 0.05; a board.toml names its own.", default=None)
@choice_option(
    "--record-rule",
    choices=RECORD_RULES,
    help="How records are certified: all at once by Holm's correction, or each on its day by alpha spending or online "
    "fallback (the default); a board.toml names its own.",
)
@comparison_options(board=True)
@click.option("--rank-table", is_flag=True, help="Print the chance of each run to be at each rank instead.")
@click.option(
    "--interval-scaled",
    is_flag=True,
    help="Print what changes under the interval-scaled version of the measure instead.",
)
@choice_option(
    "--evidence",
    choices=["first", "pairs"],
    help="Print all evidence about the top runs instead: the leader against each (first), or every pair.",
)
@count_option("--top", "How many of the best runs --evidence looks at.", default=10, least=2)
@resolution_options
@files_option("--judgments", help="Judged pairs of documents, for --evidence; repeat it for more files.")
@click.option(
    "--import",
    "source",
    type=click.Path(path_type=Path),
    metavar="SOURCE",
    help="Write a board.toml, to --output, from the MS MARCO table or a folder of submissions.",
)
@cluster_options
@output_options(figure=True)
def board(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    measures: tuple[str, ...],
    score_files: tuple[str, ...],
    labels: str | None,
    query_set: str | None,
    query_file: Path | None,
    alpha: float | None,
    record_rule: str | None,
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    rank_table: bool,
    evidence: str | None,
    top: int,
    judgments: tuple[Path, ...],
    source: Path | None,
    trials: int,
    seed: int,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Rank runs by their means and say how sure the order is.

    Possible ranks, groups and verdicts against the leader come from one decision about all pairs of runs; intervals and
    chances to be first from bootstrap samples of the queries. A board.toml also gives teams, dates and baselines, and
    so the records over time.
    """
    from runoff.comparisons.options import CompareOptions
    from runoff.files.board_toml import read_board
    from runoff.results.board import BoardResult
    from runoff.verbs.board import BoardOptions, EvidenceSources, evidence_of_board, import_board
    from runoff.verbs.board import board as rank_runs
    from runoff.verdicts import Policy

    chosen = tuple(dict.fromkeys(measures))
    measure = chosen[0] if chosen else None
    if source is not None:
        if runs:
            raise click.UsageError("--import takes no runs; leave them out")
        imported = import_board(source, out.file or Path("board.toml"), measures=measure, qrels=qrels)
        Output(format_name="table", file=None, quiet=out.quiet).write(imported)
        return
    if judgments and not evidence:
        raise click.UsageError("--judgments goes with --evidence; add it")
    score_files, runs = files_of_scores(score_files, runs)
    is_described = is_board_file(runs)
    if bool(score_files) == bool(runs) or (bool(score_files) or is_described) != (qrels is None):
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml alone, or --scores FILE alone")
    check_that_runs_are_no_measures(runs)
    check_board_sets(runs, labels, query_set, qrels, query_file)
    resolution, interval_scaled = options["resolution"], options["interval_scaled"]
    if is_described and ((measure and not resolution) or query_file):
        raise click.UsageError("board.toml names its measure, labels and queries; leave -m and --queries out")
    tables = {"evidence": evidence, "rank_table": rank_table, "interval_scaled": interval_scaled}
    check_resolution(resolution=resolution, difference=options["difference"], **tables)
    rules: dict[str, Any] = {
        name: value for name, value in (("alpha", alpha), ("record_rule", record_rule)) if value is not None
    }
    board_source: Any = reading.score_table(score_files, *chosen) or runs
    if is_described:
        board_source = replace(read_board(runs[0]).overruled(depth=depth, level=level, gains=gains), **rules)
    title = listed([Path(file).name for file in score_files], most=1)
    labels_or_title: dict[str, Any] = {"title": title} if score_files else {"qrels": qrels}
    options["detail"] = "lists" if out.format_name == "json" else "verdict"
    if evidence or out.format_name == "latex":
        options["detail"] = "explained"
    with (
        reading.opened(quiet=out.quiet) as read_options,
        out.progress(len(runs), "scoring runs, then sampling queries") as progress,
    ):
        result = rank_runs(
            board_source,
            measures=None if score_files else chosen or None,
            labels=labels,
            query_set=query_set,
            queries=reading.query_list(query_file),
            trials=trials,
            seed=seed,
            compared=CompareOptions(depth=depth, level=level, gains=gains),
            options=BoardOptions(
                claims=not (resolution or any(tables.values())),
                unjudged=out.figure is not None,
                **options,
            ),
            policy=Policy(**rules) if rules and not is_described else None,
            reading=read_options,
            progress=progress,
            **labels_or_title,
        )
        table: Shown = result
        if isinstance(result, BoardResult):
            table = result.interval_scaled or (result.resolution if resolution else None) or result
            if rank_table:
                table = result.rank_table()
            elif evidence:
                sources = EvidenceSources(
                    described=runs[0] if is_described else None,
                    labels=labels,
                    query_set=query_set,
                    runs=() if is_described or score_files else runs,
                    judgments=judgments,
                )
                which: Any = evidence
                table = evidence_of_board(result, sources, which=which, top=top, reading=read_options)
    out.write(table, note=result.measure_note if isinstance(result, BoardResult) else "")
