"""Cells of CSV files: text that a spreadsheet would run as a formula is written so that it stays text, and read back.

Names, ids and texts come from strangers, and a spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, or
with a tab or a line end before one.
"""

from __future__ import annotations

import re
from typing import Final

_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a formula begins; after apostrophes too, so that every text can be read back. The last four are wide signs."""
_WRITTEN: Final = re.compile(r"'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NEEDS_QUOTES: Final = re.compile(r'[,"\r\n]')
_HARMLESS: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[=+\-@]+|(?:==|ni|ns|\*\*)+", re.ASCII)
"""Numbers, marks such as `+`, and strings of IPSO's relations: there is nothing to compute."""


def harmless_cell(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would take it for a formula.

    >>> [harmless_cell(text) for text in ("bm25", "=1+1", "-abc", "-0.5", "+")]
    ['bm25', "'=1+1", "'-abc", '-0.5', '+']
    """
    return f"'{text}" if _FORMULA.match(text) and not _HARMLESS.fullmatch(text) else text


def text_of_cell(cell: str) -> str:
    """The text of which `harmless_cell` made a cell.

    >>> text_of_cell("'=1+1"), text_of_cell("'quoted'")
    ('=1+1', "'quoted'")
    """
    return cell[1:] if _WRITTEN.match(cell) else cell


def quoted_cell(text: str) -> str:
    """The text between quotes, if its characters would end a cell or a line.

    Python's writer leaves a lone CR bare before 3.13, and a spreadsheet begins a row there.

    >>> quoted_cell("a,b"), quoted_cell('a "b" c'), quoted_cell("plain")
    ('"a,b"', '"a ""b"" c"', 'plain')
    """
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
