"""Frozen tables; nothing here reads a file or knows a measure."""

from runoff.tables.board import Board, BoardRun
from runoff.tables.ids import Ids
from runoff.tables.preferences import Judgment, Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.repeats import without_repeats
from runoff.tables.run import Run
from runoff.tables.scores import Scores
from runoff.tables.serps import NOTHING, UNJUDGED, Serps
from runoff.tables.tasks import TaskPair, Tasks

__all__ = [
    "Board",
    "BoardRun",
    "Ids",
    "Judgment",
    "NOTHING",
    "Preferences",
    "Qrels",
    "Run",
    "Scores",
    "Serps",
    "TaskPair",
    "Tasks",
    "UNJUDGED",
    "without_repeats",
]
