"""Faults of a file, collected into one report: `file:line: what; what was expected; what to do`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from runoff.errors import SHOWN_PROBLEMS, InputError

if TYPE_CHECKING:
    from runoff.tables.ranked_lists import Repeated

_LONGEST_QUOTE = 60
CHOICE: Final = ", or choose what counts with --duplicates"
"""How the advice on a document that a run lists twice goes on; a server has no such choice."""
_EXPECTED: Final = re.compile(r"(.*)(?:; |(?<=\?) )expected (.*?)", re.DOTALL)


def quoted(token: bytes | str) -> str:
    """A token as it may appear in a message: escaped, cut short, between quotes."""
    text = token.decode(errors="backslashreplace") if isinstance(token, bytes) else token
    if len(text) > _LONGEST_QUOTE:
        text = text[:_LONGEST_QUOTE] + "..."
    return "'" + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text) + "'"


@dataclass(frozen=True)
class Problem:
    """One fault: where (a line or row number, 0 for the file as a whole) and a sentence about it."""

    line: int
    text: str

    @property
    def parts(self) -> tuple[str, str, str]:
        """What is wrong, what was expected and what to do; the last two are empty where the sentence is not so made.

        >>> Problem(3, "3 fields; expected 6; fix or remove this line").parts
        ('3 fields', '6', 'fix or remove this line')
        """
        sentence, _, fix = self.text.rpartition("; ")
        match = _EXPECTED.fullmatch(sentence)
        return (match[1], match[2], fix) if match else (self.text, "", "")


@dataclass
class Problems:
    """The faults found so far in one input or a part of it; the first `most` are kept, all are counted."""

    source: str = ""
    total: int = 0
    kept: list[Problem] = field(default_factory=list)
    most: int = SHOWN_PROBLEMS

    def add(self, line: int, text: str) -> None:
        """Note one fault."""
        self.total += 1
        self.kept.append(Problem(line, text))
        if len(self.kept) > 4 * self.most:
            self._trim()

    def add_repeated(self, first_lines: dict[str, int], noun: str, name: str, line: int, *, of: str = "lines") -> None:
        """Note a query or run that is listed a second time; `first_lines` remembers where each was first."""
        first = first_lines.setdefault(name, line)
        if first != line:
            text = f"{noun} {quoted(name)} is listed twice, first in line {first}; expected every {noun} once"
            self.add(line, f"{text}; remove one of the {of}")

    def add_all(self, lines: Sequence[int], text_of: Callable[[int], str]) -> None:
        """Note a fault for each of some ascending lines; text_of gives the sentence for the i-th of them."""
        for place, line in enumerate(lines[: self.most]):
            self.add(line, text_of(place))
        self.total += len(lines[self.most :])

    def absorb(self, part: Problems, lines_before: int) -> None:
        """Take over the faults of a part of the input that begins behind some lines."""
        for problem in part.kept:
            self.add(lines_before + problem.line, problem.text)
        self.total += part.total - len(part.kept)

    def in_order(self) -> list[Problem]:
        """The first of the faults that were kept, by line."""
        self._trim()
        return list(self.kept)

    def _trim(self) -> None:
        self.kept = sorted(self.kept, key=lambda problem: problem.line)[: self.most]

    def raise_if_any(self) -> None:
        """Raise one InputError that tells all of them, in line order."""
        if self.total:
            self._trim()
            sentences = [
                f"{self.source}:{problem.line}: {problem.text}" if problem.line else f"{self.source}: {problem.text}"
                for problem in self.kept
            ]
            raise InputError(sentences, total=self.total)


def note_repeated(
    problems: Problems,
    repeated: Sequence[Repeated],
    total: int,
    lines_before: Sequence[int] = (0,),
    *,
    verb: str = "is listed",
    first_of: Callable[[int], str] | None = None,
) -> None:
    """Note every (query, document) pair that comes a second time.

    repeated      the first of them, each with batch and line of the row and of the pair's first row; total counts all
    lines_before  how many lines are before each batch
    first_of      says where a line is, if not `line` and its number
    """
    for batch, line, first_batch, first_line, query, doc in repeated[: problems.most]:
        first = lines_before[first_batch] + first_line
        place = f"line {first}" if first_of is None else first_of(first)
        problems.add(
            lines_before[batch] + line,
            f"document {quoted(doc)} {verb} twice for query {quoted(query)}, first in {place}; "
            f"expected every document once per query; remove one of the lines{CHOICE if verb == 'is listed' else ''}",
        )
    problems.total += total - len(repeated[: problems.most])
