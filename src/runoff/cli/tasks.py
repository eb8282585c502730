"""`runoff tasks`: pairs dealt out to assessors, for crowdsourcing sites and colleagues."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from runoff.cli.options import Command, output_options, queries_option, read_query_file, reading_options
from runoff.cli.output import write_file, write_result

FILE = click.Path(dir_okay=False, path_type=Path)


def _source_options(command: Command) -> Command:
    for option in reversed(
        (
            click.option("--qrels", metavar="FILE", help="The labels, for the pools and for test pairs."),
            click.option(
                "--pairs",
                "pair_file",
                metavar="FILE",
                help="Instead of RUNs: the pairs, query and two documents on a line.",
            ),
            click.option(
                "--from", "task_file", metavar="FILE", help="Instead of RUNs: a task file, to export it again."
            ),
            click.option(
                "--only",
                "only_file",
                metavar="FILE",
                help="With --from: only the tasks in FILE, such as `runoff tally --reissue-out` wrote.",
            ),
            click.option(
                "--depth",
                type=click.IntRange(min=1),
                default=1,
                show_default=True,
                help="Top documents of each run that are pooled.",
            ),
            click.option(
                "--one-pair",
                "is_one_pair",
                is_flag=True,
                help="One pair per query of one RUN, as `runoff pool --one-pair` makes them.",
            ),
            click.option(
                "--sample", type=click.IntRange(min=1), metavar="N", help="Draw N queries, as `runoff pool` does."
            ),
            click.option(
                "--judged",
                multiple=True,
                metavar="FILE",
                help="Existing judgments; pairs that have enough of them are left out; repeat it for more.",
            ),
        )
    ):
        command = option(command)
    return command


def _plan_options(command: Command) -> Command:
    for option in reversed(
        (
            click.option(
                "--pairs-per-task",
                type=click.IntRange(min=1),
                default=10,
                show_default=True,
                help="Pairs in a task at most.",
            ),
            click.option(
                "--tests-per-task",
                type=click.IntRange(min=0),
                default=3,
                show_default=True,
                help="Test pairs in a task.",
            ),
            click.option(
                "--test-pairs",
                "known_file",
                metavar="FILE",
                help="Test pairs of your own: query, right and wrong document on a line.",
            ),
            click.option(
                "--judgments-per-pair",
                type=click.IntRange(min=1),
                default=1,
                show_default=True,
                help="Tasks that hold the same pair.",
            ),
        )
    ):
        command = option(command)
    return command


def _file_options(command: Command) -> Command:
    for option in reversed(
        (
            click.option(
                "--tasks-out",
                type=FILE,
                metavar="FILE",
                help="Write the task file; it holds the right answers, so keep it to yourself.",
            ),
            click.option("--query-texts", metavar="FILE", help="Texts of queries: TSV, JSON lines or Parquet."),
            click.option("--doc-texts", metavar="FILE", help="Texts of documents, of a collection of any size."),
            click.option(
                "--sheet", type=FILE, metavar="FILE", help="Write CSV with a pair in each row, to be filled in."
            ),
            click.option("--jsonl", type=FILE, metavar="FILE", help="Write JSON lines with a pair on each."),
            click.option(
                "--mturk",
                type=FILE,
                metavar="FILE",
                help="Write CSV with a task in each row, and beside it the page (.html) that shows it.",
            ),
            click.option(
                "--label-studio",
                type=FILE,
                metavar="FILE",
                help="Write JSON for Label Studio, and beside it its configuration (.xml).",
            ),
            click.option(
                "--simulate-judgments",
                "error",
                type=click.FloatRange(0, 0.5),
                metavar="ERROR",
                help="Answer the tasks by simulated assessors with this error rate; the truth is made up.",
            ),
            click.option("--judgments-out", type=FILE, metavar="FILE", help="Where simulated judgments go."),
        )
    ):
        command = option(command)
    return command


@click.command(
    epilog="""\b
Examples:
  runoff tasks *.run --qrels qrels.txt --sample 500 --tasks-out tasks.csv
  runoff tasks --from tasks.csv --query-texts q.tsv --doc-texts docs.tsv --mturk batch.csv
  runoff tasks --pairs pairs.txt --qrels qrels.txt --tasks-out more.csv"""
)
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@_source_options
@_plan_options
@_file_options
@queries_option
@reading_options
@output_options
def tasks(**options: Any) -> None:
    """Deal the pairs of pools out into tasks: ten pairs and three test pairs each, in random order, on random sides.

    A test pair sets the label of a query against that of another one. The same input and seed give the same tasks.
    """
    from dataclasses import replace

    _check(options)
    result = _made(options)
    texts = _texts(result.tasks, options)
    written: list[tuple[str, str]] = []

    def write(what: str, path: Path | None, content: str) -> None:
        if path is not None:
            write_file(path, content)
            written.append((what, str(path)))

    write("task file, with the right answers", options["tasks_out"], "".join(result.lines()))
    if texts is not None:
        if options["sheet"]:
            write("sheet to fill in", options["sheet"], texts.sheet())
        if options["jsonl"]:
            write("JSON lines", options["jsonl"], texts.jsonl())
        for name, what, suffix in (("mturk", "page of a task", ".html"), ("label_studio", "configuration", ".xml")):
            path: Path | None = options[name]
            if path is not None:
                content, beside = getattr(texts, name)()
                write("tasks to upload", path, content)
                write(what, path.with_suffix(suffix), beside)
    if options["error"] is not None:
        write("simulated judgments", options["judgments_out"], _answers(result.tasks, options))
    write_result(replace(result, written=tuple(written)), options["format_name"], options["output"])


def _check(options: dict[str, Any]) -> None:
    given = [name for name in ("runs", "pair_file", "task_file") if options[name]]
    if len(given) != 1:
        raise click.UsageError("give either RUNs and --qrels FILE, or --pairs FILE, or --from FILE")
    if options["runs"] and options["qrels"] is None:
        raise click.UsageError("RUNs need --qrels FILE, for the pools and for test pairs")
    if options["is_one_pair"] and (len(options["runs"]) != 1 or options["sample"] or options["depth"] != 1):
        raise click.UsageError(
            "--one-pair takes one RUN, and neither --depth nor --sample; it has a pair for each query"
        )
    exports = [name for name in ("sheet", "jsonl", "mturk", "label_studio") if options[name]]
    if exports and not (options["query_texts"] and options["doc_texts"]):
        raise click.UsageError(f"--{exports[0].replace('_', '-')} needs --query-texts FILE and --doc-texts FILE")
    if (options["error"] is None) != (options["judgments_out"] is None):
        raise click.UsageError("give --simulate-judgments ERROR and --judgments-out FILE together")
    if options["only_file"] and not options["task_file"]:
        raise click.UsageError("--only chooses among the tasks of --from FILE; give both")


def _made(options: dict[str, Any]) -> Any:
    from runoff.files.judging.judged_pairs import read_pairs
    from runoff.files.judging.task_table import read_tasks
    from runoff.preferences import TaskPlan
    from runoff.reading.judgments import read_judgment_files
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.pool import PoolOptions
    from runoff.verbs.tasks import result_of, tasks_of_pairs
    from runoff.verbs.tasks import tasks as make_tasks

    plan = TaskPlan(
        pairs_per_task=options["pairs_per_task"],
        tests_per_task=options["tests_per_task"],
        judgments_per_pair=options["judgments_per_pair"],
        seed=options["seed"],
    )
    reading = ReadOptions(
        tie_rule=options["tie_rule"], duplicates=options["duplicates"], max_bytes=options["max_bytes"]
    )
    if options["task_file"]:
        tasks = read_tasks(options["task_file"])
        if options["only_file"]:
            lines = Path(options["only_file"]).read_text(encoding="utf-8").splitlines()
            tasks = tasks.only([one for line in lines if (one := line.split(",")[0].strip()) and one != "task"])
        return result_of(tasks, plan=plan)
    judged = read_judgment_files(list(options["judged"]), reading=reading)[0] if options["judged"] else None
    known = read_pairs(options["known_file"]) if options["known_file"] else None
    if options["pair_file"]:
        pairs = read_pairs(options["pair_file"])
        return tasks_of_pairs(pairs, options["qrels"], plan=plan, judged=judged, known=known, reading=reading)
    if options["is_one_pair"]:
        from runoff.verbs.pool import one_pair

        asked = read_query_file(options["query_file"], options["max_bytes"])
        made = one_pair(options["runs"][0], options["qrels"], queries=asked, reading=reading)
        return tasks_of_pairs(made.pairs, options["qrels"], plan=plan, judged=judged, known=known, reading=reading)
    return make_tasks(
        list(options["runs"]),
        options["qrels"],
        options=PoolOptions(depth=options["depth"], sample=options["sample"], seed=options["seed"]),
        plan=plan,
        queries=read_query_file(options["query_file"], options["max_bytes"]),
        judged=judged,
        known=known,
        reading=reading,
    )


def _texts(tasks: Any, options: dict[str, Any]) -> Any:
    if not any(options[name] for name in ("sheet", "jsonl", "mturk", "label_studio")):
        return None
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.tasks import with_texts

    reading = ReadOptions(max_bytes=options["max_bytes"])
    return with_texts(tasks, options["query_texts"], options["doc_texts"], reading=reading)


def _answers(tasks: Any, options: dict[str, Any]) -> str:
    from runoff.files.judging.table import render_judgment_csv
    from runoff.simulation.panel import simulate_answers

    return "".join(render_judgment_csv(simulate_answers(tasks, error=options["error"], seed=options["seed"])))
