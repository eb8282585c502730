"""`runoff pool`: how much there is to judge for some runs, and what it costs."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import (
    board_set_options,
    figure_options,
    is_board_file,
    output_options,
    queries_option,
    read_query_file,
    reading_options,
)
from runoff.cli.output import run_progress, write_figure, write_file, write_result


@click.command(
    epilog="""\b
Examples:
  runoff pool *.run --qrels qrels.txt
  runoff pool board.toml
  runoff pool *.run --qrels qrels.txt --sample 500 --queries-out sample.txt
  runoff pool new.run --qrels qrels.txt --one-pair --pairs-out pairs.txt"""
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN... | board.toml")
@click.option("--qrels", metavar="FILE", help="The labels; the first relevant document joins the pool.")
@board_set_options
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Top documents of each run that are pooled.",
)
@click.option(
    "--one-pair",
    "is_one_pair",
    is_flag=True,
    help="One pair per query of one RUN: its first document against its second where it is the label, else "
    "against the label.",
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Draw N queries among those with two documents or more."
)
@click.option(
    "--judgments-per-pair",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How often each pair is to be judged.",
)
@click.option("--pairs-per-task", type=click.IntRange(min=1), default=10, show_default=True, help="Pairs in a task.")
@click.option("--pay", type=click.FloatRange(min=0), default=2.0, show_default=True, help="Pay for a task.")
@click.option("--fee", type=click.FloatRange(min=0), default=0.4, show_default=True, help="Fee of the site for a task.")
@click.option(
    "--queries-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the queries to be judged, one on a line.",
)
@click.option(
    "--pairs-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the pairs to be judged: query, document, document.",
)
@queries_option
@reading_options
@figure_options
@output_options
def pool(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    labels: str | None,
    query_set: str | None,
    depth: int,
    is_one_pair: bool,
    sample: int | None,
    judgments_per_pair: int,
    pairs_per_task: int,
    pay: float,
    fee: float,
    queries_out: Path | None,
    pairs_out: Path | None,
    query_file: Path | None,
    tie_rule: str,
    duplicates: str,
    max_bytes: int,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Pool the top documents of RUNs with the label of each query: sizes, pairs and the cost of judging them.

    With --sample some queries are drawn, and the board on these is set beside that on all queries. With --one-pair
    there is one pair for each query, of one RUN; `runoff tally --one-pair RUN` counts their judgments. A board.toml
    gives runs and labels, and the measure of the sample's check; options replace them. Its depth is not that of the
    pools.
    """
    from runoff.files.judging.judged_pairs import render_pairs
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.pool import PoolOptions, one_pair
    from runoff.verbs.pool import pool as make_pool

    is_described = is_board_file(runs)
    if (labels or query_set) and not is_described:
        raise click.UsageError("--labels and --query-set go with a board.toml; leave them out")
    if (labels and qrels) or (query_set and query_file):
        raise click.UsageError("--labels and --qrels, or --query-set and --queries, name the same; leave one out")
    if not is_described and qrels is None:
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml")
    reading = ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes)
    options = PoolOptions(
        depth=depth,
        sample=sample,
        judgments_per_pair=judgments_per_pair,
        pairs_per_task=pairs_per_task,
        pay=pay,
        fee=fee,
        seed=seed,
    )
    queries = read_query_file(query_file, max_bytes)
    if is_one_pair and qrels is not None:
        if is_described or len(runs) != 1 or depth != 1 or sample is not None or queries_out or figure:
            raise click.UsageError(
                "--one-pair takes one RUN, and neither --depth nor --sample, --queries-out or --figure; it has a pair "
                "for each query"
            )
        pairs = one_pair(runs[0], qrels, options=options, queries=queries, reading=reading)
        if pairs_out is not None:
            write_file(pairs_out, "".join(pairs.pair_lines()))
        write_result(pairs, format_name, output)
        return
    with run_progress(len(runs), quiet=quiet or is_described, what="reading runs") as progress:
        result = make_pool(
            runs[0] if is_described else runs,
            qrels,
            labels=labels,
            query_set=query_set,
            queries=queries,
            options=options,
            reading=reading,
            progress=progress,
        )
    if queries_out is not None:
        write_file(queries_out, "".join(f"{query_id}\n" for query_id in result.query_ids))
    if pairs_out is not None:
        write_file(pairs_out, "".join(render_pairs(result.chosen.pairs())))
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
