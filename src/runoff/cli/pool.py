"""`runoff pool`: how much there is to judge for some runs, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.cli.options import (
    board_set_options,
    check_board_sets,
    count_option,
    file_option,
    is_board_file,
    output_options,
    queries_option,
)
from runoff.cli.output import Output, write_file
from runoff.cli.reading_options import Reading, reading_options


@click.command(
    epilog="""\b
Examples:
  runoff pool *.run --qrels qrels.txt
  runoff pool board.toml
  runoff pool *.run --qrels qrels.txt --sample 500 --queries-out sample.txt
  runoff pool new.run --qrels qrels.txt --one-pair --pairs-out pairs.txt"""
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN... | board.toml")
@click.option("--qrels", metavar="FILE", help="The labels; the first relevant document of a query joins its pool.")
@board_set_options
@count_option("--depth", "Top documents of each run that are pooled.", default=1)
@click.option(
    "--one-pair",
    is_flag=True,
    help="One pair per query of one RUN: its first document against the label, or against its second document where "
    "the first is the label.",
)
@count_option("--sample", "Draw N of the queries with two or more documents.", metavar="N")
@count_option("--judgments-per-pair", "How often each pair is to be judged.", default=1)
@count_option("--pairs-per-task", "Pairs in a task.", default=10)
@click.option("--pay", type=click.FloatRange(min=0), default=2.0, show_default=True, help="Pay for a task.")
@click.option(
    "--fee",
    type=click.FloatRange(min=0),
    default=0.4,
    show_default=True,
    help="The crowdsourcing site's fee for a task.",
)
@file_option("--queries-out", help="Write the queries to be judged, one per line.")
@file_option("--pairs-out", help="Write the pairs to be judged: query, document, document.")
@queries_option
@reading_options
@output_options(figure=True)
def pool(
    *,
    runs: tuple[str, ...],
    qrels: str | None,
    labels: str | None,
    query_set: str | None,
    one_pair: bool,
    queries_out: Path | None,
    pairs_out: Path | None,
    query_file: Path | None,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Pool the top documents of RUNs with the label of each query: sizes, pairs and the cost of judging them.

    With --sample some queries are drawn, and the board on these is compared with that on all queries. With --one-pair
    there is one pair for each query, of one RUN; `runoff tally --one-pair RUN` counts their judgments. A board.toml
    gives runs and labels, and the measure for comparing the boards; options replace them. Its depth is not that of the
    pools.
    """
    from runoff.files.judging.judged_pairs import render_pairs
    from runoff.verbs.pool import PoolOptions
    from runoff.verbs.pool import one_pair as find_one_pair
    from runoff.verbs.pool import pool as make_pool

    is_described = is_board_file(runs)
    check_board_sets(runs, labels, query_set, qrels, query_file)
    if not is_described and qrels is None:
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml")
    pool_options = PoolOptions(**options)
    queries = reading.query_list(query_file)
    if one_pair and qrels is not None:
        has_more = pool_options.depth != 1 or pool_options.sample is not None or queries_out or out.figure
        if is_described or len(runs) != 1 or has_more:
            raise click.UsageError(
                "--one-pair takes one RUN, and no --depth, --sample, --queries-out or --figure; it has one pair for "
                "each query"
            )
        pairs = find_one_pair(runs[0], qrels, options=pool_options, queries=queries, reading=reading.options())
        if pairs_out is not None:
            write_file(pairs_out, "".join(pairs.pair_lines()))
        out.write(pairs)
        return
    with out.progress(0 if is_described else len(runs), "reading runs") as progress:
        result = make_pool(
            runs[0] if is_described else runs,
            qrels,
            labels=labels,
            query_set=query_set,
            queries=queries,
            options=pool_options,
            reading=reading.options(),
            progress=progress,
        )
    if queries_out is not None:
        write_file(queries_out, "".join(f"{query_id}\n" for query_id in result.query_ids))
    if pairs_out is not None:
        write_file(pairs_out, "".join(render_pairs(result.chosen.pairs())))
    out.write(result)
