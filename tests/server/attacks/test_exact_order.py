"""Runs whose shown means agree are not put in order: an exact order would tell a bit of a label with every pair."""

from __future__ import annotations

import re

import pytest

from runoff.server.cases.views.protected import PROTECTED_CHARTS
from tests.server.attacks.probing import queries_of, served_world
from tests.server.web.serving import API

QUERIES = 100


def guessing_run(query: str) -> str:
    """Guesses one query, and has junk for all."""
    lines = []
    for other in queries_of([False] * QUERIES):
        docs = ["guess" if other == query else "junk0", "junk1"]
        lines += [f"{other} Q0 {doc} {rank} {3 - rank} run\n" for rank, doc in enumerate(docs, 1)]
    return "".join(lines)


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_which_of_two_guesses_is_right_is_not_seen(tmp_path, names):
    """In one world the first run has the right guess, in the other the second: the means differ by a hundredth."""
    seen = []
    for world in (0, 1):
        labels = [place % 2 == world for place in range(QUERIES)]
        with served_world(tmp_path / str(world), labels, digits=1) as serving:
            for place, name in enumerate(names):
                assert serving.send(guessing_run(f"q{50 + place}"), said={"name": name}).status_code == 202
            serving.work()
            seen.append(_shown(serving))
    assert [address for address in seen[0] if seen[0][address] != seen[1][address]] == []


def _shown(serving):
    """What the team can open about the board, its two runs (2 and 3), and the organisers' run (1)."""
    addresses = ["/boards/trees", f"{API}/boards/trees", "/teams/oaks"]
    addresses += [f"/boards/trees/charts/{name}.svg" for name in sorted(PROTECTED_CHARTS)]
    for run in (1, 2, 3):
        addresses += [f"/boards/trees/runs/{run}", f"{API}/runs/{run}"]
        for other in {1, 2, 3} - {run}:
            pair = f"champion={run}&challenger={other}"
            addresses += [f"/boards/trees/compare?{pair}", f"{API}/boards/trees/compare?{pair}"]
    answers = {}
    for address in addresses:
        answer = serving.client.get(address, headers=serving.bearer)
        assert answer.status_code == 200, address
        answers[address] = re.sub(r'name="csrf" value="[^"]*"', "", answer.text)
    return answers
