"""The log of the server's processes: a line per event on standard error."""

from __future__ import annotations

import logging
from typing import Final

FORM: Final = "%(asctime)s %(name)s %(levelname)s %(message)s"


def start_log() -> None:
    """Write what runoff does, and warnings of others, to standard error; a log that is set up already stays."""
    logging.basicConfig(level=logging.WARNING, format=FORM)
    logging.getLogger("runoff").setLevel(logging.INFO)
