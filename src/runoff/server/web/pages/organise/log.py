"""The audit log of a board: one page of it, and what can be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from runoff.display.grid import Column, Grid, Value
from runoff.reports.page.tables import table
from runoff.server.cases.reads import MAIL, SCORE, Job, StoredBoard, load_board_audit, load_jobs
from runoff.server.cases.runs.jobs import NEAR_DUPLICATES
from runoff.server.cases.runs.record_verdicts import RESCORE
from runoff.server.web.forms import Field
from runoff.server.web.frame.context import Row
from runoff.tables.settings import SETTINGS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.cases.reads import Person

MOST: Final = 100


def load_board_jobs(connection: Connection, board_id: int, runs: Mapping[int, str]) -> tuple[Job, ...]:
    """The jobs of a board that are not done, the newest first; `runs` are all its runs by number."""
    return tuple(
        job
        for job in load_jobs(connection, states=("queued", "running", "failed"))
        if job.payload.get("board_id") == board_id or job.payload.get("run_id") in runs
    )


def job_lines(jobs: tuple[Job, ...], runs: Mapping[int, str]) -> list[tuple[Job, str]]:
    """The newest of some jobs, failed ones first, and each in words."""
    ordered = sorted(jobs, key=lambda job: (job.state != "failed", -job.id))[:MOST]
    return [(job, _job_name(job, runs)) for job in ordered]


def job_words(jobs: tuple[Job, ...]) -> str:
    """How many jobs there are, in a sentence."""
    if not jobs:
        return "No job is waiting, and none has failed."
    counts = Counter(str(job.state) for job in jobs)
    parts = [f"{counts[state]:,} {word}" for state, word in _WORDS.items() if counts[state]]
    return f"{', '.join(parts)}. Failed jobs can be tried again once their cause is fixed."


_WORDS: Final = {"queued": "waiting", "running": "running", "failed": "failed"}


def _job_name(job: Job, runs: Mapping[int, str]) -> str:
    if job.kind == NEAR_DUPLICATES:
        return "Look for near-duplicates"
    name = runs.get(int(job.payload["run_id"]), f"run {job.payload['run_id']}")
    return {SCORE: f"Score {name}", RESCORE: f"Score {name} again", MAIL: f"Mail about {name}"}.get(job.kind, job.kind)


ON_PAGE: Final = 50
THINGS: Final = ("board", "run", "label_set", "query_set", "campaign")
ACTIONS: Final = (
    "create", "change", "submit", "scoring", "scored", "rejected", "verdict", "set counts", "use", "set hidden share",
    "queue again", "start", "extend", "open", "paused", "closed", "invite", "reinstate", "make labels",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LogChoice:
    """What an organiser asks of the log; empty texts are no filters, and pages begin with 1."""

    who: str = ""
    action: str = ""
    thing: str = ""
    page: int = 1


def load_log(
    connection: Connection, board: StoredBoard, choice: LogChoice, people: tuple[Person, ...], address: str
) -> Row:
    """A page of the log."""
    names = {person.id: person.display_name for person in people}
    actor = int(choice.who) if choice.who.isascii() and choice.who.isdigit() and len(choice.who) < 10 else None
    skip = (choice.page - 1) * ON_PAGE
    entries, total = load_board_audit(
        connection, board.id, actor_id=actor, action=choice.action, thing=choice.thing, most=ON_PAGE, skip=skip
    )
    rows: list[list[Value]] = [
        [
            f"{entry.at:%Y-%m-%d %H:%M}",
            _who(entry.actor_id, names),
            entry.action,
            f"{entry.thing.replace('_', ' ')} {entry.thing_id}",
            ", ".join(_detail(name, value) for name, value in entry.details.items() if value not in (None, "", 0)),
        ]
        for entry in entries
    ]
    columns = [
        Column("at", "When (UTC)"),
        Column("who", "Who"),
        Column("action", "Action"),
        Column("thing", "Object"),
        Column("details", "Details"),
    ]
    words = (
        f"Changes {skip + 1:,} to {skip + len(rows):,} of {total:,}, the newest first." if rows else "No change fits."
    )
    return Row(
        table=table(Grid(title="Changes", columns=columns, rows=rows), "log") if rows else None,
        filters=[
            _filter("who", "Who", choice.who, ((str(number), name) for number, name in names.items())),
            _filter("action", "Action", choice.action, ((name, name) for name in ACTIONS)),
            _filter("thing", "Object", choice.thing, ((name, name.replace("_", " ")) for name in THINGS)),
        ],
        words=words,
        newer=_page_address(address, choice, choice.page - 1) if choice.page > 1 else "",
        older=_page_address(address, choice, choice.page + 1) if skip + len(rows) < total else "",
    )


def _filter(name: str, label: str, value: str, options: Iterable[tuple[str, str]]) -> Field:
    return Field(name=name, label=label, kind="select", value=value, options=(("", "all"), *options))


def _page_address(address: str, choice: LogChoice, page: int) -> str:
    asked = {"who": choice.who, "action": choice.action, "thing": choice.thing, "page": str(page)}
    return f"{address}?{urlencode({name: text for name, text in asked.items() if text})}#changes"


def _who(actor_id: int | None, names: Mapping[int, str]) -> str:
    return "the server" if actor_id is None else names.get(actor_id, f"person {actor_id}")


def _detail(name: str, value: object) -> str:
    """A detail of a change in words: settings by their labels, numbers and hashes in short."""
    if name == "champion":
        return f"against run {value}"
    if name == "changed" and isinstance(value, list):
        labels = [SETTINGS[key].label if key in SETTINGS else key for key in map(str, value)]
        return f"changed: {', '.join(labels)}"
    if isinstance(value, int):
        text = f"{value:,}"
    else:
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    # The beginning identifies a hash.
    text = f"{text[:12]}…" if len(text) == 64 and " " not in text else text
    return f"{'verdict' if name == 'overall' else name.replace('_', ' ')}: {text}"
