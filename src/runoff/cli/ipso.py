"""`runoff ipso`: on which queries every measure must agree."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import (
    figure_options,
    gains_option,
    output_options,
    queries_option,
    read_query_file,
    reading_options,
    write_figure,
    write_result,
)


@click.command(
    epilog="""\b
Examples:
  runoff ipso a.run b.run --qrels qrels.txt --depth 10
  runoff ipso a.run b.run --qrels graded.txt --gains 0,0.2,0.8,1 --per-topic
  runoff ipso --theory --depth 20"""
)
@click.argument("runs", nargs=-1, metavar="[A B]")
@click.option("--qrels", metavar="FILE", help="The relevance judgments.")
@click.option("--depth", type=click.IntRange(min=1), default=10, show_default=True, metavar="K", help="Ranks to scan.")
@gains_option
@click.option("--level", type=click.IntRange(min=1), metavar="GRADE",
              help="Instead of gains: the lowest grade that counts as relevant.")  # fmt: skip
@click.option("--theory", is_flag=True, help="The exact shares for two random lists instead of two runs.")
@click.option("--per-topic", is_flag=True, help="A row for every query, in the five groups of the paper's Figure 5.")
@queries_option
@reading_options
@figure_options
@output_options
def ipso(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    depth: int,
    gains: tuple[float, ...] | None,
    level: int | None,
    theory: bool,
    per_topic: bool,
    query_file: Path | None,
    tie_rule: str,
    max_bytes: int,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,  # noqa: ARG001  # nothing here is random; every verb takes it
    quiet: bool,  # noqa: ARG001
) -> None:
    """Find the queries on which every reasonable measure must agree about runs A and B.

    A list is non-inferior if it is never behind in relevant documents at any rank to the depth. Then no measure that
    rewards relevance, and more so when it comes early, can score it lower.
    """
    from runoff.workflows import ipso as workflow
    from runoff.workflows.inputs import Reading, as_qrels

    if theory:
        if runs or qrels:
            raise click.UsageError("--theory takes no runs and no --qrels; leave them out")
        shares = workflow.theory(depth)
        write_figure(shares, figure, chart)
        write_result(shares, format_name, output)
        return
    if len(runs) != 2 or qrels is None:
        raise click.UsageError("give two runs and --qrels FILE, or --theory")
    reading = Reading(tie_rule=tie_rule, max_bytes=max_bytes)
    labels = as_qrels(qrels, queries=read_query_file(query_file, max_bytes), reading=reading)
    result = workflow.compare_ipso(*runs, labels, depth=depth, gains=gains, level=level, reading=reading)
    write_figure(result, figure, chart)
    write_result(result.per_topic() if per_topic else result, format_name, output)
