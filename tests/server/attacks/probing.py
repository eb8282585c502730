"""The probe: two submissions that read hidden labels wherever something is shown by rank, and what everybody sees then.

The first run holds junk. The second has its guess for the i-th query at rank i, and junk everywhere else: what differs
between the two at rank i is whether the guess for query i is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from runoff.server.cases.runs.score import queue_rescoring, save_share
from runoff.server.store.boards import load_board
from tests.server.cases.served import NOW
from tests.server.store.upgraded import open_upgraded
from tests.server.web.serving import API, Serving

CHARTS = ("outcome_bars", "ipso_strips", "differences", "break_even_curve")


def queries_of(labels: Sequence[bool]) -> list[str]:
    """The ids of the queries of a world."""
    return [f"q{number}" for number in range(len(labels))]


def probing_run(queries: Sequence[str], *, guesses: bool) -> str:
    """The probe, or the same list without any guess."""
    lines = []
    for place, query in enumerate(queries):
        for rank in range(len(queries)):
            doc = "guess" if guesses and rank == place else f"junk{rank}"
            lines.append(f"{query} Q0 {doc} {rank + 1} {len(queries) - rank} probe\n")
    return "".join(lines)


def _writer(labels: Sequence[bool]) -> Any:
    def write(folder: Path, *, runs: int = 1) -> Path:
        del runs
        queries = queries_of(labels)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "public.txt").write_text("\n".join(queries) + "\n")
        (folder / "qrels.txt").write_text(
            "".join(
                f"{query} 0 {'guess' if right else 'other'} 1\n" for query, right in zip(queries, labels, strict=True)
            )
        )
        # The organisers' own run answers every query whose guess is wrong, and no other.
        (folder / "baseline.txt").write_text("".join(f"{query} Q0 elsewhere 1 1 baseline\n" for query in queries))
        (folder / "board.toml").write_text(
            f'title = "Guarded"\nmeasure = "RR@{len(labels)}"\n[queries.public]\npath = "public.txt"\n'
            '[labels.dev]\npath = "qrels.txt"\n'
            '[[runs]]\npath = "baseline.txt"\nname = "baseline"\nteam = "T"\ndate = 2026-01-01\nbaseline = true\n'
        )
        return folder / "board.toml"

    return write


@contextmanager
def probed_board(
    folder: Path, labels: Sequence[bool], *, hidden_share: float = 0.0, **settings: Any
) -> Iterator[tuple[Serving, int, int]]:
    """A server whose board was sent both runs, and their numbers: junk, probe."""
    with served_world(folder, labels, hidden_share=hidden_share, **settings) as serving:
        queries = queries_of(labels)
        numbers = [
            serving.send(probing_run(queries, guesses=guesses), said={"name": name}).json()["id"]
            for name, guesses in (("junk", False), ("probe", True))
        ]
        serving.work()
        yield serving, numbers[0], numbers[1]


@contextmanager
def served_world(
    folder: Path, labels: Sequence[bool], *, hidden_share: float = 0.0, most: int = 2, **settings: Any
) -> Iterator[Serving]:
    """A server with a board whose labels say of each query whether its guess is right."""
    folder.mkdir(parents=True)
    database = open_upgraded(folder / "runoff.db")
    try:
        with Serving.made_in(
            database, folder / "site", write=_writer(labels), runs=1, most=most, **settings
        ) as serving:
            if hidden_share:
                _hide(serving, hidden_share)
            yield serving
    finally:
        database.close()


def _hide(serving: Serving, share: float) -> None:
    def work(connection: Any) -> None:
        board = load_board(connection, serving.served.board.id)
        with patch("runoff.server.cases.runs.score.secrets.token_hex", lambda size: "5e" * size):
            save_share(connection, board, share, actor=None, now=NOW)
        queue_rescoring(connection, board, now=NOW)

    serving.site.database.write(work)
    serving.work()


def shown_to_team(serving: Serving, junk: int, probe: int) -> dict[str, str]:
    """Everything about the two runs that their team can open, by address; what differs at random is taken out."""
    pair = f"champion={junk}&challenger={probe}"
    addresses = [
        "/boards/trees",
        *(f"/boards/trees?team=Oaks&runs={runs}" for runs in ("", "entries")),
        f"{API}/boards/trees",
        f"{API}/boards/trees?runs=entries",
        *(f"/boards/trees/charts/{name}.svg" for name in ("rank_heat_map", "rank_intervals", "timeline", "unjudged")),
    ]
    for run in (junk, probe):
        addresses += [f"/boards/trees/runs/{run}", f"{API}/runs/{run}"]
    for order in (pair, f"champion={probe}&challenger={junk}", f"champion=1&challenger={probe}"):
        addresses += [f"/boards/trees/compare?{order}", f"{API}/boards/trees/compare?{order}"]
        addresses += [f"/boards/trees/compare/charts/{name}.svg?{order}" for name in CHARTS]
    answers = {}
    for address in addresses:
        for who, headers in (("anybody", {}), ("the team", serving.bearer)):
            answer = serving.client.get(address, headers=headers)
            answers[f"{address} by {who}"] = re.sub(r'name="csrf" value="[^"]*"', "", answer.text)
    return answers
