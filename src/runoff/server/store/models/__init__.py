"""Tables of the database by subject; `METADATA` knows them all."""

from runoff.server.store.models import accounts, boards, campaigns, sealed
from runoff.server.store.models._columns import METADATA

FAMILIES = (accounts, boards, sealed, campaigns)

__all__ = ["FAMILIES", "METADATA"]
