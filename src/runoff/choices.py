"""The values that an option may have: tests, corrections, formats, tie rules.

Nothing of runoff is imported here, so that the command line can list them at once; the layers below take them from
here, or list objects of these names (tests/test_api_rules.py).
"""

from typing import Final, Literal, get_args

TieRule = Literal["trec_eval", "float32", "file", "doc_ascending"]
DuplicateRule = Literal["error", "first", "best"]
CorrectionName = Literal["bonferroni", "holm", "benjamini_hochberg"]
PolicyCorrection = Literal["none"] | CorrectionName
EslTest = Literal["signed_rank", "t"]
SoonerBy = Literal["ranks", "reciprocal_ranks"]
RecordRule = Literal["holm", "spending", "fallback"]
Exclude = Literal["task", "assessor"]
MarksChoice = Literal["each", "baseline"]

TIE_RULES: Final[dict[str, str]] = {
    "trec_eval": "equal scores by document id, descending (trec_eval 10.0)",
    "float32": "scores as float32, equal ones by document id, descending (trec_eval 9, pytrec_eval, ir_measures)",
    "file": "equal scores in the order of the file",
    "doc_ascending": "equal scores by document id, ascending (RR@k and Judged@k of ir_measures)",
}
"""How documents with equal scores are ordered; the first is the default. `runoff.rows` numbers them so."""
DUPLICATE_RULES: Final[dict[str, str]] = {
    "error": "a document that is listed twice for a query is an error",
    "first": "the first of them counts, the others are dropped",
    "best": "the one with the highest score counts, the others are dropped",
}
"""What becomes of a document that a run lists twice for a query; the first is the default, numbered as above."""
TESTS: Final = ("t", "signed_rank", "rank_sum", "sign", "randomization", "bootstrap")
"""Significance tests of two runs, in the order of display."""
PAIR_TESTS: Final = ("t", "signed_rank", "rank_sum", "sign")
"""Those that can be made on all pairs of a board."""
ESL_TESTS: Final = get_args(EslTest)
"""Tests of which run finds sooner what both find."""
SOONER_BY: Final = get_args(SoonerBy)
"""What these compare."""
POLICY_CORRECTIONS: Final[tuple[PolicyCorrection, ...]] = ("none", "bonferroni", "holm", "benjamini_hochberg")
"""Corrections for several comparisons."""
MARKS: Final = get_args(MarksChoice)
"""What the marks of a table of scores are against: each other system, or the baselines."""
MOST_DIGITS: Final = 12
"""Decimal places of that table at most."""
RECORD_RULES: Final = get_args(RecordRule)
"""How records are certified."""
EXCLUDE: Final = get_args(Exclude)
"""What a failed test pair discards."""
QUANTITIES: Final = (
    *("tests", "shapes", "families", "margins", "verdicts", "evidence", "records", "certificates", "rank_sets"),
    *("winner", "board", "differences", "power", "monitor"),
)
"""What `runoff calibrate` looks at."""
FORMATS: Final = ("table", "json", "csv", "latex", "html", "markdown")
"""How a result is written."""
PARQUET: Final = "parquet"
"""One more format, for scores per query that are too many for a text."""
JUNIT: Final = "junit"
"""One more format, for faults of files."""
SCORE_ROWS: Final = ("trec_eval", "ir_measures", "jsonl")
"""More formats, for scores as other programs write them."""
FIGURE_SUFFIXES: Final = (".svg", ".png", ".pdf")
"""Files that a chart is drawn into."""
DEFAULT_MEASURE: Final = (
    "by default nDCG@10 if the labels have several grades or most queries several relevant documents, else RR@10"
)
"""Which measure a command takes if none is named, in words; see `measures.default`."""
CALIBRATION_SIZES: Final = (50, 500)
"""Queries of the boards that `runoff calibrate` simulates, if none are named."""
