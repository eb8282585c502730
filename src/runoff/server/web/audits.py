"""The audit behind the organisers' view: computed once per state of a board, then kept in memory."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from runoff.server.cache import Kept
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.boards.private_audit import audit_stored_board
from runoff.server.cases.runs.near_duplicate_job import NEAR_DUPLICATES
from runoff.server.site import Site
from runoff.server.store.boards import StoredBoard, load_board_stamp
from runoff.server.store.jobs import load_jobs

if TYPE_CHECKING:
    from runoff.server.cases.views.public import PublicAudit

MOST_AUDITS: Final = 8
_OF_SITES: WeakKeyDictionary[Site, Kept[PublicAudit | None]] = WeakKeyDictionary()


def audit_of_site(
    site: Site, board: StoredBoard, *, actor: Actor, now: datetime
) -> tuple[Hashable, PublicAudit | None]:
    """The audit of a board for an organiser, None while nothing is scored, and the key under which it is kept."""
    require(actor, "manage board")
    with site.database.read() as connection:
        stamp = load_board_stamp(connection, board.slug, now)
        found = load_jobs(connection, kinds=(NEAR_DUPLICATES,), states=("done",), most=1)
    kept = _OF_SITES.setdefault(site, Kept(most=MOST_AUDITS))

    def make() -> PublicAudit | None:
        with site.database.read() as connection:
            return audit_stored_board(connection, board, actor=actor, now=now)

    key = ("audit", stamp, tuple(job.id for job in found))
    return key, kept.get(key, make)
