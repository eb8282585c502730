"""A database for the benchmark of the server: a board with many scored runs, and somebody who may submit one more.

`python -m benchmarks.server_board QUERIES RUNS DATABASE FOLDER` fills an empty database and prints
what is in it as JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.data import Sample, bench_folder

DEPTH: Final = 10
TEAMS: Final = 12
SEED: Final = 5
SLUG: Final = "passages"
SESSION: Final = "session-of-ann"
TOKEN: Final = "token-of-ann"  # noqa: S105


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What goes into the database."""

    settings: Any
    qrels: Any
    labels_hash: str
    queries_hash: str
    serps: tuple[Any, ...]


def fill(sample: Sample, runs: int, database: str, folder: Path) -> dict[str, Any]:
    """Save labels, queries, and simulated runs as scoring would have left them; they get better with time."""
    from runoff.server.site import SiteSettings, open_site
    from runoff.tables.settings import BoardSettings

    site = open_site(SiteSettings(database=database, folder=folder))
    settings = BoardSettings(slug=SLUG, title="Passages", measure=f"RR@{DEPTH}", depth=DEPTH, most=10_000)
    try:
        drawn = draw(sample, runs, settings, site)
        return site.database.write(lambda connection: save(connection, drawn))
    finally:
        site.close()


def draw(sample: Sample, runs: int, settings: Any, site: Any) -> Drawn:
    """The runs of the board: lists of the sample's queries, with simulated grades."""
    import numpy as np

    from runoff.files import read_qrels
    from runoff.server.cases.uploads.run import score_upload
    from runoff.simulation import RankLaw
    from studies.comparison import ComparisonConfig, simulate_comparison

    qrels = read_qrels(sample.qrels)
    ids = qrels.query_ids
    pattern = score_upload(sample.run, qrels, settings, name="pattern", max_bytes=1 << 40).serps
    assert pattern is not None
    rng = np.random.default_rng(SEED)
    shares = np.clip(0.5 + 0.4 * np.arange(runs) / runs + rng.normal(0, 0.06, runs), 0.1, 0.95)
    laws = [RankLaw(answered=float(share), steepness=1.0, depth=DEPTH) for share in shares]
    comparison = simulate_comparison(
        ComparisonConfig(queries=len(ids), champion=laws[0], challengers=tuple(laws[1:]), seed=SEED)
    )
    return Drawn(
        settings=settings,
        qrels=qrels,
        labels_hash=site.files.save([sample.qrels.read_bytes()], limit=1 << 31).content_hash,
        queries_hash=site.files.save(["\n".join([*ids, ""]).encode()], limit=1 << 31).content_hash,
        serps=tuple(replace(pattern, grades=one.grades) for one in (comparison.champion, *comparison.challengers)),
    )


def save(connection: Any, drawn: Drawn) -> dict[str, Any]:
    """Save the board, and somebody with a session, a token and a team."""
    from sqlalchemy import delete

    from runoff.server.store.access import save_api_token, save_session
    from runoff.server.store.boards import save_board
    from runoff.server.store.label_sets import NewVersion, save_label_set, save_query_set
    from runoff.server.store.models.boards import JOB
    from runoff.server.store.people import save_person, save_team

    now, ids = datetime.now(UTC), drawn.qrels.query_ids
    ann, bob = (
        save_person(connection, email=f"{name}@example.org", display_name=name, role="member", actor=None, now=now)
        for name in ("ann", "bob")
    )
    save_session(connection, ann.id, SESSION, expires_at=now + timedelta(days=2), now=now)
    scopes = frozenset({"read", "submit"})
    save_api_token(connection, ann.id, TOKEN, name="t", scopes=scopes, expires_at=now + timedelta(days=2), now=now)
    save_team(connection, slug="own", name="Own", founder=ann.id, now=now)
    teams = [
        save_team(connection, slug=f"team-{place}", name=f"Team {place}", founder=bob.id, now=now)
        for place in range(TEAMS)
    ]
    board = save_board(connection, drawn.settings, actor=None, now=now)
    new = NewVersion(board_id=board.id, name="public", queries=len(ids), content_hash=drawn.labels_hash)
    labels = save_label_set(connection, new, judged=len(drawn.qrels), actor=None, now=now)
    new = replace(new, content_hash=drawn.queries_hash)
    queries = save_query_set(connection, new, actor=None, now=now)
    numbers = []
    for place in range(len(drawn.serps)):
        when = now - timedelta(days=2 * (len(drawn.serps) - place))
        team = teams[place % TEAMS]
        numbers.append(save_scored(connection, board, (labels, queries), drawn.serps[place], team, place, when))
    # The runs are scored, and their files are not there.
    connection.execute(delete(JOB))
    return {"session": SESSION, "token": TOKEN, "runs": numbers}


def save_scored(connection: Any, board: Any, sets: Any, plain: Any, team: Any, place: int, when: datetime) -> int:
    """Save a run and everything that scoring it would have left."""
    from runoff.server.cases.runs.record_verdicts import save_due_verdicts
    from runoff.server.cases.views.serp_arrays import measure_of, pack_serps
    from runoff.server.cases.views.stored_board import condition_of
    from runoff.server.store.scores import MeanScore, save_analysis, save_score
    from runoff.server.store.submissions import NewRun, save_run, save_run_state

    new = NewRun(
        board_id=board.id,
        team_id=team.id,
        submitted_by=2,
        submission_key=f"key {place}",
        name=f"system {place + 1:03d}",
        content_hash=f"{place:064x}",
        size=277_000_000,
        description="A dense retriever and a cross-encoder",
    )
    run = save_run(connection, new, now=when)
    for state in ("scoring", "scored"):
        save_run_state(connection, run.id, state, now=when)
    measure, ids = measure_of(board), plain.query_ids
    serps = replace(plain, run=run.name)
    values = measure.values(serps)
    condition = condition_of(board, *sets)
    save_analysis(connection, condition, run.id, pack_serps(ids, values, serps), now=when)
    facts: Any = {"measure": str(measure), "mean": float(values.mean()), "queries": len(ids), "missing_queries": 0}
    save_score(connection, MeanScore(**asdict(condition), run_id=run.id, **facts), now=when)
    save_due_verdicts(connection, board, now=when)
    return int(run.id)


if __name__ == "__main__":
    queries, runs, database, folder = sys.argv[1:]
    print(json.dumps(fill(Sample(bench_folder(), int(queries)), int(runs), database, Path(folder))))
