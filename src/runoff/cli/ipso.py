"""`runoff ipso`: on which queries every measure must agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from runoff.choices import PAIR_TESTS, POLICY_CORRECTIONS
from runoff.cli.options import (
    check_that_runs_are_no_measures,
    figure_options,
    gains_option,
    is_board_file,
    level_option,
    output_options,
    queries_option,
    read_query_file,
    reading_options,
)
from runoff.cli.output import run_progress, write_figure, write_result

DEFAULT_DEPTH = 10


def _depths(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[int, ...]:
    """The depths that were asked for, ascending."""
    words = [word.strip() for text in value for word in text.split(",")]
    for word in words:
        if not (word.isascii() and word.isdecimal() and int(word)):
            raise click.BadParameter(
                f"'{word}' is not a depth; expected whole numbers of 1 or more, such as 10 or 5,10,20",
                ctx=ctx,
                param=param,
            )
    return tuple(sorted({int(word) for word in words}))


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
@click.option("--qrels", metavar="FILE", help="The relevance judgments; a board.toml names its own.")
@click.option(
    "--depth",
    "depths",
    multiple=True,
    callback=_depths,
    metavar="K,...",
    help=f"Ranks to scan; one depth or several.  [default: {DEFAULT_DEPTH}]",
)
@gains_option
@level_option
@click.option("--theory", is_flag=True, help="The exact shares for two random lists instead of two runs.")
@click.option(
    "--per-topic", is_flag=True, help="Two runs: a row for every query, in the five groups of the paper's Figure 5."
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure beside IPSO, cut at the depth if it has no cutoff; repeatable. Of two runs its "
    "differences, query by query.  [default: those of the paper]",
)
@click.option(
    "--test",
    "tests",
    multiple=True,
    type=click.Choice(PAIR_TESTS),
    help="All pairs: a test of the measures; repeatable.  [default: t, signed_rank, sign]",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="All pairs: a p below it is significant.  [default: 0.05]",
)
@click.option(
    "--correction",
    type=click.Choice(POLICY_CORRECTIONS),
    help="All pairs: the correction of each test over the pairs.  [default: none]",
)
@click.option("--per-pair", is_flag=True, help="All pairs: a row for every pair, as in the paper's Figure 8.")
@click.option("--labels", metavar="NAME", help="The label set of board.toml to use; by default the first.")
@click.option(
    "--query-set",
    metavar="NAME",
    help="The query set of board.toml to use; by default public, or else all but development.",
)
@queries_option
@reading_options
@figure_options
@output_options
def ipso(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    depths: tuple[int, ...],
    gains: tuple[float, ...] | None,
    level: int | None,
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
    tie_rule: str,
    duplicates: str,
    max_bytes: int,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,  # noqa: ARG001  # nothing here is random; every verb takes it
    quiet: bool,
) -> None:
    """Find the queries on which every reasonable measure must agree about two runs.

    A list is non-inferior if it is never behind in relevant documents at any rank to the depth. Then no measure that
    rewards relevance, and more so when it comes early, can score it lower.

    With --per-topic the relations of every query come with the differences of measures. With three runs or more, or a
    board.toml, all pairs are compared, and IPSO with the tests of measures.
    """
    from runoff.files.board_toml import read_board
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.ipso import IpsoComparisonResult, IpsoOptions
    from runoff.verbs.ipso import ipso as find_ipso
    from runoff.verdicts import Policy

    is_described = is_board_file(runs)
    options = IpsoOptions(depths=depths or None, measures=measures or None, tests=tests, gains=gains, level=level)
    options = options if tests else replace(options, tests=IpsoOptions().tests)
    if theory:
        if runs or qrels:
            raise click.UsageError("--theory takes no runs and no --qrels; leave them out")
        if len(depths) > 1:
            raise click.UsageError("--theory takes one depth; ask for one at a time")
        shares = find_ipso(options=options)
        write_figure(shares, figure, chart)
        write_result(shares, format_name, output)
        return
    if (labels or query_set) and not is_described:
        raise click.UsageError("--labels and --query-set go with a board.toml; leave them out")
    if is_described and (qrels is not None or query_file is not None):
        raise click.UsageError("board.toml names its labels and queries; leave --qrels and --queries out")
    if not is_described and (len(runs) < 2 or qrels is None):
        raise click.UsageError("give two runs or more and --qrels FILE, or a board.toml, or --theory")
    check_that_runs_are_no_measures(runs)
    for_pairs = {"--test": tests, "--alpha": alpha, "--correction": correction, "--per-pair": per_pair}
    if len(runs) == 2:
        _refuse({name for name, value in for_pairs.items() if value}, "all pairs of three runs or more")
    else:
        _refuse({"--per-topic"} if per_topic else set(), "two runs")
    policy = None
    if alpha is not None or correction is not None:
        level_of_tests = alpha or (read_board(runs[0]).alpha if is_described else Policy().alpha)
        policy = Policy(alpha=level_of_tests, correction=correction or "none")  # type: ignore[arg-type]
    with run_progress(len(runs), quiet=quiet or is_described, what="reading runs") as progress:
        result = find_ipso(
            runs[0] if is_described else runs,
            qrels,
            labels=labels,
            query_set=query_set,
            queries=read_query_file(query_file, max_bytes),
            options=options,
            policy=policy,
            reading=ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes),
            progress=progress,
        )
    write_figure(result, figure, chart)
    if isinstance(result, IpsoComparisonResult):
        write_result(result.per_topic() if per_topic else result.showing(depths), format_name, output)
    else:
        write_result(result.per_pair() if per_pair else result, format_name, output)


def _refuse(options: set[str], what: str) -> None:
    """Refuse options that go with something else than what was given."""
    if options:
        raise click.UsageError(f"{', '.join(sorted(options))}: only for {what}; leave it out")
