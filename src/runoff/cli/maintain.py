"""`runoff maintain`: labels kept up to date as runs come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.choices import DEFAULT_MEASURE
from runoff.cli.options import count_option, exclude_option, file_option, output_options, trials_option
from runoff.cli.output import Output, write_file
from runoff.cli.reading_options import Reading, reading_options


@click.command(
    epilog="""\b
Examples:
  runoff maintain new.run --labels labels.qrels --judgments judgments.csv --pairs-out pairs.txt
  runoff maintain --labels labels.qrels --judgments judgments.csv --labels-out labels-2.qrels
  runoff maintain *.run --labels labels.qrels --judgments judged.csv --sequential
  runoff maintain *.run --old labels.qrels --new labels-2.qrels"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--labels", metavar="FILE", help="The best known answers: qrels, or an earlier version of the labels.")
@click.option("--judgments", multiple=True, metavar="FILE", help="Judgments so far; repeat it for more files.")
@click.option(
    "--tasks", multiple=True, metavar="FILE", help="The task file, which knows the test pairs; repeat it for more."
)
@file_option("--pairs-out", help="Write the pairs to judge because of RUNs, for `runoff tasks --pairs`.")
@file_option("--labels-out", help="Write the labels after the judgments, with version and parents.")
@click.option(
    "--single-answers",
    is_flag=True,
    help="Make graded labels into single answers: only the best known, all of grade 1.",
)
@exclude_option
@count_option("--depth", "How many top documents of each RUN are compared.", default=1)
@click.option(
    "--sequential", is_flag=True, help="Compare the top documents of RUNs with the best known answer one at a time."
)
@count_option("--keep-lead", "With --sequential: the answer stays if ahead by this many judgments.", default=2)
@count_option("--replace-lead", "With --sequential: it is replaced if behind by this many.", default=3)
@count_option(
    "--most-judgments", "With --sequential: after this many judgments of a pair the majority decides.", default=9
)
@click.option("--old", metavar="FILE", help="With --new: compare two versions of the labels on RUNs.")
@click.option("--new", metavar="FILE", help="The newer version.")
@click.option("-m", "--measure", metavar="MEASURE", help=f"With --old and --new: the measure, {DEFAULT_MEASURE}.")
@trials_option
@reading_options
@output_options()
def maintain(
    *,
    runs: tuple[str, ...],
    labels: str | None,
    judgments: tuple[str, ...],
    tasks: tuple[str, ...],
    pairs_out: Path | None,
    labels_out: Path | None,
    sequential: bool,
    keep_lead: int,
    replace_lead: int,
    most_judgments: int,
    old: str | None,
    new: str | None,
    measure: str | None,
    trials: int,
    seed: int,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """List what must be judged because of new RUNs, and update the labels with judgments.

    Only a RUN's top documents that were never compared with the best known answer become pairs. A document that is
    preferred to the best known answer takes its place, in a new version of the labels; graded labels keep all of their
    rows, and it joins the best ones. With --sequential every query has at most one pair at a time, judged until the
    lead is clear. With --old and --new: what a version changes.
    """
    from runoff.preferences import SequentialPlan
    from runoff.verbs.maintain import MaintainOptions, label_changes, maintain_sequentially
    from runoff.verbs.maintain import maintain as maintain_labels

    if (labels is None) == (old is None) or (old is None) != (new is None):
        raise click.UsageError("give either --labels FILE, or --old FILE and --new FILE with RUNs")
    if sequential and (labels is None or not runs):
        raise click.UsageError("--sequential needs --labels FILE and RUNs, whose top documents are the candidates")
    if old is not None and not runs:
        raise click.UsageError("--old and --new need RUNs, whose ranks and verdicts are compared")
    result: Any
    with out.progress(len(runs), "reading runs") as progress:
        files: dict[str, Any] = {"reading": reading.options(), "progress": progress}
        if labels is None:
            result = label_changes(runs, old or "", new or "", measures=measure, trials=trials, seed=seed, **files)
        else:
            files |= {"judgments": judgments, "tasks": tasks, "options": MaintainOptions(**options)}
            if sequential:
                plan = SequentialPlan(keep_lead=keep_lead, replace_lead=replace_lead, most_judgments=most_judgments)
                result = maintain_sequentially(runs, labels, plan=plan, **files)
            else:
                result = maintain_labels(runs, labels, **files)
    if labels is not None and pairs_out is not None:
        write_file(pairs_out, "".join(result.pair_lines()))
    if labels is not None and labels_out is not None:
        write_file(labels_out, "".join(result.label_lines()))
    out.write(result, note=result.measure_note if labels is None else "")
