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

HANDED_ON: Final = {
    "infAP": "infAP",
    "set_P": "SetP",
    "set_map": "SetAP",
    "set_F": "SetF",
    "set_relative_P": "SetP(relative=True)",
}
"""Measures of trec_eval that runoff hands to ir_measures."""
