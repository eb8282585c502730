"""What kind of file it is, by its first bytes: the lines of TREC and MS MARCO, or a format of another tool."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from runoff.errors import InputError
from runoff.files.streams import split_part

if TYPE_CHECKING:
    from runoff.files.column_names import Kind
    from runoff.files.peers import PeerFormat

_TREC_LINE: Final = re.compile(
    rb"(?:[^\S\n]*(?:#[^\n]*)?\n)*"  # blank lines and comments
    rb"[^\S\n]*(?![{\[])\S+[^\S\n]+\S+[^\S\n]+\S+[^\S\n]+[-+]?\d+(?:\.\d+)?(?!\S)"
)
"""A first line whose fourth field is a number, the rank of a run or the grade of qrels, and no JSON."""

_OTHERS: Final = (
    (re.compile(rb"PK\x03\x04"), "a zip archive", "unpack it and name the file inside"),
    (re.compile(rb".{257}ustar", re.DOTALL), "a tar archive", "unpack it and name the file inside"),
    (re.compile(rb"ARROW1|\xff{4}...\0", re.DOTALL), "an Arrow file", "write it as Parquet, as with to_parquet"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "text in UTF-16", "save it as UTF-8"),
    (re.compile(rb"\x93NUMPY"), "a NumPy array", "write it as CSV or JSON"),
    (re.compile(rb"\x80[\x02-\x05]"), "a Python pickle", "write it as CSV or JSON"),
    (re.compile(rb"(?i)<!doctype|<html"), "a web page", "download the file itself"),
    (re.compile(rb"(?=[^\t\n]{22}\t)[A-Za-z]\S* +\t\S+\t\S+\n"), "what trec_eval prints", "give it to --scores"),
    (re.compile(rb"version https://git-lfs"), "a pointer of Git LFS", "get the file itself with git lfs pull"),
)
"""How files begin that are neither text nor Parquet: what they are, and what to do."""


def recognised(head: bytes, kind: Kind, where: str) -> PeerFormat | None:
    """The format of a file that begins so; None for lines of TREC and MS MARCO.

    Nearly all files are those of TREC, so nothing else is loaded for them. Three columns without a header that are not
    what they were asked for as are an InputError.
    """
    form = format_of(head, where)
    if form is None and not _TREC_LINE.match(head):
        from runoff.files.text.three_columns import check_three_columns

        check_three_columns(head, kind, where)
    return form


def format_of(head: bytes, where: str) -> PeerFormat | None:
    """The format of another tool in which a file begins so, for the part of it that `where` names; None for no such."""
    file, part = split_part(where)
    _check_others(head, file)
    if _TREC_LINE.match(head) and not part:
        return None
    from runoff.files.peers import NESTED_JSON, part_of, peer_format

    form = peer_format(head)
    if part and form is not NESTED_JSON:
        raise InputError([f"{file}: this file has no parts; expected JSON by subset and split; leave '#{part}' out"])
    return part_of(part) if part else form


def _check_others(head: bytes, where: str) -> None:
    """An InputError for a file of a kind that is not read."""
    for beginning, nature, todo in _OTHERS:
        if beginning.match(head):
            raise InputError([f"{where}: is {nature}; expected a run or qrels as text, JSON or Parquet; {todo}"])
