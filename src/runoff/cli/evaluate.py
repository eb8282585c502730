"""`runoff evaluate`: score runs."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.choices import DEFAULT_MEASURE, PARQUET, SCORE_ROWS
from runoff.cli.options import check_that_runs_are_no_measures, measures_option, output_options, queries_option
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, cluster_options


@click.command(epilog="\b\nExample:\n  runoff evaluate bm25.run.gz dense.tsv --qrels qrels.txt -m RR@10 -m 'AP(rel=2)'")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--qrels", required=True, metavar="FILE", help="The relevance judgments.")
@measures_option(help=f"A measure as ir_measures spells it, {DEFAULT_MEASURE}. Repeat it for more.")
@queries_option
@click.option("--per-query", is_flag=True, help="A row for every run, query and measure.")
@cluster_options
@output_options(seed=False, parquet=True, formats=SCORE_ROWS)
def evaluate(
    *,
    runs: tuple[str, ...],
    qrels: str,
    measures: tuple[str, ...],
    query_file: Path | None,
    per_query: bool,
    reading: Reading,
    out: Output,
) -> None:
    """Score RUNs: files of TREC, MS MARCO and other tools, such as JSON, CSV or Parquet; - is standard input.

    Measures are spelled as in ir_measures, such as RR@10, nDCG@10, AP(rel=2) or RBP(p=0.8), in any case, or as in
    trec_eval, such as ndcg_cut_10; @k cuts at rank k, and an unknown name lists them all. The query set is that of the
    qrels: a query that a run lacks scores 0.
    """
    from runoff.results.evaluation import EvaluationResult
    from runoff.verbs.evaluate import evaluate as evaluate_runs

    folder = out.file if out.format_name == PARQUET else None
    if out.format_name == PARQUET and (not per_query or folder is None or str(folder) == "-"):
        raise click.UsageError("--format parquet writes single scores into a folder; give --per-query and --output DIR")
    check_that_runs_are_no_measures(runs)
    with reading.opened(quiet=out.quiet) as read_options, out.progress(len(runs)) as progress:
        result = evaluate_runs(
            list(runs),
            qrels,
            measures=measures or None,
            queries=reading.query_list(query_file),
            per_query=per_query if folder is None else folder,
            reading=read_options,
            progress=progress,
        )
    if folder is None:
        table = result.per_query() if isinstance(result, EvaluationResult) else result
        out.write(table, note=result.measure_note)
