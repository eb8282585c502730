"""Tells whether a run really is better than the best one, in what way, and how far to trust the board.

The public names are imported when they are first used, so that `import runoff` and the command line start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runoff.errors import InputError, LimitError, MeasureError, MissingExtraError, RunoffError, UsageError
    from runoff.files.judgments import read_judgments
    from runoff.files.qrels import read_qrels
    from runoff.files.query_list import read_query_list
    from runoff.files.runs import read_run
    from runoff.files.score_matrix import read_scores
    from runoff.files.task_table import read_tasks
    from runoff.files.texts import read_texts
    from runoff.measures import Measure, parse_measure
    from runoff.tables.preferences import Preferences
    from runoff.tables.qrels import Qrels
    from runoff.tables.run import Run
    from runoff.tables.scores import Scores
    from runoff.tables.serps import Serps
    from runoff.verdicts import Policy, VerdictResult
    from runoff.workflows.audit import AuditQuestion, audit
    from runoff.workflows.audit_result import AuditResult
    from runoff.workflows.board import board, board_from_file, board_of_scores
    from runoff.workflows.calibrate import CalibrationQuestion, calibrate, calibrate_scores
    from runoff.workflows.calibration_tables import CalibrationTablesResult
    from runoff.workflows.compare import compare, compare_all, compare_scores
    from runoff.workflows.contest import ContestResult
    from runoff.workflows.demo import DemoResult, run_demo
    from runoff.workflows.duel import DuelResult
    from runoff.workflows.evaluate import evaluate
    from runoff.workflows.evaluation import EvaluationResult
    from runoff.workflows.evidence import Beside, evidence_of_board
    from runoff.workflows.evidence_rows import BoardEvidenceResult
    from runoff.workflows.import_board import import_board
    from runoff.workflows.inputs import Reading, as_qrels, as_run
    from runoff.workflows.ipso import IpsoComparisonResult, compare_ipso
    from runoff.workflows.ipso_agreement import IpsoBoardResult
    from runoff.workflows.ipso_board import IpsoQuestion, ipso_board, ipso_board_from_file
    from runoff.workflows.label_changes import LabelChangesResult, label_changes
    from runoff.workflows.leaderboard import BoardResult
    from runoff.workflows.maintain import MaintainQuestion, MaintainResult, maintain
    from runoff.workflows.one_pair import OnePairResult, one_pair
    from runoff.workflows.pool import PoolQuestion, PoolResult, pool, pool_from_file
    from runoff.workflows.published_board import published_board
    from runoff.workflows.published_report import published_report
    from runoff.workflows.question import Question
    from runoff.workflows.reliability import (
        ReliabilityTableResult,
        reliability,
        reliability_from_file,
        reliability_of_scores,
    )
    from runoff.workflows.report import ReportQuestion, report
    from runoff.workflows.report_result import ReportResult
    from runoff.workflows.scale import MeasureScaleResult, scale
    from runoff.workflows.settle import SettleResult, settle
    from runoff.workflows.submission import SubmissionResult, check_submission, read_submission
    from runoff.workflows.submit import SubmitResult, submit
    from runoff.workflows.tally import tally
    from runoff.workflows.tally_parts import TallyQuestion
    from runoff.workflows.tally_result import TallyResult
    from runoff.workflows.tasks import TasksResult, tasks, tasks_of_pairs, with_texts

__all__ = [
    "AuditQuestion",
    "AuditResult",
    "Beside",
    "BoardEvidenceResult",
    "BoardResult",
    "CalibrationQuestion",
    "CalibrationTablesResult",
    "ContestResult",
    "DemoResult",
    "DuelResult",
    "EvaluationResult",
    "InputError",
    "IpsoBoardResult",
    "IpsoComparisonResult",
    "IpsoQuestion",
    "LabelChangesResult",
    "LimitError",
    "MaintainQuestion",
    "MaintainResult",
    "Measure",
    "MeasureError",
    "MeasureScaleResult",
    "MissingExtraError",
    "OnePairResult",
    "Policy",
    "PoolQuestion",
    "PoolResult",
    "Preferences",
    "Qrels",
    "Question",
    "Reading",
    "ReliabilityTableResult",
    "ReportQuestion",
    "ReportResult",
    "Run",
    "RunoffError",
    "Scores",
    "Serps",
    "SettleResult",
    "SubmissionResult",
    "SubmitResult",
    "TallyQuestion",
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
    "runoff.workflows.board": ("board", "board_from_file", "board_of_scores"),
    "runoff.workflows.calibrate": ("CalibrationQuestion", "calibrate", "calibrate_scores"),
    "runoff.workflows.calibration_tables": ("CalibrationTablesResult",),
    "runoff.workflows.compare": ("compare", "compare_all", "compare_scores"),
    "runoff.workflows.audit": ("AuditQuestion", "audit"),
    "runoff.workflows.audit_result": ("AuditResult",),
    "runoff.workflows.contest": ("ContestResult",),
    "runoff.workflows.demo": ("DemoResult", "run_demo"),
    "runoff.workflows.duel": ("DuelResult",),
    "runoff.workflows.evaluate": ("evaluate",),
    "runoff.workflows.evaluation": ("EvaluationResult",),
    "runoff.workflows.evidence": ("Beside", "evidence_of_board"),
    "runoff.workflows.evidence_rows": ("BoardEvidenceResult",),
    "runoff.workflows.import_board": ("import_board",),
    "runoff.workflows.inputs": ("Reading", "as_qrels", "as_run"),
    "runoff.workflows.label_changes": ("LabelChangesResult", "label_changes"),
    "runoff.workflows.leaderboard": ("BoardResult",),
    "runoff.workflows.maintain": ("MaintainQuestion", "MaintainResult", "maintain"),
    "runoff.workflows.one_pair": ("OnePairResult", "one_pair"),
    "runoff.workflows.pool": ("PoolQuestion", "PoolResult", "pool", "pool_from_file"),
    "runoff.workflows.tally": ("tally",),
    "runoff.workflows.tally_parts": ("TallyQuestion",),
    "runoff.workflows.tally_result": ("TallyResult",),
    "runoff.workflows.tasks": ("TasksResult", "tasks", "tasks_of_pairs", "with_texts"),
    "runoff.workflows.ipso": ("IpsoComparisonResult", "compare_ipso"),
    "runoff.workflows.published_board": ("published_board",),
    "runoff.workflows.published_report": ("published_report",),
    "runoff.workflows.question": ("Question",),
    "runoff.workflows.ipso_agreement": ("IpsoBoardResult",),
    "runoff.workflows.ipso_board": ("IpsoQuestion", "ipso_board", "ipso_board_from_file"),
    "runoff.workflows.reliability": (
        "ReliabilityTableResult",
        "reliability",
        "reliability_from_file",
        "reliability_of_scores",
    ),
    "runoff.workflows.report": ("ReportQuestion", "report"),
    "runoff.workflows.report_result": ("ReportResult",),
    "runoff.workflows.submission": ("SubmissionResult", "check_submission", "read_submission"),
    "runoff.workflows.submit": ("SubmitResult", "submit"),
    "runoff.workflows.settle": ("SettleResult", "settle"),
    "runoff.workflows.scale": ("MeasureScaleResult", "scale"),
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
