"""Tables of the database, one family per file; `METADATA` knows them all."""

from runoff.server.store.models import access, audit, boards, campaigns, jobs, judging, people, runs, scores, sealed
from runoff.server.store.models._columns import METADATA

FAMILIES = (people, access, boards, runs, scores, sealed, jobs, audit, judging, campaigns)

__all__ = ["FAMILIES", "METADATA"]
