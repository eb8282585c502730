"""`runoff compare`: is the challenger better, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runoff.choices import COMPARE_MEASURE, ESL_TESTS, POLICY_CORRECTIONS, SOONER_BY, TESTS
from runoff.cli.cluster_options import ReadingChoice, reading_choice_options
from runoff.cli.options import (
    check_resolution,
    check_that_runs_are_no_measures,
    comparison_options,
    figure_options,
    output_options,
    queries_option,
    read_query_file,
    read_score_file,
    resolution_options,
)
from runoff.cli.output import run_progress, write_figure, write_result

if TYPE_CHECKING:
    from runoff.display import Shown

NOT_BETTER = 1
"""Exit status with --exit-code if a challenger is not better."""


@click.command(
    epilog="""\b
Examples:
  runoff compare champion.run challenger.run --qrels qrels.txt
  runoff compare bm25.run a.run b.run --qrels qrels.txt --measure nDCG@10 --format latex
  runoff compare bm25.run cheap.run --qrels qrels.txt --margin 0.01 --exit-code
  runoff compare champion.run challenger.run --qrels qrels.txt --evidence
  runoff compare champion.run challenger.run --qrels qrels.txt -m RR@10 -m nDCG@10 --resolution
  runoff compare run1 run2 --scores matrix.csv"""
)
@click.argument("champion", metavar="CHAMPION")
@click.argument("challengers", nargs=-1, required=True, metavar="CHALLENGER...")
@click.option("--qrels", metavar="FILE", help="The relevance judgments.")
@click.option(
    "--scores",
    "score_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Compare columns of a matrix of per-query scores instead of runs.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help=f"The measure that decides, by default {COMPARE_MEASURE}, or what --scores are of; for further "
    "ones, the smallest detectable differences.",
)
@comparison_options
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The level of the verdicts.",
)
@click.option(
    "--correction",
    type=click.Choice(POLICY_CORRECTIONS),
    default="holm",
    show_default=True,
    help="Correction over all facets and challengers.",
)
@click.option(
    "--test", "measure_test", type=click.Choice(TESTS), default="t", show_default=True, help="The test of the measure."
)
@click.option(
    "--esl-test",
    type=click.Choice(ESL_TESTS),
    default="signed_rank",
    show_default=True,
    help="The test of who finds sooner.",
)
@click.option(
    "--sooner",
    type=click.Choice(SOONER_BY),
    default="ranks",
    show_default=True,
    help="What that test compares, of the documents that both find.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Samples of the randomization and bootstrap tests.",
)
@queries_option
@click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True),
    metavar="DIFFERENCE",
    help="Test for non-inferiority and equivalence within this margin of the means.",
)
@click.option(
    "--evidence",
    is_flag=True,
    help="Print all evidence instead, line by line, and the smallest detectable differences.",
)
@resolution_options
@click.option(
    "--judgments",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Judged pairs of documents, for the evidence; repeat it for more files.",
)
@click.option(
    "--exit-code",
    is_flag=True,
    help="Exit with 1 unless every challenger is better; with --margin, no worse than by it.",
)
@reading_choice_options
@figure_options
@output_options
def compare(
    *,
    champion: str,
    challengers: tuple[str, ...],
    qrels: str | None,
    score_file: Path | None,
    measures: tuple[str, ...],
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    alpha: float,
    correction: str,
    measure_test: str,
    esl_test: str,
    sooner: str,
    trials: int,
    query_file: Path | None,
    margin: float | None,
    evidence: bool,
    resolution: bool,
    difference: float | None,
    judgments: tuple[Path, ...],
    exit_code: bool,
    choice: ReadingChoice,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Decide whether the CHALLENGER is better than the CHAMPION, and how.

    The verdict comes first, in words, from three facets: the chosen measure, who finds more relevant documents, and who
    finds sooner what both find. Then come the numbers, the tests of the measure, and the queries on which every measure
    must agree. The p-values of all facets and challengers are corrected together.
    """
    from runoff.comparisons.options import CompareOptions
    from runoff.verbs.compare import compare_all
    from runoff.verdicts import Policy

    if (qrels is None) == (score_file is None):
        raise click.UsageError("give either --qrels FILE, to compare runs, or --scores FILE, to compare its columns")
    for name, value in (
        ("--depth", depth),
        ("--level", level),
        ("--gains", gains),
        ("--queries", query_file),
        ("--judgments", judgments or None),
    ):
        if score_file is not None and value is not None:
            raise click.UsageError(
                f"{name} needs ranked lists and judgments, which --scores does not hold; leave it out"
            )
    check_resolution(measures, resolution=resolution, difference=difference, evidence=evidence, scores=score_file)
    measure, *also = tuple(dict.fromkeys(measures)) or (None,)
    # Only what is shown is computed; JSON shows everything.
    alone, shows_all = len(challengers) == 1, evidence or format_name == "json"
    options = CompareOptions(
        measure=measure or COMPARE_MEASURE,
        depth=depth,
        level=level,
        gains=gains,
        seed=seed,
        trials=trials,
        also=[one for one in also if one],
        difference=difference,
        all_tests=alone or shows_all or format_name == "latex",
        evidence=alone or shows_all,
        resolution=shows_all or resolution or bool(also) or (alone and format_name not in ("table", "csv")),
    )
    policy = Policy(
        alpha=alpha,
        correction=correction,  # type: ignore[arg-type]
        esl_test=esl_test,  # type: ignore[arg-type]
        sooner=sooner,  # type: ignore[arg-type]
        measure_test=measure_test,
        margin=margin,
    )
    scores = read_score_file(score_file, measure, choice.max_bytes)
    if scores is None:
        check_that_runs_are_no_measures((champion, *challengers))
    with choice.opened(quiet=quiet) as reading, run_progress(1 + len(challengers), quiet=quiet) as progress:
        multi_comparison = compare_all(
            champion,
            challengers,
            qrels,
            scores=scores,
            queries=read_query_file(query_file, choice.max_bytes),
            options=options,
            policy=policy,
            judgments=judgments,
            reading=reading,
            progress=progress,
        )
    result = multi_comparison.comparisons[0] if len(multi_comparison.comparisons) == 1 else multi_comparison
    shown: Shown = result.evidence_table() if evidence else result
    if resolution:
        shown = result.resolution_table()
    write_figure(shown, figure, chart)
    write_result(shown, format_name, output)
    if exit_code and not all(
        comparison.is_no_worse if margin else comparison.is_better for comparison in multi_comparison.comparisons
    ):
        raise click.exceptions.Exit(NOT_BETTER)
