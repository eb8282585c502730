"""Measures that runoff lacks, handed to ir_measures where that is installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from runoff.errors import MeasureError, MissingExtraError, UsageError
from runoff.measures._base import Measure, Scale
from runoff.measures._trec_eval_names import HANDED_ON
from runoff.measures.spelling import Spelling
from runoff.tables.serps import Serps

EXTRA = "ir-measures"
EXTERNAL_NAMES = (
    "AP_IA",
    "Accuracy",
    "BPM",
    "Compat",
    "ERR_IA",
    "INSQ",
    "INST",
    "IPrec",
    "MAP_IA",
    "NERR10",
    "NERR11",
    "NERR8",
    "NERR9",
    "NRBP",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P_IA",
    "SDCG",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "alpha_DCG",
    "alpha_nDCG",
    "infAP",
    "nERR_IA",
    "nNRBP",
    "α_DCG",
    "α_nDCG",
)
"""What ir_measures has and runoff lacks, so that a missing extra is not taken for a wrong name."""
EXTERNAL_PARAMETERS = ("judged_only",)
"""Parameters that ir_measures adds to measures which runoff has."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ExternalMeasure(Measure):
    """A measure that ir_measures computes: from documents, not from SERPs.

    MacAvaney, Macdonald & Ounis 2022, https://doi.org/10.1007/978-3-030-99739-7_38
    """

    name: ClassVar[str] = "ir_measures"
    description: ClassVar[str] = "A measure that ir_measures computes."
    source: ClassVar[str] = "MacAvaney, Macdonald & Ounis 2022, https://doi.org/10.1007/978-3-030-99739-7_38"
    scale: ClassVar[Scale] = "ordinal"
    scale_reason: ClassVar[str] = "runoff does not know the measure, and ordinal assumes least."
    value_range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    measure: Any
    """The ir_measures measure."""

    @property
    def trec_eval_name(self) -> str:
        """What trec_eval calls the measure; ir_measures' name where it has none."""
        return next((theirs for theirs, name in HANDED_ON.items() if name == str(self.measure)), str(self))

    def _canonical(self) -> str:
        return str(self.measure)

    def _values(self, serps: Serps) -> NDArray[np.float64]:
        raise UsageError(
            f"{self} is computed by ir_measures and needs the documents of run '{serps.run}'; SERPs hold only grades; "
            "call values_from with the qrels and the run, or choose a measure of runoff"
        )

    def _check_depth(self, serps: Serps) -> None:
        """No depth is enough or too little: `_values` explains."""

    def values_from(
        self, qrels: Iterable[tuple[str, str, float]], run: Iterable[tuple[str, str, float]], query_ids: Sequence[str]
    ) -> NDArray[np.float64]:
        """One value per query, in the order of `query_ids`; 0 where ir_measures gives none.

        qrels are (query_id, doc_id, relevance), run is (query_id, doc_id, run_score). Ties and float32 scores are as
        the provider that ir_measures chooses treats them.
        """
        ir_measures = importlib.import_module("ir_measures")
        judgments = [ir_measures.Qrel(query_id, doc_id, self._whole(grade)) for query_id, doc_id, grade in qrels]
        documents = [ir_measures.ScoredDoc(*document) for document in run]
        row_of = {query_id: row for row, query_id in enumerate(query_ids)}
        values = np.zeros(len(query_ids))
        try:
            for metric in ir_measures.iter_calc([self.measure], judgments, documents):
                if metric.query_id in row_of:
                    values[row_of[metric.query_id]] = metric.value
        except (ValueError, ArithmeticError, RuntimeError) as error:
            raise UsageError(f"{self}: ir_measures cannot compute it: {error}") from error
        return values

    def _whole(self, grade: float) -> int:
        if grade != int(grade):
            raise UsageError(
                f"{self} is computed by ir_measures, which takes whole grades, and the qrels hold {grade}; round the "
                "grades, or choose a measure of runoff"
            )
        return int(grade)


def find_external(spelling: Spelling) -> ExternalMeasure | None:
    """The measure as ir_measures has it; None where it has none of that name or with those parameters."""
    try:
        registry = importlib.import_module("ir_measures").measures.registry
    except ImportError as error:
        if spelling.name in EXTERNAL_NAMES or not spelling.parameters.keys().isdisjoint(EXTERNAL_PARAMETERS):
            raise MissingExtraError(f"the measure {spelling.text}", EXTRA) from error
        return None
    if spelling.name not in registry:
        return None
    base = registry[spelling.name]
    parameters: dict[str, Any] = dict(spelling.parameters)
    if spelling.cutoff is not None:
        kind = base.SUPPORTED_PARAMS[base.AT_PARAM].dtype if base.AT_PARAM in base.SUPPORTED_PARAMS else int
        parameters[base.AT_PARAM] = float(spelling.cutoff) if kind is float else spelling.cutoff
    unknown = [name for name in parameters if name not in base.SUPPORTED_PARAMS]
    if unknown and spelling.name in EXTERNAL_NAMES:
        expected = ", ".join(base.SUPPORTED_PARAMS) or "none"
        raise MeasureError(
            f"{spelling.text}: {spelling.name} of ir_measures has no parameter '{unknown[0]}'; expected {expected}; "
            "leave it out"
        )
    if unknown:
        return None
    missing = [name for name, info in base.SUPPORTED_PARAMS.items() if info.required and name not in parameters]
    if missing:
        how = f"{spelling.text}@{missing[0]}" if missing[0] == base.AT_PARAM else f"{spelling.name}({missing[0]}=...)"
        raise MeasureError(f"{spelling.text} has no {missing[0]}; expected a value for it; write {how}")
    measure = base(**parameters)
    try:
        measure.validate_params()
    except AssertionError as error:
        raise MeasureError(f"{spelling.text}: ir_measures refuses it: {error}; see its documentation") from error
    return ExternalMeasure(measure=measure, spelling=spelling.text)
