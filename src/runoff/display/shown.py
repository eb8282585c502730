"""Base class of results: text, JSON, CSV, LaTeX, Markdown, HTML, frames and charts."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from runoff.arguments import checks_arguments
from runoff.choices import FIGURE_SUFFIXES
from runoff.display._base import Look
from runoff.display.csv_text import render_csv
from runoff.display.frame import to_frame, to_pandas
from runoff.display.grid import Grid
from runoff.display.html_text import TABLE_STYLE, render_chart_image, render_html, render_paragraphs
from runoff.display.json_text import render_json
from runoff.display.latex_text import render_latex
from runoff.display.markdown_text import render_markdowns
from runoff.display.table_text import render_result
from runoff.errors import UsageError
from runoff.files.whole import write_whole
from runoff.phrases import counted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from runoff.display.charts import Chart

BRIEF: Final = 160
"""Characters of a `repr`, beside the name of its class."""


class Shown(ABC):
    """A result that says its numbers twice, as a grid for people and as a dictionary for programs.

    A subclass writes `grid` and `to_dict`; one with several tables also writes `grids`.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Keep `dataclass` from writing a `repr` with every number: it leaves one alone that a class has itself."""
        super().__init_subclass__()
        if "__repr__" not in vars(cls):
            cls.__repr__ = Shown.__repr__  # type: ignore[method-assign]

    @abstractmethod
    def grid(self) -> Grid:
        """The main table."""

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """The numbers at full precision under stable keys."""

    def grids(self) -> tuple[Grid, ...]:
        """Every table, the main one first."""
        return (self.grid(),)

    def screen_grids(self) -> tuple[Grid, ...]:
        """The tables that go onto a screen of characters; all of them unless a result says otherwise."""
        return self.grids()

    def paper_grids(self) -> tuple[Grid, ...]:
        """The tables that go into a paper; all of them unless a result says otherwise."""
        return self.grids()

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002  # a picture in text needs to know it
        """Paragraphs that are shown before the tables."""
        return ()

    def own_formats(self) -> Mapping[str, Callable[[], str]]:
        """Formats that only this result can be written in, by name; none unless a result says otherwise."""
        return {}

    def charts(self) -> tuple[Chart, ...]:
        """Every chart of the result, the main one first; none unless a result says otherwise."""
        return ()

    def chart(self, name: str | None = None) -> Chart:
        """The main chart, or the one of that name."""
        charts = {chart.name: chart for chart in self.charts()}
        if not charts:
            raise UsageError("this result has no chart; expected one that can be drawn; see docs/reference/output.md")
        if name is not None and name not in charts:
            raise UsageError(f"this result has no chart {name!r}; expected one of {', '.join(charts)}; choose one")
        return charts[name] if name is not None else next(iter(charts.values()))

    def to_frame(self) -> pl.DataFrame:
        """The main table as a Polars frame."""
        return to_frame(self.grid())

    def to_pandas(self) -> pd.DataFrame:
        """The main table as a pandas frame."""
        return to_pandas(self.grid())

    def to_csv(self) -> str:
        """The main table as CSV text, at full precision."""
        return render_csv(self.grid())

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return render_json(self.to_dict())

    def to_latex(self) -> str:
        """Every table, ready to paste into a paper that loads booktabs."""
        return "\n".join(map(render_latex, self.paper_grids()))

    def to_markdown(self) -> str:
        """Every table as Markdown, for a comment on a pull request."""
        return render_markdowns(self.opening(0), self.grids())

    def to_html(self) -> str:
        """Every table as HTML table elements."""
        return render_paragraphs(self.opening(0)) + "\n".join(map(render_html, self.grids()))

    @checks_arguments
    def to_text(self, width: int = 80, *, colour: bool = False) -> str:
        """The tables as aligned text; with `colour` for a terminal that shows it."""
        return render_result(self, Look(width=width, colour=colour))

    @checks_arguments
    def write(self, path: str | os.PathLike[str]) -> None:
        """Put the result into a file, in the form that its name ends with.

        `.html`, `.json`, `.csv`, `.tex`, `.md` and `.txt` are as on the command line, `.svg`, `.png` and `.pdf` the
        main chart. The file appears, or changes, only when it is complete.
        """
        from runoff.display import FORMATS, render

        file = Path(path)
        suffix = file.suffix.lower()
        formats = {form.suffix: form.name for form in FORMATS}
        if suffix in FIGURE_SUFFIXES:
            write_whole(file, self.chart().to_file(suffix))
        elif suffix in formats:
            write_whole(file, render(self, formats[suffix]).encode("utf-8", "backslashreplace"))
        else:
            endings = ", ".join((*formats, *FIGURE_SUFFIXES))
            raise UsageError(f"{file}: its ending names no form; expected one of {endings}; write {file.stem}.html")

    def brief(self) -> str:
        """The answer in a sentence, for `repr`: the first words, or what the main table is and how long."""
        words = self.opening(0)
        if words:
            return " ".join(words)
        grid = self.grid()
        return f"{grid.title or 'a table'}, {counted(len(grid.rows), 'row')}"

    def __repr__(self) -> str:
        words = " ".join(self.brief().split())
        short = words if len(words) <= BRIEF else words[:BRIEF].rsplit(" ", 1)[0].rstrip(",;:") + " ..."
        return f"<{type(self).__name__}: {short}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: words and tables, then the main chart and the names of the others."""
        html, charts = f"<style>\n{TABLE_STYLE}</style>\n{self.to_html()}", self.charts()
        if not charts:
            return html
        others = ", ".join(f'chart("{chart.name}")' for chart in charts[1:])
        more = render_paragraphs([f"More charts: {others}"]) if others else ""
        return html + render_chart_image(charts[0]) + more

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:  # noqa: ARG002
        """The same, and as text; without it a notebook would keep every number of the result beside the tables."""
        return {"text/html": self._repr_html_(), "text/plain": self.to_text().rstrip("\n")}

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")
