"""How results leave the command line: printed, or written to files that appear only when they are complete."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from runoff.choices import FIGURE_SUFFIXES
from runoff.errors import UsageError
from runoff.files.whole import write_whole

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is."""

UNKNOWN_WIDTH: Final = 100
"""Characters on a line where there is no terminal to ask."""
_ENDS: Final = 1 << 20
"""Characters at both ends of a text, among which notes are."""


@dataclass(frozen=True, kw_only=True)
class Output:
    """How and where a command writes its result, and whether a progress bar is shown.

    format_name  one of `choices.FORMATS`; if None, what the file's name ends with says it, else it is a table
    file         instead of the screen; - is the screen
    figure       a picture of the result too
    chart        which chart that is; the main one if None
    """

    format_name: str | None
    file: Path | None
    quiet: bool
    figure: Path | None = None
    chart: str | None = None

    def __post_init__(self) -> None:
        if self.format_name is None:
            object.__setattr__(self, "format_name", _format_of(self.file))

    def write(self, result: Any, *, drawn: Any = None, note: str = "") -> None:
        """Draw a result if a figure is wanted, then print it or put it into a file.

        drawn  what is drawn, if not the result itself
        note   a sentence that goes to stderr where the text does not hold it, as CSV
        """
        from runoff.display import render

        if self.figure is not None:
            write_whole(self.figure, (drawn or result).chart(self.chart).to_file(self.figure.suffix))
        elif self.chart is not None:
            raise click.UsageError("--chart names what --figure draws; give --figure FILE too")
        form = self.format_name or "table"
        is_terminal = sys.stdout is not None and sys.stdout.isatty()  # None where it was closed
        if self.file is not None and str(self.file) != "-":
            text = render(result, form, width=UNKNOWN_WIDTH, colour=False)
            write_file(self.file, text)
        else:
            width = shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns if is_terminal else UNKNOWN_WIDTH
            colour = is_terminal and "NO_COLOR" not in os.environ
            text = render(result, form, width=width, colour=colour)
            click.echo(_bytes_of(text), nl=False)
        if not self.quiet and note not in " ".join((text[:_ENDS] + text[-_ENDS:]).split()):
            click.echo(note, err=True)

    @contextmanager
    def progress(self, total: int, doing: str = "scoring runs", *, in_bytes: bool = False) -> Iterator[Progress | None]:
        """A progress bar with an estimate of what is left, on a terminal and after the first second.

        The total may change on the way: runs in many files are counted in parts. There is no bar for a single thing.
        """
        if self.quiet or not sys.stderr.isatty():
            yield None
            return
        from threading import Timer

        from rich import progress as rich
        from rich.console import Console

        columns = (
            (rich.DownloadColumn(), rich.TransferSpeedColumn())
            if in_bytes
            else (rich.MofNCompleteColumn(), rich.TimeRemainingColumn())
        )
        bar = rich.Progress(
            rich.TextColumn(doing, markup=False),
            rich.BarColumn(),
            *columns,
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task("", total=total)

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


def _format_of(file: Path | None) -> str:
    """The format that the name of a file ends with; a table if it says none."""
    suffix = "" if file is None else file.suffix.lower()
    if suffix in FIGURE_SUFFIXES:
        raise click.UsageError(
            f"{file}: the ending of a drawing, which --figure makes; expected another, such as .txt or .json"
        )
    if not suffix:
        return "table"
    from runoff.display import FORMATS

    return next((form.name for form in FORMATS if form.suffix == suffix), "table")


def write_page(page: str, output: Path) -> None:
    """Put a page into a file that appears only when it is complete; - is the screen."""
    if str(output) == "-":
        click.echo(_bytes_of(page), nl=False)
        return
    write_whole(output, _bytes_of(page))


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Put some files into a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror}); expected a folder; name another") from None
    for name, content in files:
        write_whole(folder / name, content)


def write_file(output: Path, text: str) -> None:
    """Put a text into a file that appears, or changes, only when it is complete."""
    write_whole(output, _bytes_of(text))


def _bytes_of(text: str) -> bytes:
    """UTF-8 wherever it goes; what a file name holds that is not text is written out."""
    return text.encode("utf-8", "backslashreplace")
