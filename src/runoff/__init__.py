"""Tells whether a run really is better than the best one, in what way, and how far to trust the board.

The public names are imported when they are first used, so that `import runoff` and the command line start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runoff.comparisons.options import CompareOptions
    from runoff.errors import InputError, LimitError, MeasureError, MissingExtraError, RunoffError, UsageError
    from runoff.files.judging.judgments import read_judgments
    from runoff.files.judging.task_table import read_tasks
    from runoff.files.judging.texts import read_texts
    from runoff.files.qrels import read_qrels
    from runoff.files.query_list import read_query_list
    from runoff.files.runs import read_run
    from runoff.files.score_matrix import read_scores
    from runoff.measures import Measure, parse_measure
    from runoff.reading.sources import ReadOptions, as_qrels, as_run
    from runoff.reports.result import ReportResult
    from runoff.results.audit import AuditResult
    from runoff.results.board import BoardResult
    from runoff.results.calibration import CalibrationTablesResult
    from runoff.results.comparison import Comparison
    from runoff.results.evaluation import EvaluationResult
    from runoff.results.evidence import BoardEvidenceResult
    from runoff.results.ipso_agreement import IpsoBoardResult
    from runoff.results.multi_comparison import MultiComparison
    from runoff.results.tally import TallyResult
    from runoff.results.tally_tables import TallyOptions
    from runoff.tables.preferences import Preferences
    from runoff.tables.qrels import Qrels
    from runoff.tables.run import Run
    from runoff.tables.scores import Scores
    from runoff.tables.serps import Serps
    from runoff.verbs._board_evidence import EvidenceSources, evidence_of_board
    from runoff.verbs._import_board import import_board
    from runoff.verbs._ipso_board import IpsoOptions, ipso_board, ipso_board_from_file
    from runoff.verbs._label_changes import LabelChangesResult, label_changes
    from runoff.verbs._one_pair import OnePairResult, one_pair
    from runoff.verbs._published_board import published_board
    from runoff.verbs._published_report import published_report
    from runoff.verbs._sequential import SettleResult, settle
    from runoff.verbs._submission import SubmissionResult, check_submission, read_submission
    from runoff.verbs.audit import AuditOptions, audit
    from runoff.verbs.board import board, board_from_file, board_of_scores
    from runoff.verbs.calibrate import CalibrationOptions, calibrate, calibrate_scores
    from runoff.verbs.compare import compare, compare_all, compare_scores
    from runoff.verbs.demo import DemoResult, run_demo
    from runoff.verbs.evaluate import evaluate
    from runoff.verbs.ipso import IpsoComparisonResult, compare_ipso
    from runoff.verbs.maintain import MaintainOptions, MaintainResult, maintain
    from runoff.verbs.pool import PoolOptions, PoolResult, pool, pool_from_file
    from runoff.verbs.reliability import (
        ReliabilityTableResult,
        reliability,
        reliability_from_file,
        reliability_of_scores,
    )
    from runoff.verbs.report import ReportOptions, report
    from runoff.verbs.scale import MeasureScaleResult, scale
    from runoff.verbs.submit import SubmitResult, submit
    from runoff.verbs.tally import tally
    from runoff.verbs.tasks import TasksResult, tasks, tasks_of_pairs, with_texts
    from runoff.verdicts import Policy, VerdictResult

__all__ = [
    "AuditOptions",
    "AuditResult",
    "BoardEvidenceResult",
    "BoardResult",
    "CalibrationOptions",
    "CalibrationTablesResult",
    "CompareOptions",
    "Comparison",
    "DemoResult",
    "EvaluationResult",
    "EvidenceSources",
    "InputError",
    "IpsoBoardResult",
    "IpsoComparisonResult",
    "IpsoOptions",
    "LabelChangesResult",
    "LimitError",
    "MaintainOptions",
    "MaintainResult",
    "Measure",
    "MeasureError",
    "MeasureScaleResult",
    "MissingExtraError",
    "MultiComparison",
    "OnePairResult",
    "Policy",
    "PoolOptions",
    "PoolResult",
    "Preferences",
    "Qrels",
    "ReadOptions",
    "ReliabilityTableResult",
    "ReportOptions",
    "ReportResult",
    "Run",
    "RunoffError",
    "Scores",
    "Serps",
    "SettleResult",
    "SubmissionResult",
    "SubmitResult",
    "TallyOptions",
    "TallyResult",
    "TasksResult",
    "UsageError",
    "VerdictResult",
    "as_qrels",
    "as_run",
    "audit",
    "board",
    "board_from_file",
    "board_of_scores",
    "calibrate",
    "calibrate_scores",
    "check_submission",
    "compare",
    "compare_all",
    "compare_ipso",
    "compare_scores",
    "evaluate",
    "evidence_of_board",
    "import_board",
    "ipso_board",
    "ipso_board_from_file",
    "label_changes",
    "maintain",
    "one_pair",
    "parse_measure",
    "pool",
    "pool_from_file",
    "published_board",
    "published_report",
    "read_judgments",
    "read_qrels",
    "read_query_list",
    "read_run",
    "read_scores",
    "read_submission",
    "read_tasks",
    "read_texts",
    "reliability",
    "reliability_from_file",
    "reliability_of_scores",
    "report",
    "run_demo",
    "scale",
    "settle",
    "submit",
    "tally",
    "tasks",
    "tasks_of_pairs",
    "with_texts",
]

_HOMES = {
    "runoff.errors": ("InputError", "LimitError", "MeasureError", "MissingExtraError", "RunoffError", "UsageError"),
    "runoff.files": (
        "read_judgments",
        "read_qrels",
        "read_query_list",
        "read_run",
        "read_scores",
        "read_tasks",
        "read_texts",
    ),
    "runoff.measures": ("Measure", "parse_measure"),
    "runoff.tables": ("Preferences", "Qrels", "Run", "Scores", "Serps"),
    "runoff.verdicts": ("Policy", "VerdictResult"),
    "runoff.verbs.board": ("board", "board_from_file", "board_of_scores"),
    "runoff.verbs.calibrate": ("CalibrationOptions", "calibrate", "calibrate_scores"),
    "runoff.results.calibration": ("CalibrationTablesResult",),
    "runoff.verbs.compare": ("compare", "compare_all", "compare_scores"),
    "runoff.verbs.audit": ("AuditOptions", "audit"),
    "runoff.results.audit": ("AuditResult",),
    "runoff.results.multi_comparison": ("MultiComparison",),
    "runoff.verbs.demo": ("DemoResult", "run_demo"),
    "runoff.results.comparison": ("Comparison",),
    "runoff.verbs.evaluate": ("evaluate",),
    "runoff.results.evaluation": ("EvaluationResult",),
    "runoff.verbs._board_evidence": ("EvidenceSources", "evidence_of_board"),
    "runoff.results.evidence": ("BoardEvidenceResult",),
    "runoff.verbs._import_board": ("import_board",),
    "runoff.reading.sources": ("ReadOptions", "as_qrels", "as_run"),
    "runoff.verbs._label_changes": ("LabelChangesResult", "label_changes"),
    "runoff.results.board": ("BoardResult",),
    "runoff.verbs.maintain": ("MaintainOptions", "MaintainResult", "maintain"),
    "runoff.verbs._one_pair": ("OnePairResult", "one_pair"),
    "runoff.verbs.pool": ("PoolOptions", "PoolResult", "pool", "pool_from_file"),
    "runoff.verbs.tally": ("tally",),
    "runoff.results.tally_tables": ("TallyOptions",),
    "runoff.results.tally": ("TallyResult",),
    "runoff.verbs.tasks": ("TasksResult", "tasks", "tasks_of_pairs", "with_texts"),
    "runoff.verbs.ipso": ("IpsoComparisonResult", "compare_ipso"),
    "runoff.verbs._published_board": ("published_board",),
    "runoff.verbs._published_report": ("published_report",),
    "runoff.comparisons.options": ("CompareOptions",),
    "runoff.results.ipso_agreement": ("IpsoBoardResult",),
    "runoff.verbs._ipso_board": ("IpsoOptions", "ipso_board", "ipso_board_from_file"),
    "runoff.verbs.reliability": (
        "ReliabilityTableResult",
        "reliability",
        "reliability_from_file",
        "reliability_of_scores",
    ),
    "runoff.verbs.report": ("ReportOptions", "report"),
    "runoff.reports.result": ("ReportResult",),
    "runoff.verbs._submission": ("SubmissionResult", "check_submission", "read_submission"),
    "runoff.verbs.submit": ("SubmitResult", "submit"),
    "runoff.verbs._sequential": ("SettleResult", "settle"),
    "runoff.verbs.scale": ("MeasureScaleResult", "scale"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'runoff' has no attribute '{name}'")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
