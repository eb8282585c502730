"""`runoff compare`: is the challenger better, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runoff.choices import DEFAULT_MEASURE, ESL_TESTS, MARKS, MOST_DIGITS, SOONER_BY, TESTS
from runoff.cli.options import (
    ANSWER_IS_NO,
    alpha_option,
    check_resolution,
    check_that_runs_are_no_measures,
    choice_option,
    comparison_options,
    correction_option,
    count_option,
    exit_code_option,
    files_option,
    measures_option,
    output_options,
    qrels_option,
    queries_option,
    resolution_options,
    scores_option,
)
from runoff.cli.output import Output
from runoff.cli.reading_options import Reading, cluster_options

if TYPE_CHECKING:
    from runoff.display import Shown


@click.command(
    epilog="""\b
Examples:
  runoff compare champion.run challenger.run --qrels qrels.txt
  runoff compare bm25.run a.run b.run --qrels qrels.txt -m nDCG@10 -m AP -m RR@10 --format latex
  runoff compare bm25.run cheap.run --qrels qrels.txt --margin 0.01 --exit-code
  runoff compare champion.run challenger.run --qrels qrels.txt --evidence
  runoff compare champion.run challenger.run --qrels qrels.txt -m RR@10 -m nDCG@10 --resolution
  runoff compare run1 run2 --scores matrix.csv"""
)
@click.argument("champion", metavar="CHAMPION")
@click.argument("challengers", nargs=-1, required=True, metavar="CHALLENGER...")
@qrels_option
@scores_option()
@measures_option(
    help=f"The measure that decides, {DEFAULT_MEASURE}; or that of --scores. Repeat it for more columns in "
    "the table of scores."
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    help="A further baseline, in the table of scores alone; repeat it for more.",
)
@choice_option(
    "--marks",
    choices=MARKS,
    help="What the table of scores marks: significant differences between all systems (each, up to 8) or from the "
    "baselines. By default each for 3 to 8 systems with one baseline.",
)
@click.option(
    "--digits", type=click.IntRange(0, MOST_DIGITS), metavar="N", help="Decimal places of the table of scores; 4."
)
@comparison_options()
@alpha_option(help="The significance level of the verdicts.")
@correction_option(help="Correction over all facets and challengers.")
@choice_option("--test", "measure_test", choices=TESTS, default="t", help="The significance test of the measure.")
@choice_option(
    "--esl-test",
    choices=ESL_TESTS,
    default="signed_rank",
    help="The significance test of who finds relevant documents sooner.",
)
@choice_option(
    "--sooner", choices=SOONER_BY, default="ranks", help="What that test compares, of the documents that both find."
)
@count_option("--trials", "Samples of the randomization and bootstrap tests.", default=10_000)
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
    help="Print all evidence line by line instead, with the smallest detectable differences.",
)
@resolution_options
@files_option("--judgments", help="Judged pairs of documents, for the evidence; repeat it for more files.")
@exit_code_option(
    help="Exit with status 1 unless every challenger is better, or with --margin no worse by more than that."
)
@cluster_options
@output_options(figure=True)
def compare(
    *,
    champion: str,
    challengers: tuple[str, ...],
    qrels: str | None,
    score_files: tuple[str, ...],
    baselines: tuple[str, ...],
    measures: tuple[str, ...],
    query_file: Path | None,
    evidence: bool,
    resolution: bool,
    judgments: tuple[Path, ...],
    exit_code: bool,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Decide whether the CHALLENGER is better than the CHAMPION, and how.

    The verdict comes first, in words, from three facets: the chosen measure, who finds more relevant documents, and who
    finds them sooner. Then come the numbers, the tests of the measure, and the queries on which every measure must
    agree. The p-values of all facets and challengers are corrected together.

    A champion or baseline that is named again among the challengers, as in runs/*.run, is not compared with itself.

    With several measures or challengers there is a table of systems and measures, as in a paper; with several measures
    it is all that CSV and LaTeX hold. Runs called name#1, name#2 and so on are one system.
    """
    from runoff.comparisons.options import CompareOptions
    from runoff.verbs.compare import compare as compare_runs
    from runoff.verdicts import Policy

    if (qrels is None) != bool(score_files):
        raise click.UsageError("give either --qrels FILE, to compare runs, or --scores FILE, to compare its columns")
    needs_lists = {name: options[name] for name in ("depth", "level", "gains")}
    for name, value in {**needs_lists, "queries": query_file, "judgments": judgments or None}.items():
        if score_files and value is not None:
            raise click.UsageError(
                f"--{name} needs ranked lists and judgments, which --scores does not hold; leave it out"
            )
    check_resolution(resolution=resolution, difference=options["difference"], evidence=evidence)
    champions = (champion, *baselines)
    challengers = tuple(challenger for challenger in challengers if challenger not in champions)
    chosen = tuple(dict.fromkeys(measures))
    policy = Policy(
        **{name: options.pop(name) for name in ("alpha", "correction", "measure_test", "esl_test", "sooner", "margin")}
    )
    # Only what is shown is computed; JSON shows everything.
    alone, shows_all = len(challengers) == 1, evidence or out.format_name == "json"
    scores = reading.scores(score_files, chosen)
    compare_options = CompareOptions(
        measures=None if scores else chosen or None,
        all_tests=alone or shows_all or out.format_name == "latex",
        evidence=alone or shows_all,
        resolution=shows_all or resolution or (alone and out.format_name not in ("table", "csv")),
        **options,
    )
    if not scores:
        check_that_runs_are_no_measures((*champions, *challengers))
    with (
        reading.opened(quiet=out.quiet) as read_options,
        out.progress(len(champions) + len(challengers)) as progress,
    ):
        all_comparisons = compare_runs(
            champions,
            challengers,
            qrels,
            scores=scores or None,
            queries=reading.query_list(query_file),
            options=compare_options,
            policy=policy,
            judgments=judgments,
            reading=read_options,
            progress=progress,
        )
    comparisons = all_comparisons.comparisons
    result = comparisons[0] if len(comparisons) == 1 else all_comparisons
    table: Shown = result.evidence_table() if evidence else result
    out.write(result.resolution_table() if resolution else table, note=result.measure_note)
    if exit_code and not all(
        comparison.is_no_worse if policy.margin else comparison.is_better for comparison in comparisons
    ):
        raise click.exceptions.Exit(ANSWER_IS_NO)
