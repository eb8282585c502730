"""How the report was computed: files, settings, versions, and the command that makes it again."""

from __future__ import annotations

from typing import Final

from runoff.display.grid import Column, Grid
from runoff.phrases import counted
from runoff.reports.sections._base import Content, Origin, ReportInputs, Section


def _content(inputs: ReportInputs) -> Content:
    return origin_content(inputs.origin)


def origin_content(origin: Origin) -> Content:
    """How a report was computed."""
    again = "The same files, settings and versions give the same report, byte for byte."
    return Content(
        answer=f"from {counted(len(origin.files), 'file')}, listed with their checksums",
        sentence=f"Everything above was computed from {counted(len(origin.files), 'file')} by one command. {again}",
        code=(origin.command,) if origin.command else (),
        tables=(_settings(origin), _files(origin)),
    )


def _settings(origin: Origin) -> Grid:
    rows = [*origin.settings.items(), *((f"{name} version", version) for name, version in origin.versions.items())]
    return Grid(
        title="Settings and versions",
        columns=[Column("setting", "Setting"), Column("value", "Value")],
        rows=[list(row) for row in rows],
    )


def _files(origin: Origin) -> Grid:
    return Grid(
        title="Input files",
        columns=[
            Column("path", "File"),
            Column("role", "What it is"),
            Column("bytes", "Bytes", "count"),
            Column("sha256", "SHA-256"),
        ],
        rows=[[file.path, file.role, file.size, file.sha256] for file in origin.files],
        notes=["Check a file with: sha256sum FILE"],
    )


ORIGIN: Final = Section(
    name="origin",
    label="Origin",
    question="How was it computed?",
    method=(
        (
            "Nothing in this report depends on the day or the machine: all that is random has a seed, and the "
            "versions of the programs that matter are listed. A checksum (SHA-256) that is the same means that the "
            "file is the same."
        ),
        "The page holds everything it shows. It loads nothing from the network, and it keeps nothing in the browser.",
    ),
    sources=(),
    content=_content,
)
