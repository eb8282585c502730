"""Reads the text of a measure, `Name(parameter=value,...)@cutoff`, without knowing any measure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from runoff.errors import MeasureError

LONGEST_TEXT = 500
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<name>[^\W\d]\w*)
    | (?P<number>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    | (?P<text>'[^'"\\]*'|"[^'"\\]*")
    | (?P<mark>[(){}=,:@])
    )""",
    re.VERBOSE,
)
_NAME_AND_CUTOFF = re.compile(r"\s*([^\W\d]\w*)\s*(?:@\s*([0-9]+)\s*)?")  # nearly every measure: no grammar needed
_WORDS: Mapping[str, bool | None] = {"True": True, "False": False, "None": None}

Number = int | float
Value = Number | str | bool | None | dict[int, Number]


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """A measure's text taken apart: its name, its parameters, the number after `@`, and the text without spaces."""

    name: str
    parameters: dict[str, Value] = field(default_factory=dict)
    cutoff: Number | None = None
    text: str


def read_spelling(text: str) -> Spelling:
    """Take apart the text of a measure.

    >>> read_spelling('RBP(p = 0.8, rel = 2) @ 10').text
    'RBP(p=0.8,rel=2)@10'
    """
    plain = _NAME_AND_CUTOFF.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    if plain is None:
        return _Reader(text).measure()
    name, cutoff = plain.groups()
    if cutoff is None:
        return Spelling(name=name, text=name)
    return Spelling(name=name, cutoff=int(cutoff), text=f"{name}@{cutoff}")


class _Reader:
    """Reads tokens from left to right; each method reads one part of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._split()
        self._next = 0

    def _split(self) -> list[tuple[str, str]]:
        if len(self._text) > LONGEST_TEXT:
            raise MeasureError(
                f"a measure of {len(self._text):,} characters; expected at most {LONGEST_TEXT}; shorten it"
            )
        tokens: list[tuple[str, str]] = []
        end, stop = 0, len(self._text.rstrip())
        while end < stop:
            match = _TOKEN.match(self._text, end)
            if match is None:
                self._fail(
                    "a name, a number, a quoted word or one of ( ) { } = , : @", repr(self._text[end:].lstrip()[0])
                )
            kind = str(match.lastgroup)
            token = match[kind]
            tokens.append((kind, f"'{token[1:-1]}'" if kind == "text" else token))
            end = match.end()
        return [*tokens, ("end", "")]

    def measure(self) -> Spelling:
        name = self._take("name", "the name of a measure")
        parameters = self._parameters() if self._take_if("(") else {}
        cutoff = self._number("a number after '@'") if self._take_if("@") else None
        self._take("end", "the end: one measure at a time" if cutoff is not None else "'(', '@' or the end")
        return Spelling(name=name, parameters=parameters, cutoff=cutoff, text="".join(t for _, t in self._tokens))

    def _parameters(self) -> dict[str, Value]:
        parameters: dict[str, Value] = {}
        if self._take_if(")"):
            return parameters
        while True:
            name = self._take("name", "the name of a parameter")
            if name in parameters:
                self._fail("each parameter once", f"{name} twice")
            self._take_mark("=")
            parameters[name] = self._value()
            if self._take_if(")"):
                return parameters
            self._take_mark(",", "',' or ')'")

    def _value(self) -> Value:
        kind, token = self._tokens[self._next]
        if kind == "text":
            return self._take("text", "a quoted word")[1:-1]
        if kind == "name" and token in _WORDS:
            return _WORDS[self._take("name", "a value")]
        if self._take_if("{"):
            return self._pairs()
        return self._number("a number, a quoted word, True, False, None or {grade:gain,...}")

    def _pairs(self) -> dict[int, Number]:
        gains: dict[int, Number] = {}
        if self._take_if("}"):
            return gains
        while True:
            grade = self._number("a grade")
            if not isinstance(grade, int) or grade in gains:
                self._fail("whole grades, each once", f"grade {grade}")
            self._take_mark(":")
            gains[grade] = self._number("the gain of a grade")
            if self._take_if("}"):
                return gains
            self._take_mark(",", "',' or '}'")

    def _number(self, expected: str) -> Number:
        token = self._take("number", expected)
        return int(token) if token.lstrip("+-").isdecimal() else float(token)

    def _take(self, kind: str, expected: str) -> str:
        actual, token = self._tokens[self._next]
        if actual != kind:
            self._fail(expected, repr(token) if token else "the end")
        self._next += 1
        return token

    def _take_mark(self, mark: str, expected: str = "") -> None:
        if not self._take_if(mark):
            self._fail(
                expected or repr(mark), repr(self._tokens[self._next][1]) if self._tokens[self._next][1] else "the end"
            )

    def _take_if(self, mark: str) -> bool:
        if self._tokens[self._next] != ("mark", mark):
            return False
        self._next += 1
        return True

    def _fail(self, expected: str, actual: str) -> NoReturn:
        raise MeasureError(
            f"measure {self._text!r}: found {actual}; expected {expected}; write it as Name(parameter=value)@cutoff, "
            "for example nDCG@10 or RBP(p=0.8)@10"
        )
