"""Runs and qrels in a format of another tool."""

from __future__ import annotations

from runoff.errors import SHOWN_PROBLEMS
from runoff.files.peers._base import PeerFormat
from runoff.files.problems import Problems
from runoff.files.streams import Source, source_name
from runoff.files.tabular import lists_of_blocks, qrels_of_blocks
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists


def read_peer_lists(
    form: PeerFormat, source: Source, request: ListRequest, *, max_bytes: int, most: int = SHOWN_PROBLEMS
) -> RankedLists:
    """The ranked lists of a run in one of the formats; all its faults are raised in one InputError.

    most  how many of them are kept with their sentences
    """
    problems = Problems(source_name(source), most=most)
    return lists_of_blocks(form.blocks(source, "run", max_bytes, problems), request, problems)


def read_peer_qrels(
    form: PeerFormat, source: Source, *, name: str, max_bytes: int, most: int = SHOWN_PROBLEMS
) -> Qrels:
    """The qrels in one of the formats; see `read_peer_lists`."""
    problems = Problems(source_name(source), most=most)
    return qrels_of_blocks(form.blocks(source, "qrels", max_bytes, problems), name, problems)
