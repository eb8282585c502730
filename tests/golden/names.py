"""The one table of what trec_eval calls a measure, and how runoff spells it."""

from runoff.errors import MeasureError
from runoff.measures._trec_eval_names import HANDED_ON
from runoff.measures.lookup import from_trec_eval

NAMES = {
    "Rprec_mult_1.00": "Rprec",
    "ndcg_1=3,2=9,4=4.5": "nDCG(gains={1:3,2:9,4:4.5})",
    "rbp": "RBP(p=0.9)",
}
"""Names beside those that runoff itself translates.

trec_eval 10.0 sets the gain range of its own `rbp` from memory that was never written, so the program is no reference;
the outputs that it ships were made when that memory was as meant, and agree.
"""

LACKING = (
    *("11pt_avg", "G", "Rndcg", "Rprec_mult", "binG", "ndcg_rel", "relative_P", "utility"),
    "iprec_at_recall",  # ir_measures has IPrec@r by trec_eval 9, which asks for one relevant document more at some r
    *("gm_bpref", "gm_map", "num_q", "runid"),  # means or facts of a whole run, not measures of a query
    *("num_nonrel_judged_ret", "num_rel", "num_rel_ret", "num_ret", "rbp_resid", "relstring", "unj"),  # from SERPs
)
"""What trec_eval prints and runoff has no measure for."""


def own_measure(name: str) -> str | None:
    """The measure of runoff for a name of trec_eval; None where runoff has none of its own."""
    return NAMES.get(name) or from_trec_eval(name)


def handed_on(name: str) -> str | None:
    """The measure of ir_measures for a name of trec_eval; None where it is not handed on."""
    return HANDED_ON.get(name)


def check_known(name: str) -> None:
    """Refuse a name that no table mentions, so that nothing is left out in silence."""
    lacking = any(name == stem or name.startswith(f"{stem}_") for stem in LACKING)
    if own_measure(name) is None and handed_on(name) is None and not lacking:
        raise MeasureError(f"trec_eval prints '{name}'; expected a name in tests/golden/names.py; add it there")
