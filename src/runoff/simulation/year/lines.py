"""The bytes of a run file, made all at once: in the simulated year every line of a rank has the same width."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff.simulation.year.questions import Places

_QUERY_DIGITS, _DOC_DIGITS, _SCORE_DIGITS = 6, 7, 6
_DECIMALS = 4


def run_bytes(numbers: Places, documents: Places, scores: Places, tag: str) -> bytes:
    r"""The TREC run of some lists.

    numbers    the query ids, all of six digits
    documents  queries x depth: the numbers behind the document ids, of seven digits, best first
    scores     queries x depth: run_scores in ten-thousandths, of six digits

    >>> run_bytes(np.array([123456]), np.array([[1000007]]), np.array([[985000]]), "a")
    b'123456 Q0 D1000007 1 98.5000 a\n'
    """
    count, depth = documents.shape
    line = f"{'q' * _QUERY_DIGITS} Q0 D{'d' * _DOC_DIGITS} "
    score = f"{'s' * (_SCORE_DIGITS - _DECIMALS)}.{'s' * _DECIMALS}"
    template = "".join(f"{line}{rank} {score} {tag}\n" for rank in range(1, depth + 1)).encode("ascii")
    text = np.tile(np.frombuffer(template, dtype=np.uint8), (count, 1))
    end = 0
    for rank in range(depth):
        start = end
        doc_at = start + len(line) - 1 - _DOC_DIGITS
        score_at = start + len(f"{line}{rank + 1} ")
        end = score_at + len(f"{score} {tag}\n")
        _put(text, start, numbers, _QUERY_DIGITS)
        _put(text, doc_at, documents[:, rank], _DOC_DIGITS)
        whole = _SCORE_DIGITS - _DECIMALS
        _put(text, score_at, scores[:, rank] // 10**_DECIMALS, whole)
        _put(text, score_at + whole + 1, scores[:, rank] % 10**_DECIMALS, _DECIMALS)
    return text.tobytes()


def _put(text: NDArray[np.uint8], at: int, values: Places, digits: int) -> None:
    """Write one number per row, with leading zeros."""
    rest = values.astype(np.uint32)
    for place in range(at + digits - 1, at - 1, -1):
        rest, digit = np.divmod(rest, np.uint32(10))
        text[:, place] = digit.astype(np.uint8) + ord("0")
