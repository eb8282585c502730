"""How the report was computed: files, settings, versions, and the command that makes it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from runoff.display.grid import Column, Grid
from runoff.phrases import counted
from runoff.reports.sections._base import Content, Origin, ReportInputs, Section


def _content(inputs: ReportInputs) -> Content:
    return origin_content(inputs.origin, inputs.missing)


def origin_content(origin: Origin, missing: Mapping[str, str]) -> Content:
    """How a report was computed, and why sections are missing that it could have."""
    settings = [*origin.settings.items(), *((f"{name} version", number) for name, number in origin.versions.items())]
    return Content(
        answer=f"from {counted(len(origin.files), 'file')}, listed with their checksums",
        sentence=(
            f"Everything here was computed from {counted(len(origin.files), 'file')} by one command. The same files, "
            "settings and versions give the same report, byte for byte."
        ),
        paragraphs=tuple(dict.fromkeys(missing.values())),
        code=(origin.command,) if origin.command else (),
        tables=(
            Grid(
                title="Settings and versions",
                columns=[Column("setting", "Setting"), Column("value", "Value")],
                rows=[list(row) for row in settings],
            ),
            Grid(
                title="Input files",
                columns=[
                    Column("path", "File"),
                    Column("role", "What it is"),
                    Column("bytes", "Bytes", "count"),
                    Column("sha256", "SHA-256"),
                ],
                rows=[[file.path, file.role, file.size, file.sha256] for file in origin.files],
                notes=["Check a file with: sha256sum FILE"],
            ),
        ),
    )


ORIGIN: Final = Section(
    name="origin",
    label="Origin",
    question="How was it computed?",
    method=(
        (
            "Nothing in this report depends on the day or the machine: everything random has a seed, and the versions "
            "of the programs that matter are listed. If a file has the same checksum (SHA-256), it is the same file."
        ),
        "The page contains everything it shows. It loads nothing from the network and stores nothing in the browser.",
    ),
    sources=(),
    content=_content,
)
