"""How results leave the command line: printed, or written to files that appear only when they are complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from runoff.errors import UsageError

UNKNOWN_WIDTH: Final = 100
"""Characters on a line where there is no terminal to ask."""


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
