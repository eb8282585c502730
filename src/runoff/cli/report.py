"""`runoff report`: everything about a board in one page, and the check of one submission."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from runoff.choices import BOARD_MEASURE
from runoff.cli.options import (
    board_comparison_options,
    check_that_runs_are_no_measures,
    is_board_file,
    output_options,
    reading_options,
)
from runoff.cli.output import run_progress, write_folder, write_page, write_result

if TYPE_CHECKING:
    from runoff.reading.sources import ReadOptions
    from runoff.reports.result import SectionedResult
    from runoff.tables.board import Board

DEFAULT_OUTPUT: Final = "report.html"
NOT_FINE: Final = 1
"""Exit status with --exit-code if a submission's file is broken or it breaks a rule."""


@click.command(
    epilog="""\b
Examples:
  runoff report board.toml -o report.html
  runoff report bm25.run dense.run --qrels qrels.txt -m RR@10 -m nDCG@10
  runoff report board.toml --judgments judgments.csv --tasks tasks.csv
  runoff report board.toml --latex tables --figures figures
  runoff report board.toml --submission new.run --team us --format markdown --exit-code"""
)
@click.argument("sources", nargs=-1, required=True, metavar="board.toml | RUN...")
@click.option("--qrels", metavar="FILE", help="The judgments of the RUNs; a board.toml names its own.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure. The first one ranks RUNs, by default RR@10; others are further conditions.",
)
@board_comparison_options
@click.option("--title", metavar="TEXT", help="The title, instead of the board's.")
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples of the queries."
)
@click.option(
    "--splits", type=click.IntRange(min=1), default=100, show_default=True, help="Half-splits of the queries."
)
@click.option(
    "--top",
    type=click.IntRange(min=2),
    default=10,
    show_default=True,
    help="How many runs are compared in detail with the first.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Unfold everything and add what is left out by default: half-splits, IPSO beside the tests of measures, heat "
    "maps, tables of papers, charts as text.",
)
@click.option(
    "--latex",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every table into DIR too, as .tex for booktabs.",
)
@click.option(
    "--figures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Draw every chart into DIR too, as .svg, .png and .pdf at print size.",
)
@click.option(
    "--judgments",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Judgments of pairs, tallied in the section about the labels; repeat it for several.",
)
@click.option(
    "--tasks",
    "task_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The task file of the judgments, which knows the test pairs.",
)
@click.option(
    "--submission",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Print instead what the board would say about one more run.",
)
@click.option("--name", metavar="TEXT", help="The name of the submission; else metadata.json's or the file's.")
@click.option("--team", metavar="TEXT", help="The team of the submission; else metadata.json's.")
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="The date of the submission; else metadata.json's.",
)
@click.option(
    "--exit-code", is_flag=True, help="Exit with status 1 if the submission's file is broken or it breaks a rule."
)
@reading_options
@output_options
def report(
    *,
    sources: tuple[str, ...],
    qrels: str | None,
    measures: tuple[str, ...],
    depth: int | None,
    level: int | None,
    gains: tuple[float, ...] | None,
    title: str | None,
    trials: int,
    splits: int,
    top: int,
    full: bool,
    latex: Path | None,
    figures: Path | None,
    judgments: tuple[Path, ...],
    task_file: Path | None,
    submission: Path | None,
    name: str | None,
    team: str | None,
    day: datetime | None,
    exit_code: bool,
    tie_rule: str,
    duplicates: str,
    max_bytes: int,
    format_name: str,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Put everything about a board into one page that opens anywhere and loads nothing.

    The page is written to report.html unless --output says otherwise; other formats print. A board.toml of published
    means alone gives its order, records and submissions, and says what is not known. With --submission, print the
    rank, the margin over the record, the verdict, broken rules and faults of one more run.
    """
    from runoff.reading.sources import ReadOptions
    from runoff.verbs.report import ReportOptions
    from runoff.verbs.report import report as make_report

    is_described = is_board_file(sources)
    if is_described == (qrels is not None):
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml alone")
    check_that_runs_are_no_measures(sources)
    reading = ReadOptions(tie_rule=tie_rule, duplicates=duplicates, max_bytes=max_bytes)
    if submission is not None:
        if judgments or task_file:
            raise click.UsageError("--judgments and --tasks go with a report; leave them out with --submission")
        board = _board(sources, qrels, measures).overruled(depth=depth, level=level, gains=gains)
        _check(board, submission, (name, team, day), (trials, seed), reading, (format_name, output), quiet=quiet)
        return
    if name or team or day or exit_code:
        raise click.UsageError("--name, --team, --date and --exit-code go with --submission; leave them out")
    is_page = format_name == "html" or _is_default("format_name")
    if is_page or figures is not None:
        from runoff.display.charts import start_drawing

        start_drawing()  # its engine starts while the runs are read
    target = output or Path(DEFAULT_OUTPUT)
    options = ReportOptions(
        title=title,
        trials=trials,
        seed=seed,
        top=top,
        splits=splits,
        full=full,
        command=_command(sources, target.name if is_page else None),
        depth=depth,
        level=level,
        gains=gains,
    )
    with run_progress(len(sources), quiet=quiet, what="reading runs") as progress:
        result: SectionedResult = make_report(
            sources[0] if is_described else sources,
            qrels,
            measures=measures,
            options=options,
            judgments=judgments,
            tasks=task_file,
            reading=reading,
            progress=progress,
        )
    if latex is not None:
        write_folder(latex, ((file, text.encode("utf-8")) for file, text in result.latex_files()))
    if figures is not None:
        write_folder(figures, result.figure_files(".svg", ".png", ".pdf"))
    if not is_page:
        write_result(result, format_name, output)
        return
    write_page(result.to_page(), target)
    if str(target) != "-":
        click.echo(f"{result.headline}\n{target}")


def _board(sources: tuple[str, ...], qrels: str | None, measures: tuple[str, ...]) -> Board:
    from runoff.files.board_toml import read_board
    from runoff.verbs.report import listed_board

    if qrels is None:
        return read_board(sources[0])
    return listed_board(sources, qrels, measures=measures or BOARD_MEASURE)


def _check(
    board: Board,
    submission: Path,
    about: tuple[str | None, str | None, datetime | None],
    sampling: tuple[int, int],
    reading: ReadOptions,
    written: tuple[str, Path | None],
    *,
    quiet: bool,
) -> None:
    from runoff.verbs.report import check_submission, read_submission

    name, team, day = about
    run = read_submission(submission, name=name, team=team, day=day.date() if day else None)
    trials, seed = sampling
    with run_progress(len(board.runs) + 1, quiet=quiet, what="reading runs") as progress:
        result = check_submission(board, run, trials=trials, seed=seed, reading=reading, progress=progress)
    write_result(result, *written)
    if click.get_current_context().params["exit_code"] and not result.is_fine:
        raise click.exceptions.Exit(NOT_FINE)


def _is_default(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source in {None, click.core.ParameterSource.DEFAULT}


def _command(sources: tuple[str, ...], target: str | None) -> str:
    """The command that makes the report again: what was asked, and nothing that is usual."""
    context = click.get_current_context()
    words = ["runoff", "report", *sources]
    for parameter in context.command.params:
        value: Any = context.params.get(parameter.name or "")
        if (
            not isinstance(parameter, click.Option)
            or parameter.name in _NOT_THE_NUMBERS
            or _is_default(str(parameter.name))
        ):
            continue
        if parameter.name == "gains":
            value = ",".join(f"{gain:g}" for gain in value)
        for item in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[-1]] if parameter.is_flag else [parameter.opts[-1], str(item)]
    return shlex.join([*words, "-o", target] if target else words)


_NOT_THE_NUMBERS: Final = {"output", "quiet", "latex", "figures", "format_name"}
