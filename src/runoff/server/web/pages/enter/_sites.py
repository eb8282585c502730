"""What crowdsourcing sites add to the address of a link."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

WORKERS: Final = ("worker", "workerid", "worker_id", "prolific_pid", "participant", "participantid", "participant_id")
REFERENCES: Final = ("assignment", "assignmentid", "assignment_id", "session_id", "reference")
"""Names of parameters, in small letters: of the worker, and of the site's own number of the assignment."""
NOT_YET: Final = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What Mechanical Turk sends where somebody looks at work without having accepted it."""
LONGEST: Final = 200


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What an address says about who comes."""

    worker: str = ""
    reference: str = ""
    is_preview: bool = False


def sent_by(parameters: Iterable[tuple[str, str]]) -> Sent:
    """Worker and assignment among the parameters of an address, however their site writes them.

    >>> sent_by([("PROLIFIC_PID", "5f"), ("STUDY_ID", "s"), ("SESSION_ID", "9a")])
    Sent(worker='5f', reference='9a', is_preview=False)
    >>> sent_by([("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"), ("hitId", "3X")]).is_preview
    True
    """
    given = {name.lower(): value[:LONGEST] for name, value in reversed(list(parameters))}
    worker = next((given[name] for name in WORKERS if given.get(name)), "")
    reference = next((given[name] for name in REFERENCES if given.get(name)), "")
    if reference == NOT_YET:
        return Sent(is_preview=True)
    return Sent(worker=worker, reference=reference)
