"""What trec_eval calls the measures that it shares with runoff."""

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
"""Measures of trec_eval that stand alone."""

CUT: Final = {"P": "P", "recall": "R", "success": "Success", "map_cut": "AP", "ndcg_cut": "nDCG"}
"""Measures of trec_eval with `_k` behind their name, or `.k` as its option -m has them."""
