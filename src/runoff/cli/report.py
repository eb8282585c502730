"""`runoff report`: everything about a board in one page, and the check of one submission."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from runoff.choices import DEFAULT_MEASURE
from runoff.cli.options import (
    ANSWER_IS_NO,
    board_qrels_option,
    check_that_runs_are_no_measures,
    comparison_options,
    count_option,
    exit_code_option,
    file_option,
    files_option,
    folder_option,
    is_board_file,
    measures_option,
    output_options,
    trials_option,
)
from runoff.cli.output import Output, write_folder, write_page
from runoff.cli.reading_options import Reading, reading_options

if TYPE_CHECKING:
    from runoff.reports.result import SectionedResult
    from runoff.tables.board import Board

DEFAULT_OUTPUT: Final = "report.html"


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
@board_qrels_option
@measures_option(help=f"A measure; repeat it for more. The first one ranks RUNs, {DEFAULT_MEASURE}.")
@comparison_options(board=True)
@click.option("--title", metavar="TEXT", help="The title, instead of the board's.")
@trials_option
@count_option("--splits", "Half-splits of the queries.", default=100)
@count_option("--top", "How many runs are compared in detail with the leader.", default=10, least=2)
@click.option(
    "--full",
    is_flag=True,
    help="Unfold everything, and add half-splits, IPSO beside the tests of measures, heat maps, tables for papers and "
    "charts as text.",
)
@folder_option("--latex", help="Also write every table into DIR, as .tex for booktabs.")
@folder_option("--figures", help="Also draw every chart into DIR, as .svg, .png and .pdf at print size.")
@files_option("--judgments", help="Judgments of pairs, for the section about the labels; repeat it for more files.")
@file_option("--tasks", help="The task file of the judgments, which knows the test pairs.")
@click.option(
    "--submission",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Print what the board would say about one more run instead.",
)
@click.option("--name", metavar="TEXT", help="The submission's name; by default that in metadata.json, or of the file.")
@click.option("--team", metavar="TEXT", help="The submission's team; by default that in metadata.json.")
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="The submission's date; by default that in metadata.json.",
)
@exit_code_option(help="Exit with status 1 if the submission's file is broken or it breaks a rule.")
@reading_options
@output_options()
def report(
    *,
    sources: tuple[str, ...],
    qrels: str | None,
    measures: tuple[str, ...],
    latex: Path | None,
    figures: Path | None,
    judgments: tuple[Path, ...],
    tasks: Path | None,
    submission: Path | None,
    name: str | None,
    team: str | None,
    day: datetime | None,
    exit_code: bool,
    reading: Reading,
    out: Output,
    **options: Any,
) -> None:
    """Put everything about a board into one page that opens anywhere and loads nothing.

    The page is written to report.html unless --output says otherwise; other formats print. For a board.toml with only
    published means, it shows the order, the records and the submissions, and says what cannot be known. With
    --submission, print the rank, the margin over the record, the verdict, broken rules and faults of one more run.
    """
    from runoff.verbs.report import ReportOptions, check_submission, read_submission
    from runoff.verbs.report import report as make_report

    is_described = is_board_file(sources)
    if is_described == (qrels is not None):
        raise click.UsageError("give RUNs and --qrels FILE, or a board.toml alone")
    check_that_runs_are_no_measures(sources)
    if submission is not None:
        if judgments or tasks:
            raise click.UsageError("--judgments and --tasks go with a report; leave them out with --submission")
        compared = {name: options[name] for name in ("depth", "level", "gains")}
        board = _board(sources, qrels, measures).overruled(**compared)
        run = read_submission(submission, name=name, team=team, day=day.date() if day else None)
        sampling = {name: options[name] for name in ("trials", "seed")}
        with out.progress(len(board.runs) + 1, "reading runs") as progress:
            check = check_submission(board, run, reading=reading.options(), progress=progress, **sampling)
        out.write(check)
        if exit_code and not check.is_fine:
            raise click.exceptions.Exit(ANSWER_IS_NO)
        return
    if name or team or day or exit_code:
        raise click.UsageError("--name, --team, --date and --exit-code go with --submission; leave them out")
    is_page = out.format_name == "html" or _is_default("format_name")
    if is_page or figures is not None:
        from runoff.display.charts import start_drawing

        start_drawing()  # its engine starts while the runs are read
    target = out.file or Path(DEFAULT_OUTPUT)
    with out.progress(len(sources), "reading runs") as progress:
        result: SectionedResult = make_report(
            sources[0] if is_described else sources,
            qrels,
            measures=measures or None,
            options=ReportOptions(command=_command(sources, target.name if is_page else None), **options),
            judgments=judgments,
            tasks=tasks,
            reading=reading.options(),
            progress=progress,
        )
    if latex is not None:
        write_folder(latex, ((file, text.encode("utf-8")) for file, text in result.latex_files()))
    if figures is not None:
        write_folder(figures, result.figure_files(".svg", ".png", ".pdf"))
    if not is_page:
        out.write(result)
        return
    write_page(result.to_page(), target)
    if str(target) != "-":
        click.echo(f"{result.headline}\n{target}")


def _board(sources: tuple[str, ...], qrels: str | None, measures: tuple[str, ...]) -> Board:
    from runoff.files.board_toml import read_board
    from runoff.verbs.report import listed_board

    if qrels is None:
        return read_board(sources[0])
    return listed_board(sources, qrels, measures=measures or None)


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


_NOT_THE_NUMBERS: Final = {"file", "quiet", "latex", "figures", "format_name"}
