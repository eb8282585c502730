"""A site for tests: a board with so many scored runs, teams, an organiser, and verdicts, in a fresh SQLite file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from runoff.server.cases.views.serp_arrays import measure_of, pack_serps, question_of
from runoff.server.cases.views.stored_board import condition_of
from runoff.server.site import Site, SiteSettings, open_site
from runoff.server.store.boards import StoredBoard, save_board
from runoff.server.store.label_sets import NewVersion, save_label_set, save_query_set
from runoff.server.store.people import Person, Team, save_person, save_team
from runoff.server.store.scores import MeanScore, StoredVerdict, save_analysis, save_score, save_verdict
from runoff.server.store.submissions import NewRun, StoredRun, save_run, save_run_state
from runoff.simulation import RankLaw
from runoff.tables.settings import BoardSettings
from runoff.verbs._comparing import quick_comparisons
from runoff.verdicts import Policy
from studies.comparison import ComparisonConfig, simulate_comparison
from tests.server.cases.reading_here import HERE
from tests.server.store.upgraded import content_of, put_upgraded

NOW = datetime(2026, 3, 15, 12, 30, tzinfo=UTC)
TEAMS = ("Trees", "Rivers", "Hills & Sons", "Stones")
HOSTILE = (
    "<script>alert(1)</script>",
    "\"onmouseover='x'",
    "{{ 7 * 7 }}{% raw %}",
    "&amp; &#60;b&#62; %3Cb%3E",
    "名前 des données \N{PILE OF POO}",
    "W" * 100,
)
SETTINGS = BoardSettings(
    public_labels="open",
    slug="passages",
    title="Passages",
    description="Short answers to questions that people asked a search engine.",
    measure="RR@10",
    depth=10,
    most=1000,
    variants=10,
)


@dataclass(frozen=True, kw_only=True)
class Fixture:
    """The site and what is in it."""

    site: Site
    organiser: Person
    member: Person
    teams: tuple[Team, ...]
    board: StoredBoard
    runs: tuple[StoredRun, ...]


_KNOWN: dict[str, tuple[Fixture, bytes]] = {}
"""Sites that were made, by what was asked for, and their databases."""


def make_site(folder: Path, *, runs: int, queries: int = 120, names: Sequence[str] = (), **settings: Any) -> Fixture:
    """A site whose board has so many scored runs, a day apart, with verdicts against the record of their days."""
    folder.mkdir(parents=True, exist_ok=True)
    file, asked_for = folder / "runoff.db", repr((runs, queries, names, settings))
    chosen = SiteSettings(database=put_upgraded(file), folder=folder / "files", title="Test site")
    known = _KNOWN.get(asked_for)
    if known is not None:
        file.write_bytes(known[1])
    site = replace(open_site(chosen), now=lambda: NOW, reader=HERE)
    kept = site.files.save([b"q1 0 d1 1\n"], limit=100)
    listed = site.files.save([b"q1\n"], limit=100)
    if known is not None:
        return replace(known[0], site=site)

    def fill(connection: Any) -> Fixture:
        people = [
            save_person(connection, email=f"{role}@example.org", display_name=name, role=role, actor=None, now=NOW)  # type: ignore[arg-type]
            for role, name in (("organiser", "Olga Organiser"), ("member", "Ann Member"))
        ]
        teams = tuple(
            save_team(connection, slug=f"team-{place}", name=name, founder=people[1 if place == 0 else 0].id, now=NOW)
            for place, name in enumerate(TEAMS)
        )
        board = save_board(connection, replace(SETTINGS, **settings), actor=people[0].id, now=NOW)
        new = NewVersion(board_id=board.id, name="public", queries=queries, content_hash=kept.content_hash)
        labels = save_label_set(connection, new, judged=queries, actor=people[0].id, now=NOW)
        new = replace(new, content_hash=listed.content_hash)
        asked = save_query_set(connection, new, actor=people[0].id, now=NOW)
        laws = tuple(
            RankLaw(answered=min(0.93, 0.55 + 0.4 * place / max(runs, 2)), steepness=1.0, depth=10)
            for place in range(max(runs, 2))
        )
        comparison = simulate_comparison(
            ComparisonConfig(queries=queries, champion=laws[0], challengers=laws[1:], seed=3)
        )
        measure = measure_of(board)
        stored: list[StoredRun] = []
        record: tuple[StoredRun, Any, float] | None = None
        for place, plain in enumerate((comparison.champion, *comparison.challengers)[:runs]):
            name = names[place] if place < len(names) else f"run-{place + 1:03d}"
            when = NOW - timedelta(days=runs - place)
            run = save_run(
                connection,
                NewRun(
                    board_id=board.id,
                    team_id=teams[place % len(teams)].id,
                    submitted_by=people[1].id,
                    submission_key=f"key {place}",
                    name=name,
                    content_hash=f"{place:064x}",
                    size=12_345 + place,
                    description="BM25 with a rewriter\nand \u202e a second line",
                    metadata={"paper": "Doe et al. 2026", "code": "https://example.org/<b>code</b>"},
                ),
                now=when,
            )
            save_run_state(connection, run.id, "scoring", now=when)
            run = save_run_state(connection, run.id, "scored", now=when)
            serps = replace(plain, run=run.name)
            values = measure.values(serps)
            condition = condition_of(board, labels, asked)
            save_analysis(connection, condition, run.id, pack_serps(serps.query_ids, values, serps), now=when)
            key: dict[str, Any] = {**asdict(condition), "run_id": run.id}
            mean = float(np.mean(values))
            save_score(
                connection,
                MeanScore(**key, measure=str(measure), mean=mean, queries=queries, missing_queries=0),
                now=when,
            )
            verdict = None
            if record is not None:
                verdict = quick_comparisons([(record[1], serps)], question_of(board), Policy.of(board))[0].verdict
            save_verdict(
                connection,
                StoredVerdict(
                    **key,
                    champion_id=record[0].id if record else None,
                    strict=verdict.strict if verdict else None,
                    do_no_harm=verdict.do_no_harm if verdict else None,
                    sentence=verdict.sentence if verdict else "This is the first run of the board.",
                    policy={},
                    decided_at=when,
                ),
            )
            if record is None or mean > record[2]:
                record = (run, serps, mean)
            stored.append(run)
        return Fixture(site=site, organiser=people[0], member=people[1], teams=teams, board=board, runs=tuple(stored))

    made = site.database.write(fill)
    _KNOWN[asked_for] = made, content_of(file)
    return made
