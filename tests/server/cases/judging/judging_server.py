"""A server process for the kill test: assessors judge in threads, and what was acknowledged is written to a file.

python judging_server.py DATABASE_URL CAMPAIGN LOG PERSON...
"""

from __future__ import annotations

import os
import sys
import threading
import time
from datetime import UTC, datetime

from runoff.errors import ConflictError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.judge import choose, finish_task, offer_task
from runoff.server.store.database import open_database


def side_of(pair) -> str:
    """The later letter is the better; documents of other queries are worth nothing."""
    left, right = (doc if doc.endswith(f".{pair.query}") else "" for doc in (pair.left, pair.right))
    return "left" if left > right else "right"


def judge(database, campaign, person, log) -> None:
    """Do tasks until there is nothing left; each answer is noted when it was acknowledged, as a browser would."""
    actor = Actor(id=person, role="assessor")
    while True:
        offer = offer_task(database, campaign, actor=actor, now=datetime.now(UTC))
        if offer.sheet is None:
            if offer.state == "nothing":
                return
            time.sleep(0.02)
            continue
        sheet = offer.sheet
        for pair in sheet.pairs:
            if pair.answer is None:
                key, side = f"{pair.id}", side_of(pair)
                options = {"claimed": 1.0, "retry_key": key, "actor": actor}
                choose(database, sheet.assignment.id, pair.id, side, now=datetime.now(UTC), **options)  # type: ignore[arg-type]
                os.write(log, f"choice {sheet.assignment.id} {pair.id} {side}\n".encode())
        try:
            state = finish_task(database, sheet.assignment.id, actor=actor, now=datetime.now(UTC))
        except ConflictError:
            continue
        os.write(log, f"end {sheet.assignment.id} {state}\n".encode())


def main(url: str, campaign: str, path: str, *people: str) -> None:
    """Serve until everything is judged."""
    database = open_database(url)
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(log, b"begun\n")
    threads = [threading.Thread(target=judge, args=(database, int(campaign), int(one), log)) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
