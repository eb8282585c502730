"""`runoff maintain`: labels kept up to date as runs come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.cli.options import exclude_option, output_options, reading_options, trials_option
from runoff.cli.output import run_progress, write_file, write_result


@click.command(
    epilog="""\b
Examples:
  runoff maintain new.run --labels labels.qrels --judgments judgments.csv --pairs-out pairs.txt
  runoff maintain --labels labels.qrels --judgments judgments.csv --labels-out labels-2.qrels
  runoff maintain *.run --labels labels.qrels --judgments judged.csv --sequential
  runoff maintain *.run --old labels.qrels --new labels-2.qrels"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--labels", metavar="FILE", help="The best known answers: qrels, or a version written before.")
@click.option("--judgments", multiple=True, metavar="FILE", help="Judgments so far; repeat it for more.")
@click.option(
    "--tasks",
    "task_files",
    multiple=True,
    metavar="FILE",
    help="The task file, which knows the test pairs; repeat it for more.",
)
@click.option(
    "--pairs-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the pairs that RUNs make necessary, for `runoff tasks --pairs`.",
)
@click.option(
    "--labels-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the labels after the judgments, with version and parents.",
)
@click.option(
    "--single-answers",
    is_flag=True,
    help="Make graded labels into single answers: the best known alone, all of grade 1.",
)
@exclude_option
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many top documents of each RUN are compared.",
)
@click.option(
    "--sequential",
    "is_sequential",
    is_flag=True,
    help="Let the top documents of RUNs meet the best known answer one at a time.",
)
@click.option(
    "--keep-lead",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="With --sequential: the answer stays if ahead by this many judgments.",
)
@click.option(
    "--replace-lead",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="With --sequential: it is replaced if behind by this many.",
)
@click.option(
    "--most-judgments",
    type=click.IntRange(min=1),
    default=9,
    show_default=True,
    help="With --sequential: after this many judgments of a pair the majority decides.",
)
@click.option("--old", metavar="FILE", help="With --new: compare two versions of the labels on RUNs.")
@click.option("--new", metavar="FILE", help="The newer version.")
@click.option(
    "-m", "--measure", default="RR@10", show_default=True, metavar="MEASURE", help="With --old and --new: the measure."
)
@trials_option
@reading_options
@output_options
def maintain(
    *,
    runs: tuple[str, ...],
    labels: str | None,
    judgments: tuple[str, ...],
    task_files: tuple[str, ...],
    pairs_out: Path | None,
    labels_out: Path | None,
    single_answers: bool,
    exclude: Any,
    depth: int,
    is_sequential: bool,
    keep_lead: int,
    replace_lead: int,
    most_judgments: int,
    old: str | None,
    new: str | None,
    measure: str,
    trials: int,
    tie_rule: str,
    duplicates: str,
    max_bytes: int,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """List what new RUNs make it necessary to judge, and take judgments into the labels.

    Only a RUN's top documents that never met the best known answer become pairs. A document that is preferred to the
    best known answer takes its place, in a new version of the labels; graded labels keep all of their rows, and it
    joins the best ones. With --sequential every query has at most one
    pair at a time, judged until the lead is clear. With --old and --new: what a version changes.
    """
    from runoff.preferences import SequentialPlan
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.maintain import MaintainOptions, label_changes, maintain_sequentially
    from runoff.verbs.maintain import maintain as maintain_labels

    if (labels is None) == (old is None) or (old is None) != (new is None):
        raise click.UsageError("give either --labels FILE, or --old FILE and --new FILE with RUNs")
    if is_sequential and (labels is None or not runs):
        raise click.UsageError("--sequential needs --labels FILE and RUNs, whose top documents are the candidates")
    if old is not None and not runs:
        raise click.UsageError("--old and --new need RUNs, whose ranks and verdicts are compared")
    reading = ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes)
    result: Any
    with run_progress(len(runs), quiet=quiet, what="reading runs") as progress:
        if labels is None:
            result = label_changes(
                runs,
                old or "",
                new or "",
                measures=measure,
                trials=trials,
                seed=seed,
                reading=reading,
                progress=progress,
            )
        else:
            known: dict[str, Any] = {
                "judgments": judgments,
                "tasks": task_files,
                "options": MaintainOptions(depth=depth, exclude=exclude, single_answers=single_answers),
                "reading": reading,
                "progress": progress,
            }
            if is_sequential:
                plan = SequentialPlan(keep_lead=keep_lead, replace_lead=replace_lead, most_judgments=most_judgments)
                result = maintain_sequentially(runs, labels, plan=plan, **known)
            else:
                result = maintain_labels(runs, labels, **known)
    if labels is not None and pairs_out is not None:
        write_file(pairs_out, "".join(result.pair_lines()))
    if labels is not None and labels_out is not None:
        write_file(labels_out, "".join(result.label_lines()))
    write_result(result, format_name, output)
