"""A board on which everything can be hidden, and all that everybody gets to read of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from runoff.server import worker
from runoff.server.store.database import Database
from runoff.server.store.people import save_person, save_team
from runoff.server.store.submissions import MAIL
from tests.server.cases.mailbox import mail_server
from tests.server.cases.served import NOW
from tests.server.web.leaks import Crawl, Found, addresses
from tests.server.web.marked import DOCUMENT, SCORES, marked_run, private_mean, write_marked_board
from tests.server.web.serving import API, Serving

NOBODY: dict[str, str] = {}
NAMED = NOW + timedelta(days=5)
"""From this day on teams are named, and the embargo has ended."""
REVEAL = NOW + timedelta(days=9)
"""From this day on private means are shown."""
MARKS = ("zzsealedzz", DOCUMENT)
CHARTS = ("rank_heat_map", "rank_intervals", "timeline", "unjudged", "outcome_bars", "ipso_strips", "differences", "no")
SCORED = (0, 1, 2, 6, 10, 11, 12, 15)
"""Seeds of the runs that are scored on private queries."""
GHOSTS, VEILED, LATER = (6, 7), (8, 10), 9
"""Numbers of the anonymous runs, of those under embargo (scored, queued), and of the one after the first of them."""
RUNS = range(1, 11)
ABSENT = 50
ASKED = (
    "/boards/trees/runs/{}",
    f"{API}/runs/{{}}",
    "/boards/trees/compare?champion=2&challenger={}",
    "/boards/trees/compare?champion={}&challenger=2",
    "/boards/trees/compare/charts/outcome_bars.svg?champion=2&challenger={}",
    f"{API}/boards/trees/compare?champion=2&challenger={{}}",
)
"""Addresses with the number of a run."""


def marked_server(database: Database, folder: Path, **settings: Any) -> Any:
    """A server with a marked board, as a context."""
    return Serving.made_in(database, folder, write=write_marked_board, most=9, variants=5, **settings)


def hiding_server(database: Database, folder: Path) -> Any:
    """The same with private results and names of teams that are shown on later days."""
    return marked_server(database, folder, private_until=REVEAL, closes_at=REVEAL, anonymous_until=NAMED, digits=6)


def other_team(serving: Serving) -> dict[str, str]:
    """The header of a member of another team."""

    def work(connection: Any) -> Any:
        person = save_person(
            connection, email="eve@example.org", display_name="Eve", role="member", actor=None, now=NOW
        )
        save_team(connection, slug="elms", name="Elms", founder=person.id, now=NOW)
        return person

    return serving.token_of(serving.site.database.write(work), "read", "submit")


def starts(runs: Iterable[int], *, product: bool = False) -> list[str]:
    """Every address, and those that could show a query set, labels or a run to somebody who must not see them."""
    numbers = [*map(str, runs), "99999"]
    values = {
        "slug": ["trees", "none", "oaks", "elms", "team-0", "team-1"],
        "run_id": [*numbers, "0", "-1", "x"],
        "number": ["1", "2", "99999", "x"],
        "name": CHARTS,
        "token": ["x"],
        "version": ["x"],
    }
    # A team is not asked for as a board: one board that is there and one that is not are enough.
    teams = tuple(f"{start}/boards/{slug}" for start in ("", API) for slug in values["slug"][2:])
    found = [path for path in addresses(values, product=product) if not path.startswith(teams)]
    board = f"{API}/boards/trees"
    for extra in ("query_set=private", "labels=dev%20private", "query_set=x", "query_set=private&labels=dev%20private"):
        found += [f"{board}?{extra}", f"/boards/trees?{extra.replace('query_set', 'queries')}"]
        found.append(f"/boards/trees/compare?champion=1&challenger=2&{extra.replace('query_set', 'queries')}")
    for name in [*numbers, "run%201", "secret%20run"]:
        for page in (f"{board}/compare", "/boards/trees/compare", "/boards/trees/compare/charts/differences.svg"):
            found.append(f"{page}?champion=2&challenger={name}")
    return found


def crawled(serving: Serving, headers: dict[str, str], *, product: bool = False) -> Crawl:
    """Everything that somebody gets to read now."""
    asked = [path.format(number) for path in ASKED for number in (*VEILED, ABSENT)]
    crawl = Crawl(serving.client, headers).follow([*starts(RUNS, product=product), *asked])
    assert crawl.faults == []
    return crawl


def send_hidden(serving: Serving) -> None:
    """Two anonymous runs of the team Oaks, one a variation of the other, from files that are named for the team."""
    said = {"name": "ghost", "anonymous": True}
    serving.send(marked_run(10, skill=0.9), said=said, name="oaks-secret.run")
    serving.send(marked_run(11), said=said | {"name": "ghost 2", "variant_of": "ghost"}, name="oaks-secret.run")
    serving.work()


def submitted(serving: Serving) -> list[Any]:
    """The answers to runs of the team: with private queries and without, bad ones, and dry runs; all are scored."""
    answers = [
        serving.send(marked_run(5, skill=0.8, private=False), said={"name": "run 5"}),
        serving.send(marked_run(6, skill=0.6), said={"name": "run 6"}),
        serving.send("bad", said={"name": "bad"}),
        serving.send("zz Q0 d 1 1.0 x\n", said={"name": "foreign"}),
        serving.send(marked_run(7), dry_run="true"),
        serving.send("bad", dry_run="true"),
    ]
    serving.work()
    return answers


def submitted_with_mail(serving: Serving) -> tuple[list[Any], list[str]]:
    """Runs of every kind, the last of which waits to be scored: what the sender was answered, and the mails."""
    with mail_server() as box:
        settings = replace(serving.site.settings, mail=box.address, mail_from="runoff@example.org")
        serving.site = replace(serving.site, settings=settings)
        answers = submitted(serving)
        send_hidden(serving)
        veil = {"embargo_until": NAMED.date().isoformat()}
        answers.append(serving.send(marked_run(12, skill=0.95), said={"name": "veiled", **veil}))
        serving.work()
        answers.append(serving.send(marked_run(15), said={"name": "later"}))
        serving.work()
        postman = worker.Worker(serving.site, kinds=(MAIL,))
        while postman.work_once():
            pass
        answers.append(serving.send(marked_run(13, skill=0.97), said={"name": "veiled too", **veil}))
    assert [answer.json()["id"] for answer in answers[-3:]] == [VEILED[0], LATER, VEILED[1]]
    assert len(box.messages) == 6, "one for each run that was scored"
    return answers, [f"{message.items()}\n{message.get_content()}" for _, message in box.messages]


@contextmanager
def logged() -> Iterator[list[logging.LogRecord]]:
    """Everything that is logged meanwhile."""
    records: list[logging.LogRecord] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler = Keeping()
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield records
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def _written(texts: Iterable[tuple[str, str]]) -> Crawl:
    return Crawl(None, found={where: Found(where, 200, text) for where, text in texts})


def everything_read(
    serving: Serving, log: list[logging.LogRecord], *, product: bool = False
) -> Iterator[tuple[str, Crawl]]:
    """All that everybody reads before the first day on which something is shown: who, and what."""
    answers, mails = submitted_with_mail(serving)
    yield "mail", _written((f"mail {number}", text) for number, text in enumerate(mails))
    yield "sender", _written((f"answer {number}", answer.text) for number, answer in enumerate(answers))
    organiser = serving.token_of(serving.served.organiser, "read", "submit", "organise")
    people = {"visitor": NOBODY, "team": serving.bearer, "other team": other_team(serving), "organiser": organiser}
    for name, headers in people.items():
        yield name, crawled(serving, headers, product=product)
    yield "log", _written((f"{number} {one.name}", one.getMessage()) for number, one in enumerate(log))


def leaks(read: Iterable[tuple[str, Crawl]]) -> Iterator[tuple[str, str, str]]:
    """Every place at which somebody reads what they must not: who, where, what; whoever asks for one waits for one."""
    # With fewer digits, one of thousands of public numbers would be the same by chance.
    means = [f"{private_mean(seed):.6f}" for seed in SCORED]
    for name, crawl in read:
        forbidden = MARKS if name in {"organiser", "sender", "log"} else (*MARKS, *SCORES, *means)
        yield from ((name, *place) for place in crawl.holding(forbidden))
