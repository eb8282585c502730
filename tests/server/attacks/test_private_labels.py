"""Private labels stay private while a team can still send a run, whatever day their results are to be public from."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.server.cases.served import NOW
from tests.server.web.serving import API, Serving

OPEN_QUERIES = [f"open{number}" for number in range(6)]
SEALED_QUERIES = [f"sealed{number}" for number in range(6)]
LABELS = (True, False, True, True, False, False)
"""Whether the guess for each sealed query is right."""
DAY = timedelta(days=1)


def write_board(folder: Path, *, runs: int = 1) -> Path:
    """A board with six open queries and six sealed ones, whose documents are guessed."""
    del runs
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "public.txt").write_text("\n".join(OPEN_QUERIES) + "\n")
    (folder / "private.txt").write_text("\n".join(SEALED_QUERIES) + "\n")
    sealed = zip(SEALED_QUERIES, LABELS, strict=True)
    (folder / "qrels.txt").write_text(
        "".join(f"{query} 0 known 1\n" for query in OPEN_QUERIES)
        + "".join(f"{query} 0 {'guess' if right else 'other'} 1\n" for query, right in sealed)
    )
    (folder / "baseline.txt").write_text("".join(f"{query} Q0 known 1 1 baseline\n" for query in OPEN_QUERIES))
    (folder / "board.toml").write_text(
        'title = "Sealed"\nmeasure = "RR@64"\n[queries.public]\npath = "public.txt"\n'
        '[queries.private]\npath = "private.txt"\n[labels.dev]\npath = "qrels.txt"\n'
        '[[runs]]\npath = "baseline.txt"\nname = "baseline"\nteam = "T"\ndate = 2026-01-01\nbaseline = true\n'
    )
    return folder / "board.toml"


def weighing_run() -> str:
    """The guess for the i-th sealed query at rank 2**i: the mean reciprocal rank spells all guesses in binary."""
    lines = [f"{query} Q0 known 1 1 probe\n" for query in OPEN_QUERIES]
    for place, query in enumerate(SEALED_QUERIES):
        for rank in range(1, 2**place + 1):
            doc = "guess" if rank == 2**place else f"junk{rank}"
            lines.append(f"{query} Q0 {doc} {rank} {100 - rank} probe\n")
    return "".join(lines)


def decoded(mean: float) -> list[bool]:
    """The labels that a mean spells."""
    bits = round(mean * len(SEALED_QUERIES) * 2 ** (len(SEALED_QUERIES) - 1))
    return [bool(bits >> place & 1) for place in reversed(range(len(SEALED_QUERIES)))]


def means_of(serving: Serving, number: int) -> list[float]:
    """What the API answers to its team about private labels."""
    scores = serving.run(number).json().get("scores", [])
    return [score["mean"] for score in scores if score["private"]]


@contextmanager
def attacked(database, folder, **settings):
    with Serving.made_in(database, folder, write=write_board, runs=1, digits=10, **settings) as serving:
        number = serving.send(weighing_run()).json()["id"]
        serving.work()
        yield serving, number


def pages_of(serving: Serving, number: int) -> list[str]:
    """What the team reads of its run and of the board."""
    addresses = ("/boards/trees", f"/boards/trees/runs/{number}", f"{API}/boards/trees", f"{API}/runs/{number}")
    return [serving.client.get(address, headers=serving.bearer).text for address in addresses]


@pytest.mark.parametrize(
    "settings, hidden, shown",
    [
        ({"private_until": NOW}, (0, 1, 900), ()),
        ({"private_until": NOW, "closes_at": NOW + 5 * DAY}, (0, 1, 4), (5, 6)),
        ({"private_until": NOW + 5 * DAY, "closes_at": NOW + DAY}, (0, 1, 4), (5, 6)),
        ({"closes_at": NOW + DAY}, (0, 1, 900), ()),
    ],
    ids=["never closes", "closes later", "closes earlier", "only for organisers"],
)
def test_one_run_reads_all_private_labels_only_after_the_board_has_closed(database, tmp_path, settings, hidden, shown):
    with attacked(database, tmp_path, **settings) as (serving, number):
        secret = f"{sum(2.0**-place for place, right in enumerate(LABELS) if right) / len(LABELS):.6f}"
        for day in hidden:
            serving.clock.moment = NOW + day * DAY
            assert means_of(serving, number) == []
            assert not any(secret in page for page in pages_of(serving, number))
        for day in shown:
            serving.clock.moment = NOW + day * DAY
            assert [decoded(mean) for mean in means_of(serving, number)] == [list(LABELS)]
            assert serving.send().status_code == 409, "what is learnt cannot be used"


def test_a_run_that_waits_while_the_board_closes_gains_nothing(database, tmp_path):
    """It was sent before anything was shown; nothing can be sent after that."""
    with attacked(database, tmp_path, private_until=NOW, closes_at=NOW + DAY) as (serving, first):
        late = serving.send(weighing_run().replace("junk", "chaff")).json()["id"]
        serving.clock.moment = NOW + 2 * DAY
        assert means_of(serving, late) == []
        serving.work()
        assert len(means_of(serving, first)) == len(means_of(serving, late)) == 1
        assert serving.send().status_code == 409


def test_pages_tell_the_day_that_holds(database, tmp_path):
    with attacked(database, tmp_path, private_until=NOW, closes_at=NOW + DAY) as (serving, _):
        assert "private results are shown from 2026-03-16 (UTC)" in serving.client.get("/boards/trees").text
        serving.sign_in(serving.served.organiser)
        organise = serving.client.get("/boards/trees/organise").text
        assert "Others see these means from 2026-03-16 12:30 (UTC), when the board closes." in organise
