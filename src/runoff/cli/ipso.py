"""`runoff ipso`: on which queries every measure must agree."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from runoff.choices import PAIR_TESTS
from runoff.cli.options import (
    alpha_option,
    board_qrels_option,
    board_set_options,
    check_board_sets,
    check_that_runs_are_no_measures,
    correction_option,
    count_option,
    gains_option,
    is_board_file,
    measures_option,
    number_list,
    output_options,
    positive_number,
    queries_option,
)
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, reading_options

DEFAULT_DEPTH = 10


@click.command(
    epilog="""\b
Examples:
  runoff ipso a.run b.run --qrels qrels.txt --depth 10
  runoff ipso a.run b.run --qrels graded.txt --gains 0,0.2,0.8,1 --per-topic -m RR -m nDCG
  runoff ipso *.run --qrels qrels.txt --depth 5,10,20 -m AP -m nDCG
  runoff ipso board.toml --alpha 0.01
  runoff ipso --theory --depth 20"""
)
@click.argument("runs", nargs=-1, metavar="[RUN RUN... | board.toml]")
@board_qrels_option
@click.option(
    "--depth",
    "depths",
    multiple=True,
    callback=partial(
        number_list, positive_number, "a depth; expected whole numbers of 1 or more, such as 10 or 5,10,20"
    ),
    metavar="K,...",
    help=f"Ranks to compare; one depth or several.  [default: {DEFAULT_DEPTH}]",
)
@gains_option
@count_option("--level", "Instead of gains: the lowest relevant grade.", metavar="GRADE")
@click.option("--theory", is_flag=True, help="The exact shares for two random lists instead of two runs.")
@click.option(
    "--per-topic", is_flag=True, help="Two runs: a row for every query, in the five groups of the paper's Figure 5."
)
@measures_option(
    help="A measure beside IPSO, cut at the depth if it has no cutoff; repeat it for more. Two runs: its differences, "
    "query by query.  [default: those of the paper]"
)
@click.option(
    "--test",
    "tests",
    multiple=True,
    type=click.Choice(PAIR_TESTS),
    help="All pairs: a test of the measures; repeat it for more.  [default: t, signed_rank, sign]",
)
@alpha_option(help="All pairs: the significance level.  [default: 0.05]", default=None)
@correction_option(help="All pairs: the correction of each test over the pairs.  [default: none]", default=None)
@click.option("--per-pair", is_flag=True, help="All pairs: a row for every pair, as in the paper's Figure 8.")
@board_set_options
@queries_option
@reading_options
@output_options(seed=False, figure=True)
def ipso(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    depths: tuple[int, ...],
    theory: bool,
    per_topic: bool,
    measures: tuple[str, ...],
    tests: tuple[str, ...],
    alpha: float | None,
    correction: str | None,
    per_pair: bool,
    labels: str | None,
    query_set: str | None,
    query_file: Path | None,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Find the queries on which every reasonable measure must agree about two runs.

    A list is non-inferior if it is never behind in relevant documents at any rank to the depth. Then no measure that
    rewards relevance, and more so when it comes early, can score it lower.

    With --per-topic the relations of every query come with the differences of measures. With three or more runs, or a
    board.toml, all pairs are compared, and IPSO with the tests of measures.
    """
    from runoff.files.board_toml import read_board
    from runoff.verbs.ipso import IpsoComparisonResult, IpsoOptions
    from runoff.verbs.ipso import ipso as find_ipso
    from runoff.verdicts import Policy

    is_described = is_board_file(runs)
    chosen: dict[str, Any] = {"tests": tests} if tests else {}
    depths = tuple(sorted(set(depths)))
    ipso_options = IpsoOptions(depths=depths or None, measures=measures or None, **chosen, **options)
    if theory:
        if runs or qrels:
            raise click.UsageError("--theory takes no runs and no --qrels; leave them out")
        if len(depths) > 1:
            raise click.UsageError("--theory takes one depth; ask for one at a time")
        out.write(find_ipso(options=ipso_options))
        return
    if is_described and (qrels is not None or query_file is not None):
        raise click.UsageError("board.toml names its labels and queries; leave --qrels and --queries out")
    check_board_sets(runs, labels, query_set, qrels, query_file)
    if not is_described and (len(runs) < 2 or qrels is None):
        raise click.UsageError("give two runs or more and --qrels FILE, or a board.toml, or --theory")
    check_that_runs_are_no_measures(runs)
    of_all_pairs = {"--test": tests, "--alpha": alpha, "--correction": correction, "--per-pair": per_pair}
    refused, allowed = (
        (of_all_pairs, "all pairs of three or more runs")
        if len(runs) == 2
        else ({"--per-topic": per_topic}, "two runs")
    )
    if any(refused.values()):
        names = ", ".join(sorted(name for name, value in refused.items() if value))
        raise click.UsageError(f"{names}: only for {allowed}; leave it out")
    policy = None
    if alpha is not None or correction is not None:
        level_of_tests = alpha or (read_board(runs[0]).alpha if is_described else Policy().alpha)
        policy = Policy(alpha=level_of_tests, correction=correction or "none")  # type: ignore[arg-type]
    with out.progress(0 if is_described else len(runs), "reading runs") as progress:
        result = find_ipso(
            runs[0] if is_described else runs,
            qrels,
            labels=labels,
            query_set=query_set,
            queries=reading.query_list(query_file),
            options=ipso_options,
            policy=policy,
            reading=reading.options(),
            progress=progress,
        )
    if isinstance(result, IpsoComparisonResult):
        out.write(result.per_topic() if per_topic else result.showing(depths), drawn=result)
    else:
        out.write(result.per_pair() if per_pair else result, drawn=result)
