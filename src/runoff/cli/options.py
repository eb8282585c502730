"""Options that several verbs share, and how results leave the command line."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from runoff.errors import UsageError

if TYPE_CHECKING:
    from runoff.server.site import SiteSettings
    from runoff.tables.board import Board

Command = TypeVar("Command", bound=Callable[..., Any])

FORMAT_NAMES: Final = ("table", "json", "csv", "latex", "html", "markdown")
"""The same as `runoff.display.FORMAT_NAMES`, which is not imported to keep help quick; a test compares them."""
PARQUET: Final = "parquet"
"""A format for scores that are too many for a text."""
TIE_RULE_NAMES: Final = ("trec_eval", "float32", "file", "doc_ascending")
"""The same as `runoff.tables.ranked_lists.TIE_RULES`."""
DUPLICATE_RULE_NAMES: Final = ("error", "first", "best")
"""The same as `runoff.tables.ranked_lists.DUPLICATE_RULES`."""
FIGURE_SUFFIXES: Final = (".svg", ".png", ".pdf")
"""The same as `runoff.display.charts.SUFFIXES`."""
UNKNOWN_WIDTH: Final = 100
"""Characters on a line where there is no terminal to ask."""
_SUFFIXES: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def size_of(text: str) -> int:
    """The number of bytes that a text names, with an optional K, M, G or T behind it.

    >>> size_of("500M")
    524288000
    """
    factor = _SUFFIXES.get(text[-1:].lower(), 1)
    digits = text[:-1] if factor > 1 else text
    if not (digits.isascii() and digits.isdecimal()) or int(digits) == 0:
        raise click.BadParameter(f"'{text}' is not a size; expected bytes such as 500000000, 500M or 64G")
    return int(digits) * factor


def output_options(command: Command) -> Command:
    """`--format`, `--output`, `--seed`, `--quiet`: what every verb has that prints results."""
    return _output_options(
        command,
        click.option("--format", "format_name", type=click.Choice(FORMAT_NAMES), default="table", show_default=True,
                     help="How to write the result."),
        click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Write the result to FILE, not to the screen; - is the screen."),
    )  # fmt: skip


def score_output_options(command: Command) -> Command:
    """The same for a verb that can also write single scores into a folder of Parquet files."""
    return _output_options(
        command,
        click.option("--format", "format_name", type=click.Choice((*FORMAT_NAMES, PARQUET)), default="table",
                     show_default=True, help="How to write the result; parquet goes with --per-query and a folder."),
        click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE",
                     help="Write the result to FILE, not to the screen; - is the screen. For parquet a new folder."),
    )  # fmt: skip


def _output_options(command: Command, *own: Callable[[Any], Any]) -> Command:
    for option in reversed((
        *own,
        click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
                     help="Seed for everything random."),
        click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
    )):  # fmt: skip
        command = option(command)
    return command


def reading_options(command: Command) -> Command:
    """`--tie-rule`, `--duplicates`, `--max-bytes`: how run and qrels files are read."""
    for option in reversed((
        click.option("--tie-rule", type=click.Choice(TIE_RULE_NAMES), default="trec_eval", show_default=True,
                     help="How documents with equal scores are ordered: by document id, descending (trec_eval); the "
                          "same with scores as float32, like pytrec_eval and ir_measures (float32); as in the file "
                          "(file); by document id, ascending, like RR@k and Judged@k of ir_measures "
                          "(doc_ascending)."),
        click.option("--duplicates", type=click.Choice(DUPLICATE_RULE_NAMES), default="error", show_default=True,
                     help="What becomes of a document that a run lists more than once for a query: it is an error; "
                          "its first row is kept (first); its row with the highest score is kept (best). Dropped "
                          "rows are counted."),
        click.option("--max-bytes", type=size_of, default="64G", show_default=True, metavar="SIZE",
                     help="Refuse files that are larger than this when decompressed."),
    )):  # fmt: skip
        command = option(command)
    return command


def site_options(command: Command) -> Command:
    """`--config`, `--database`, `--folder`: which server."""
    for option in reversed((
        click.option("--config", type=click.Path(dir_okay=False, exists=True, path_type=Path), metavar="FILE",
                     help="Settings of the server in TOML; variables such as RUNOFF_TITLE overrule them."),
        click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://PERSON@HOST/NAME."),
        click.option("--folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
                     help="Where uploaded files are kept."),
    )):  # fmt: skip
        command = option(command)
    return command


def settings_of(config: Path | None, **options: object) -> SiteSettings:
    """The settings of a server: those of a file, overruled by the environment, and that by options."""
    from runoff.server.site import read_site_settings

    return read_site_settings(config, environment=os.environ, options=options)


def comparison_options(command: Command) -> Command:
    """`--depth`, `--level`, `--gains`: what comparisons of runs look at; None where nothing was asked."""
    return _comparison_options(command, "")


def board_comparison_options(command: Command) -> Command:
    """The same for a verb that takes a board.toml, which these options overrule (`Board.overruled`)."""
    return _comparison_options(command, "; a board.toml names its own")


def _comparison_options(command: Command, otherwise: str) -> Command:
    for option in reversed((
        click.option("--depth", type=click.IntRange(min=1), metavar="K",
                     help=f"Ranks that outcomes and IPSO look at; the measure's cutoff, or 100{otherwise}."),
        click.option("--level", type=click.IntRange(min=1), metavar="GRADE",
                     help=f"The lowest grade that counts as relevant; the measure's own{otherwise}."),
        gains_option,
    )):  # fmt: skip
        command = option(command)
    return command


def level_option(command: Command) -> Command:
    """`--level`: IPSO with graded labels, without gains."""
    option = click.option("--level", type=click.IntRange(min=1), metavar="GRADE",
                          help="Instead of gains: the lowest grade that counts as relevant.")  # fmt: skip
    return option(command)


def gains_option(command: Command) -> Command:
    """`--gains`: what each grade is worth to IPSO."""
    option = click.option("--gains", callback=_gains, metavar="G0,G1,...",
                          help="The gain of every grade from 0, for IPSO with graded labels: 0,0.2,0.8,1")  # fmt: skip
    return option(command)


def _gains(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        gains = tuple(float(one) for one in value.split(","))
    except ValueError:
        gains = (math.nan,)
    if not all(map(math.isfinite, gains)):
        raise click.BadParameter(
            f"'{value}' is not a list of numbers; expected one gain per grade, such as 0,0.5,1", ctx=ctx, param=param
        )
    return gains


def trials_option(command: Command) -> Command:
    """`--trials`: how many bootstrap samples of the queries."""
    option = click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True,
                          help="Bootstrap samples of the queries.")  # fmt: skip
    return option(command)


def exclude_option(command: Command) -> Command:
    """`--exclude`: what a failed test pair discards."""
    option = click.option("--exclude", type=click.Choice(["task", "assessor"]), default="task", show_default=True,
                          help="What a failed test pair discards: that task's judgments, or all of the "
                               "assessor.")  # fmt: skip
    return option(command)


def queries_option(command: Command) -> Command:
    """`--queries`: look at some of the queries only; `read_query_file` reads it."""
    option = click.option("--queries", "query_file", type=click.Path(path_type=Path), metavar="FILE",
                          help="Use only the queries in FILE, one id per line.")  # fmt: skip
    return option(command)


def read_query_file(path: Path | None, max_bytes: int) -> tuple[str, ...] | None:
    """The query ids in a file; None without one."""
    from runoff.files.query_list import read_query_list

    return None if path is None else read_query_list(path, max_bytes=max_bytes)


def is_board_file(runs: Sequence[str]) -> bool:
    """Whether a board.toml is named instead of runs."""
    return len(runs) == 1 and runs[0].endswith(".toml")


def board_set_options(command: Command) -> Command:
    """`--labels` and `--query-set`, which choose among the sets of a board.toml."""
    told = "The query set of board.toml; public if there is one, else all queries."
    command = click.option("--query-set", metavar="NAME", help=told)(command)
    return click.option("--labels", metavar="NAME", help="The label set of board.toml; the first.")(command)


def overruled_board(
    path: str, *, qrels: str | None = None, query_file: Path | None = None, measure: str | None = None
) -> Board:
    """The board of a board.toml, with other labels, queries or another measure where these are given."""
    from dataclasses import replace

    from runoff.files.board_toml import read_board

    board = read_board(path)
    if qrels is not None:
        board = replace(board, labels={"qrels": Path(qrels)}, label_levels={})
    if query_file is not None:
        board = replace(board, queries={"public": query_file})
    return board if measure is None else replace(board, measure=measure)


def check_that_runs_are_no_measures(runs: Sequence[str]) -> None:
    """Explain `-m RR@10 nDCG@10`, where the second measure is taken for a run."""
    for run in runs:
        if "@" in run and "://" not in run and not Path(run).exists():
            raise UsageError(f"{run}: no such file; expected a run; if it is a measure, write -m {run}")


def figure_options(command: Command) -> Command:
    """`--figure`, `--chart`: the result as a picture too; `write_figure` writes it."""
    for option in reversed((
        click.option("--figure", type=click.Path(dir_okay=False, path_type=Path), callback=_figure, metavar="FILE",
                     help="Draw the result into FILE too, an .svg, .png or .pdf."),
        click.option("--chart", metavar="NAME", help="Which chart --figure draws, if not the main one of the verb."),
    )):  # fmt: skip
        command = option(command)
    return command


def _figure(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value.suffix.lower() not in FIGURE_SUFFIXES:
        raise click.BadParameter(
            f"'{value}' is no picture that can be drawn; expected a name that ends in {', '.join(FIGURE_SUFFIXES)}",
            ctx=ctx,
            param=param,
        )
    if value is not None:
        from runoff.display.charts import start_drawing

        start_drawing()
    return value


def write_figure(result: Any, figure: Path | None, chart: str | None) -> None:
    """Draw a result into a file that appears only when it is complete; nothing without one."""
    if figure is None:
        if chart is not None:
            raise click.UsageError("--chart names what --figure draws; give --figure FILE too")
        return
    _write(figure, result.chart(chart).to_file(figure.suffix))


def write_page(page: str, output: Path) -> None:
    """Put a page into a file that appears only when it is complete; - is the screen."""
    if str(output) == "-":
        click.echo(_bytes_of(page), nl=False)
        return
    _write(output, _bytes_of(page))


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Put some files into a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror}); expected a folder; name another") from None
    for name, content in files:
        _write(folder / name, content)


def write_result(result: Any, format_name: str, output: Path | None) -> None:
    """Print a result, or put it into a file that appears only when it is complete."""
    from runoff.display import render

    if output is None or str(output) == "-":
        is_terminal = sys.stdout is not None and sys.stdout.isatty()  # None where it was closed
        width = _terminal_width() if is_terminal else UNKNOWN_WIDTH
        colour = is_terminal and "NO_COLOR" not in os.environ
        click.echo(_bytes_of(render(result, format_name, width=width, colour=colour)), nl=False)
        return
    write_file(output, render(result, format_name, width=UNKNOWN_WIDTH, colour=False))


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns


def write_file(output: Path, text: str) -> None:
    """Put a text into a file that appears, or changes, only when it is complete."""
    _write(output, _bytes_of(text))


def _write(output: Path, content: bytes) -> None:
    try:
        if output.exists() and not output.is_file():  # a pipe or a device, which must not be replaced
            output.write_bytes(content)
        else:
            _replace(output.resolve(), content)
    except OSError as error:
        raise UsageError(
            f"{output}: cannot be written ({error.strerror}); expected a file in a folder that is there and can be "
            "written to; name another"
        ) from None


def _bytes_of(text: str) -> bytes:
    """UTF-8 wherever it goes; what a file name holds that is not text is written out."""
    return text.encode("utf-8", "backslashreplace")


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside its final place and move it there, so that nobody sees half of it."""
    import tempfile

    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:99]}.", delete=False) as file:
        beside = Path(file.name)
        try:
            file.write(content)
            file.close()
            beside.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def run_progress(runs: int, *, quiet: bool, what: str = "scoring runs") -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar over runs, with an estimate of what is left, on a terminal and from the first second on.

    Something else that is done one by one, such as splits, is counted in place of runs, and `what` says so; of runs in
    many files the parts are counted. There is no bar for a single thing.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("runs", total=runs)

    def show() -> None:
        if (bar.tasks[0].total or 0) > 1:
            bar.start()

    later = Timer(1.0, show)
    later.daemon = True
    later.start()

    def report(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if later.finished.is_set():  # the second is over, and only now there may be more than one thing
            show()

    try:
        yield report
    finally:
        later.cancel()
        later.join()
        bar.stop()
