"""The result of checking files: what is wrong with each, and what looks odd, with lines and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from runoff.choices import JUNIT
from runoff.display import Column, Grid, Shown
from runoff.display.rows import row_dict
from runoff.phrases import counted
from runoff.results.check_messages import Finding

SHOWN: Final = 20
"""Problems of a file that are printed; JSON and JUnit have all that were kept."""
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """One file.

    kind           what it was read as
    format         how it is written; empty if that could not be found out
    lines          its lines, or rows; None if that could not be found out
    problems       why it cannot be used, by line; of very many the first, and problem_count counts all
    warnings       what looks odd
    """

    file: str
    kind: Literal["run", "qrels", "queries", "board"]
    format: str = ""
    lines: int | None = None
    problem_count: int = 0
    problems: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()

    def findings(self) -> Iterator[tuple[str, Finding]]:
        """Errors and warnings, each with what it is."""
        yield from (("error", finding) for finding in self.problems)
        yield from (("warning", finding) for finding in self.warnings)

    def place(self, finding: Finding) -> str:
        """The file, and the line of a finding that has one."""
        return f"{self.file}:{finding.line}" if finding.line else self.file


@dataclass(frozen=True, kw_only=True, eq=False)
class FileCheckResult(Shown):
    """What is wrong with some files, each alone and together.

    qrels  the labels that the runs were checked against; empty without any
    depth  the rank to which ties and documents without a judgment were counted
    """

    files: tuple[CheckedFile, ...]
    qrels: str
    depth: int

    @property
    def errors(self) -> int:
        """How many errors there are in all files."""
        return sum(file.problem_count for file in self.files)

    @property
    def warnings(self) -> int:
        """How many warnings there are for all files."""
        return sum(len(file.warnings) for file in self.files)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff check --format json`."""
        return {
            **row_dict(self, "qrels", "depth"),
            "errors": self.errors,
            "warnings": self.warnings,
            "files": [
                {
                    **row_dict(file, "file", "kind", "format", "lines", "problem_count"),
                    "problems": [row_dict(finding) for finding in file.problems],
                    "warnings": [row_dict(finding) for finding in file.warnings],
                }
                for file in self.files
            ],
        }

    @property
    def summary(self) -> str:
        """How many there are of what."""
        files = counted(len(self.files), "file", "files")
        if not self.errors and not self.warnings:
            return f"No errors and no warnings in {files}"
        return f"{counted(self.errors, 'error')} and {counted(self.warnings, 'warning')} in {files}"

    def grid(self) -> Grid:
        """A row per error or warning."""
        return Grid(
            title="Errors and warnings",
            columns=[
                *(Column("file", "File"), Column("line", "Line", "count"), Column("level", "Level")),
                *(Column("what", "What"), Column("expected", "Expected"), Column("fix", "What to do")),
            ],
            rows=[
                (file.file, finding.line or None, level, finding.what, finding.expected, finding.fix)
                for file in self.files
                for level, finding in file.findings()
            ],
        )

    def grids(self) -> tuple[Grid, ...]:
        """The files, and what was found: few columns, since the sentences are long and pages narrow."""
        findings = Grid(
            title="Errors and warnings",
            columns=[Column("place", "File and line"), Column("what", "Error or warning")],
            rows=[
                (file.place(finding), f"{level}: {finding.sentence}")
                for file in self.files
                for level, finding in file.findings()
            ],
        )
        return (self._files(), findings) if findings.rows else (self._files(),)

    def screen_grids(self) -> tuple[Grid, ...]:
        """The files, and below them a line for each error and warning, as compilers print them."""
        notes = []
        for file in self.files:
            notes += [f"{file.place(problem)}: error: {problem.sentence}" for problem in file.problems[:SHOWN]]
            hidden = file.problem_count - min(len(file.problems), SHOWN)
            if hidden:
                notes.append(
                    f"{file.file}: and {counted(hidden, 'more error', 'more errors')} (--format json lists them)"
                )
            notes += [f"{file.place(warning)}: warning: {warning.sentence}" for warning in file.warnings]
        return (self._files(notes),)

    def _files(self, notes: list[str] | None = None) -> Grid:
        return Grid(
            title=self.summary,
            columns=[
                *(Column("file", "File"), Column("errors", "Errors", "count"), Column("warnings", "Warnings", "count")),
                *(Column("kind", "Read as"), Column("format", "Format"), Column("lines", "Lines", "count")),
            ],
            rows=[
                (file.file, file.problem_count, len(file.warnings), file.kind, file.format or None, file.lines)
                for file in self.files
            ],
            notes=notes or [],
        )

    def brief(self) -> str:
        """How many errors and warnings there are."""
        return self.summary

    def own_formats(self) -> Mapping[str, Callable[[], str]]:
        """JUnit too."""
        return {JUNIT: self.to_junit}

    def to_junit(self) -> str:
        """JUnit XML, as build servers show it: a suite per file, a failed case per error, warnings as its output."""
        return "".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>\n',
                f'<testsuites name="runoff check" tests="{self._cases()}" failures="{self._failures()}">\n',
                *map(_suite, self.files),
                "</testsuites>\n",
            ]
        )

    def _cases(self) -> int:
        return sum(max(1, len(file.problems)) for file in self.files)

    def _failures(self) -> int:
        return sum(len(file.problems) for file in self.files)


def _suite(file: CheckedFile) -> str:
    name, failures = _attribute(file.file), len(file.problems)
    lines = [f'  <testsuite name={name} tests="{max(1, failures)}" failures="{failures}" errors="0" skipped="0">']
    if not failures:
        lines.append(f'    <testcase classname={name} name="can be used as {file.kind}"/>')
    for problem in file.problems:
        # A name of its own: build servers take cases of one name for one case.
        case = _attribute(f"line {problem.line}: {problem.what}" if problem.line else problem.what)
        line = f' line="{problem.line}"' if problem.line else ""
        text = _text(f"{file.place(problem)}: {problem.sentence}")
        lines += [
            f"    <testcase classname={name} name={case} file={name}{line}>",
            f'      <failure type="error" message={_attribute(problem.what)}>{text}</failure>',
            "    </testcase>",
        ]
    output = [f"{file.place(warning)}: warning: {warning.sentence}" for warning in file.warnings]
    if file.problem_count > failures:
        output.append(f"{file.file}: {file.problem_count:,} errors, of which the first {failures:,} are listed")
    if output:
        lines.append(f"    <system-out>{_text(chr(10).join(output))}</system-out>")
    return "\n".join([*lines, "  </testsuite>\n"])


def _text(text: str) -> str:
    return escape(_NOT_IN_XML.sub(lambda match: match[0].encode("unicode_escape").decode(), text))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_IN_XML.sub(lambda match: match[0].encode("unicode_escape").decode(), text))
