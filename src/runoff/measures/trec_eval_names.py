"""What trec_eval calls the measures that runoff has, to help those who type its names."""

from __future__ import annotations

from typing import Final

ALONE: Final = {
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "set_recall": "R",
}
"""Measures that stand alone."""

CUT: Final = {"P": "P", "recall": "R", "success": "Success", "map_cut": "AP", "ndcg_cut": "nDCG"}
"""Measures with `_k` behind their name."""


def from_trec_eval(name: str) -> str | None:
    """How runoff spells a measure that trec_eval calls `name`; None if trec_eval has none of that name.

    >>> from_trec_eval("ndcg_cut_10"), from_trec_eval("nDCG@10")
    ('nDCG@10', None)
    """
    stem, _, cutoff = name.rpartition("_")
    if name in ALONE:
        return ALONE[name]
    return f"{CUT[stem]}@{cutoff}" if stem in CUT and cutoff.isdecimal() else None
