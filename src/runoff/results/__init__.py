"""What a verb returns: frozen, complete results that every format can show.

The classes are imported when they are first used. Those of verbs with a small result are in `runoff.verbs.<verb>`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runoff.results.audit import AuditResult
    from runoff.results.board import BoardResult
    from runoff.results.calibration import CalibrationTablesResult
    from runoff.results.check import FileCheckResult
    from runoff.results.comparison import Comparison
    from runoff.results.evaluation import EvaluationResult, MeansResult, PerQueryResult
    from runoff.results.evidence import BoardEvidenceResult, EvidenceTableResult
    from runoff.results.ipso import IpsoComparisonResult
    from runoff.results.ipso_agreement import IpsoBoardResult
    from runoff.results.multi_comparison import MultiComparison
    from runoff.results.power import ResolutionTableResult
    from runoff.results.records import RecordsResult
    from runoff.results.systems_table import SystemsTable
    from runoff.results.tally import TallyResult

_HOMES = {
    "AuditResult": "audit",
    "BoardEvidenceResult": "evidence",
    "BoardResult": "board",
    "CalibrationTablesResult": "calibration",
    "Comparison": "comparison",
    "EvaluationResult": "evaluation",
    "EvidenceTableResult": "evidence",
    "FileCheckResult": "check",
    "IpsoBoardResult": "ipso_agreement",
    "IpsoComparisonResult": "ipso",
    "MeansResult": "evaluation",
    "MultiComparison": "multi_comparison",
    "PerQueryResult": "evaluation",
    "RecordsResult": "records",
    "ResolutionTableResult": "power",
    "SystemsTable": "systems_table",
    "TallyResult": "tally",
}

__all__ = [
    "AuditResult",
    "BoardEvidenceResult",
    "BoardResult",
    "CalibrationTablesResult",
    "Comparison",
    "EvaluationResult",
    "EvidenceTableResult",
    "FileCheckResult",
    "IpsoBoardResult",
    "IpsoComparisonResult",
    "MeansResult",
    "MultiComparison",
    "PerQueryResult",
    "RecordsResult",
    "ResolutionTableResult",
    "SystemsTable",
    "TallyResult",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'runoff.results' has no attribute '{name}'")
    value: object = getattr(import_module(f"runoff.results.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
