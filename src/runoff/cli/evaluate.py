"""`runoff evaluate`: score runs."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.choices import EVALUATE_MEASURES, PARQUET
from runoff.cli.cluster_options import ReadingChoice, reading_choice_options
from runoff.cli.options import check_that_runs_are_no_measures, queries_option, read_query_file, score_output_options
from runoff.cli.output import run_progress, write_result


@click.command(epilog="\b\nExample:\n  runoff evaluate bm25.run.gz dense.tsv --qrels qrels.txt -m RR@10 -m 'AP(rel=2)'")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--qrels", required=True, metavar="FILE", help="The relevance judgments.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    default=EVALUATE_MEASURES,
    show_default=True,
    help="A measure as ir_measures spells it; repeat for more.",
)
@queries_option
@click.option("--per-query", is_flag=True, help="A row for every run, query and measure.")
@reading_choice_options
@score_output_options
def evaluate(
    *,
    runs: tuple[str, ...],
    qrels: str,
    measures: tuple[str, ...],
    query_file: Path | None,
    per_query: bool,
    choice: ReadingChoice,
    format_name: str,
    output: Path | None,
    seed: int,  # noqa: ARG001  # nothing here is random; every verb takes it
    quiet: bool,
) -> None:
    """Score RUNs: TREC or MS MARCO run files, plain or compressed, or Parquet; - is standard input.

    Measures are spelled as in ir_measures, such as RR@10, nDCG@10, AP(rel=2) or RBP(p=0.8); @k cuts at rank k, and an
    unknown name lists them all. The query set is that of the qrels: a query that a run lacks scores 0.
    """
    from runoff.results.evaluation import EvaluationResult
    from runoff.verbs.evaluate import evaluate as evaluate_runs

    folder = output if format_name == PARQUET else None
    if format_name == PARQUET and (not per_query or folder is None or str(folder) == "-"):
        raise click.UsageError("--format parquet writes single scores into a folder; give --per-query and --output DIR")
    check_that_runs_are_no_measures(runs)
    with choice.opened(quiet=quiet) as reading, run_progress(len(runs), quiet=quiet) as progress:
        result = evaluate_runs(
            list(runs),
            qrels,
            measures=measures,
            queries=read_query_file(query_file, choice.max_bytes),
            per_query=per_query if folder is None else folder,
            reading=reading,
            progress=progress,
        )
    if folder is None:
        write_result(result.per_query() if isinstance(result, EvaluationResult) else result, format_name, output)
