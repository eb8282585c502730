"""What the runs say of themselves: the ir_metadata of their files."""

from __future__ import annotations

from typing import Final

from runoff.display.grid import Column, Grid
from runoff.phrases import counted
from runoff.reports.sections._base import Content, ReportInputs, Section
from runoff.tables.run_metadata import flat_fields

LONGEST: Final = 300


def _content(inputs: ReportInputs) -> Content | None:
    described = [run for run in inputs.runs if run.metadata]
    if not described:
        return None
    about = Grid(
        title="Runs",
        columns=[Column("run", "Run"), Column("team", "Team"), Column("description", "Description")],
        rows=[[run.name, _shortened(run.team) or None, _shortened(run.description) or None] for run in described],
    )
    fields = Grid(
        title="All fields",
        columns=[Column("run", "Run"), Column("field", "Field"), Column("value", "Value")],
        rows=[[run.name, field, _shortened(text)] for run in described for field, text in flat_fields(run.metadata)],
        notes=[f"Values of more than {LONGEST} characters are cut; JSON has all of them."],
    )
    runs = counted(len(inputs.runs), "run")
    return Content(
        answer=f"{len(described):,} of {runs} have metadata",
        sentence=f"{len(described):,} of {runs} have metadata about team, method or code.",
        tables=(about, fields),
    )


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


METADATA: Final = Section(
    name="metadata",
    label="Metadata",
    question="What do the runs say of themselves?",
    method=(
        (
            "A run file can begin with comments, from # ir_metadata.start to # ir_metadata.end, in which its "
            "authors say who made it, how, and with which code; or a file ir-metadata.yml beside it can say so."
        ),
        "They are shown as they were written. Nobody has checked them, and they change no score.",
    ),
    sources=(
        (
            "Breuer, Keller & Schaer 2022, ir_metadata: An extensible metadata schema for IR experiments. "
            "DOI 10.1145/3477495.3531738"
        ),
    ),
    content=_content,
)
