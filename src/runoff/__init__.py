"""Whether a run really is better than the best one, in what way, and how far to trust the leaderboard.

Public names are imported when they are first used, so that `import runoff` and the command line start at once. The
classes of results are in `runoff.results`, further options and functions of a verb in `runoff.verbs.<verb>`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Classes of results.
    from runoff import results as results

    # Options, and how verdicts are decided.
    from runoff.comparisons.options import CompareOptions

    # Errors.
    from runoff.errors import InputError, LimitError, MeasureError, MissingExtraError, RunoffError, UsageError

    # Readers of files.
    from runoff.files.judging.judgments import read_judgments
    from runoff.files.judging.task_table import read_tasks
    from runoff.files.judging.texts import read_texts
    from runoff.files.qrels import read_qrels
    from runoff.files.query_list import read_query_list
    from runoff.files.runs import read_run

    # Measures.
    from runoff.measures import Measure, parse_measure

    # Scores that somebody computed.
    from runoff.reading.scores import read_scores

    # What runs and qrels may be.
    from runoff.reading.sources import QrelsSource, ReadOptions, RunSource

    # Tables.
    from runoff.tables.preferences import Preferences
    from runoff.tables.qrels import Qrels
    from runoff.tables.run import Run
    from runoff.tables.scores import Scores
    from runoff.tables.serps import Serps

    # Verbs: one function for each command.
    from runoff.verbs.audit import audit
    from runoff.verbs.board import board
    from runoff.verbs.calibrate import calibrate
    from runoff.verbs.check import check
    from runoff.verbs.compare import compare
    from runoff.verbs.demo import demo
    from runoff.verbs.evaluate import evaluate
    from runoff.verbs.ipso import ipso
    from runoff.verbs.maintain import maintain
    from runoff.verbs.pool import pool
    from runoff.verbs.reliability import reliability
    from runoff.verbs.report import report
    from runoff.verbs.scale import scale
    from runoff.verbs.schema import schema
    from runoff.verbs.submit import submit
    from runoff.verbs.tally import tally
    from runoff.verbs.tasks import tasks
    from runoff.verdicts import Policy

    __version__: str

__all__ = [
    "CompareOptions",
    "InputError",
    "LimitError",
    "Measure",
    "MeasureError",
    "MissingExtraError",
    "Policy",
    "Preferences",
    "Qrels",
    "QrelsSource",
    "ReadOptions",
    "Run",
    "RunSource",
    "RunoffError",
    "Scores",
    "Serps",
    "UsageError",
    "__version__",
    "audit",
    "board",
    "calibrate",
    "check",
    "compare",
    "demo",
    "evaluate",
    "ipso",
    "maintain",
    "parse_measure",
    "pool",
    "read_judgments",
    "read_qrels",
    "read_query_list",
    "read_run",
    "read_scores",
    "read_tasks",
    "read_texts",
    "reliability",
    "report",
    "scale",
    "schema",
    "submit",
    "tally",
    "tasks",
]

# A verb is in `runoff.verbs.<verb>`, an error in `runoff.errors`, a reader in `runoff.files`.
_HOMES = {
    # options, and what runs and qrels may be
    "CompareOptions": "runoff.comparisons.options",
    "Policy": "runoff.verdicts",
    **dict.fromkeys(("QrelsSource", "ReadOptions", "RunSource"), "runoff.reading.sources"),
    "read_scores": "runoff.reading.scores",
    # tables and measures
    **dict.fromkeys(("Preferences", "Qrels", "Run", "Scores", "Serps"), "runoff.tables"),
    **dict.fromkeys(("Measure", "parse_measure"), "runoff.measures"),
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("runoff")
    if name == "results":
        return import_module("runoff.results")
    if name not in __all__:
        raise AttributeError(f"module 'runoff' has no attribute '{name}'")
    if name in _HOMES:
        home = _HOMES[name]
    elif name.startswith("read_"):
        home = "runoff.files"
    else:
        home = "runoff.errors" if name.endswith("Error") else f"runoff.verbs.{name}"
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "results"])
