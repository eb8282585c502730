"""`runoff tasks`: pairs dealt out to assessors, for crowdsourcing sites and colleagues."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runoff.cli.options import count_option, file_option, output_options, queries_option
from runoff.cli.output import Output, write_file
from runoff.cli.reading_options import Reading, reading_options

if TYPE_CHECKING:
    from runoff.preferences import TaskPlan
    from runoff.verbs.tasks import TasksResult, TaskTexts

EXPORTS: dict[str, tuple[str, Callable[[TaskTexts], tuple[str, ...]], tuple[str, str]]] = {
    "sheet": ("sheet to fill in", lambda texts: (texts.sheet(),), ("", "")),
    "jsonl": ("JSON lines", lambda texts: (texts.jsonl(),), ("", "")),
    "mturk": ("tasks to upload", lambda texts: texts.mturk(), ("page of a task", ".html")),
    "label_studio": ("tasks to upload", lambda texts: texts.label_studio(), ("configuration", ".xml")),
}
"""Options that write tasks with their texts: what the file is called, its content, and a second file beside it."""


@click.command(
    epilog="""\b
Examples:
  runoff tasks *.run --qrels qrels.txt --sample 500 --tasks-out tasks.csv
  runoff tasks --from tasks.csv --query-texts q.tsv --doc-texts docs.tsv --mturk batch.csv
  runoff tasks --pairs pairs.txt --qrels qrels.txt --tasks-out more.csv"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--qrels", metavar="FILE", help="The labels, for the pools and for test pairs.")
@click.option(
    "--pairs", "pair_file", metavar="FILE", help="Instead of RUNs: pairs, a query and two documents per line."
)
@click.option("--from", "task_file", metavar="FILE", help="Instead of RUNs: a task file, to export it again.")
@click.option(
    "--only",
    "only_file",
    metavar="FILE",
    help="With --from: only the tasks in FILE, such as one that `runoff tally --reissue-out` wrote.",
)
@count_option("--depth", "Top documents of each run that are pooled.", default=1)
@click.option("--one-pair", is_flag=True, help="One pair per query of one RUN, as `runoff pool --one-pair` makes them.")
@count_option("--sample", "Draw N queries, as `runoff pool` does.", metavar="N")
@click.option(
    "--judged",
    multiple=True,
    metavar="FILE",
    help="Existing judgments; pairs that have enough of them are left out. Repeat it for more files.",
)
@count_option("--pairs-per-task", "Pairs in a task at most.", default=10)
@count_option("--tests-per-task", "Test pairs in a task.", default=3, least=0)
@click.option(
    "--test-pairs",
    "known_file",
    metavar="FILE",
    help="Your own test pairs: a query, the right and the wrong document per line.",
)
@count_option("--judgments-per-pair", "Tasks that hold the same pair.", default=1)
@file_option("--tasks-out", help="Write the task file; it holds the right answers, so keep it to yourself.")
@click.option("--query-texts", metavar="FILE", help="Texts of queries: TSV, JSON lines or Parquet, or irds:DATASET.")
@click.option("--doc-texts", metavar="FILE", help="Texts of documents, of a collection of any size.")
@file_option("--sheet", help="Write CSV with a pair in each row, to be filled in.")
@file_option("--jsonl", help="Write JSON lines with a pair on each.")
@file_option("--mturk", help="Write CSV with a task in each row, and next to it the page (.html) that shows it.")
@file_option("--label-studio", help="Write JSON for Label Studio, and next to it its configuration (.xml).")
@click.option(
    "--simulate-judgments",
    "error",
    type=click.FloatRange(0, 0.5),
    metavar="ERROR",
    help="Simulate assessors with this error rate, whose truth is made up.",
)
@file_option("--judgments-out", help="Where simulated judgments go.")
@queries_option
@reading_options
@output_options()
def tasks(*, reading: Reading, out: Output, **options: Any) -> None:
    """Deal the pairs of pools out into tasks: ten pairs and three test pairs each, in random order, on random sides.

    A test pair sets the label of a query against that of another one. The same input and seed give the same tasks.
    """
    from dataclasses import replace

    from runoff.preferences import TaskPlan

    _check(options)
    counts = ("pairs_per_task", "tests_per_task", "judgments_per_pair", "seed")
    result = _make(TaskPlan(**{name: options[name] for name in counts}), reading, options)
    written: list[tuple[str, str]] = []

    def write(kind: str, path: Path, content: str) -> None:
        write_file(path, content)
        written.append((kind, str(path)))

    if options["tasks_out"]:
        write("task file, with the right answers", options["tasks_out"], "".join(result.lines()))
    exports = [name for name in EXPORTS if options[name]]
    if exports:
        from runoff.verbs.tasks import with_texts

        texts = with_texts(result.tasks, options["query_texts"], options["doc_texts"], reading=reading.options())
        for name in exports:
            kind, contents, (second_kind, suffix) = EXPORTS[name]
            content, *second = contents(texts)
            write(kind, options[name], content)
            for text in second:
                write(second_kind, options[name].with_suffix(suffix), text)
    if options["error"] is not None:
        from runoff.files.judging.table import render_judgment_csv
        from runoff.simulation.panel import simulate_answers

        answers = simulate_answers(result.tasks, error=options["error"], seed=options["seed"])
        write("simulated judgments", options["judgments_out"], "".join(render_judgment_csv(answers)))
    out.write(replace(result, written=tuple(written)))


def _check(options: dict[str, Any]) -> None:
    if sum(bool(options[name]) for name in ("runs", "pair_file", "task_file")) != 1:
        raise click.UsageError("give either RUNs and --qrels FILE, or --pairs FILE, or --from FILE")
    if options["runs"] and options["qrels"] is None:
        raise click.UsageError("RUNs need --qrels FILE, for the pools and for test pairs")
    if options["one_pair"] and (len(options["runs"]) != 1 or options["sample"] or options["depth"] != 1):
        raise click.UsageError("--one-pair takes one RUN, and no --depth or --sample; it has one pair for each query")
    exports = [name for name in EXPORTS if options[name]]
    if exports and not (options["query_texts"] and options["doc_texts"]):
        raise click.UsageError(f"--{exports[0].replace('_', '-')} needs --query-texts FILE and --doc-texts FILE")
    if (options["error"] is None) != (options["judgments_out"] is None):
        raise click.UsageError("give --simulate-judgments ERROR and --judgments-out FILE together")
    if options["only_file"] and not options["task_file"]:
        raise click.UsageError("--only chooses among the tasks of --from FILE; give both")


def _make(plan: TaskPlan, reading: Reading, options: dict[str, Any]) -> TasksResult:
    """The tasks of a file, of pairs, or of runs."""
    from runoff.files.judging.judged_pairs import read_pairs
    from runoff.files.judging.task_table import read_tasks
    from runoff.reading.judgments import read_judgment_files
    from runoff.verbs.pool import PoolOptions, one_pair
    from runoff.verbs.tasks import result_of, tasks_of_pairs
    from runoff.verbs.tasks import tasks as make_tasks

    runs, qrels, read_options = list(options["runs"]), options["qrels"], reading.options()
    if options["task_file"]:
        tasks = read_tasks(options["task_file"])
        if options["only_file"]:
            lines = Path(options["only_file"]).read_text(encoding="utf-8").splitlines()
            names = [line.split(",")[0].strip() for line in lines]
            tasks = tasks.only([name for name in names if name and name != "task"])
        return result_of(tasks, plan=plan)
    judged = read_judgment_files(list(options["judged"]), reading=read_options)[0] if options["judged"] else None
    known = read_pairs(options["known_file"]) if options["known_file"] else None
    more: dict[str, Any] = {"plan": plan, "judged": judged, "known": known, "reading": read_options}
    if options["pair_file"]:
        return tasks_of_pairs(read_pairs(options["pair_file"]), qrels, **more)
    queries = reading.query_list(options["query_file"])
    if options["one_pair"]:
        pairs = one_pair(runs[0], qrels, queries=queries, reading=read_options).pairs
        return tasks_of_pairs(pairs, qrels, **more)
    pool_options = PoolOptions(depth=options["depth"], sample=options["sample"], seed=options["seed"])
    return make_tasks(runs, qrels, options=pool_options, queries=queries, **more)
