"""The server shows the numbers that the study of attacks assumes, and the attack works on it as the study says."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.label_budget import load_label_budget
from studies.label_attacks import AttackConfig, shown_both, shown_numbers, simulate_attack
from studies.label_decoding import Sums, chances_of
from tests.server.attacks.probing import queries_of, served_world
from tests.server.web.serving import API

QUERIES = 60
RANKS = (1, 2, 4)


def guessing_run(ranks):
    """The guess of each query at its rank, 0 for no guess, and junk around it."""
    lines = []
    for query, rank in zip(queries_of([True] * QUERIES), ranks, strict=True):
        for place in range(1, 6):
            doc = "guess" if place == rank else f"junk{place}"
            lines.append(f"{query} Q0 {doc} {place} {10 - place} run\n")
    return "".join(lines)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a team gets from the API for 9 runs: their weights, rows of the board, shares of pairs; and the budget."""
    draw = random.Random(7)
    labels = [draw.random() < 0.5 for _ in range(QUERIES)]
    runs = [[draw.choice(RANKS) if draw.random() < 0.5 else 0 for _ in labels] for _ in range(9)]
    with served_world(
        tmp_path_factory.mktemp("world") / "w", labels, most=9, digits=3, suspicious_runs="refuse"
    ) as serving:
        ids = [
            serving.send(guessing_run(ranks), said={"name": f"r{place}"}).json()["id"]
            for place, ranks in enumerate(runs)
        ]
        serving.work()
        rows = {row["run"]: row for row in serving.client.get(f"{API}/boards/trees").json()["runs"]}
        both = {}
        for first, second in itertools.combinations(range(9), 2):
            address = f"{API}/boards/trees/compare?champion={ids[first]}&challenger={ids[second]}"
            both[first, second] = serving.client.get(address, headers=serving.bearer).json()["outcomes"]["shares"]
        with serving.site.database.read() as connection:
            budget = load_label_budget(connection, serving.served.board, actor=Actor(id=1, role="organiser"))
    weights = np.array([[1 / rank if rank else 0.0 for rank in ranks] for ranks in runs])
    return np.array(labels), weights, rows, both, budget


def test_the_server_shows_what_the_study_assumes(seen):
    labels, weights, rows, both, _ = seen
    words = {"run", "team", "date", "rank_set", "could_be_best", "group", "verdict", "how"}
    assert set(rows["r0"]) == {"mean", "ci95", *words}
    for place, weights_of_run in enumerate(weights):
        assumed, row = shown_numbers(weights_of_run, labels, 3), rows[f"r{place}"]
        assert row["mean"] == assumed["mean"]
        # The study has normal intervals, the server those of bootstrap samples.
        assert row["ci95"] == pytest.approx([assumed["low"], assumed["high"]], abs=0.02)
    for (first, second), shares in both.items():
        assert shares["both"] == pytest.approx(shown_both(weights[first], weights[second], labels, 3), abs=0.0011)
        assert shares["both"] + shares["champion_only"] == pytest.approx(
            shown_numbers(weights[first], labels, 3)["found"], abs=1e-9
        )


def test_the_attack_decodes_the_labels_of_a_server_as_in_the_study(seen):
    """Plainly: digits do not protect from a team that may send many runs; this is what the documentation says."""
    labels, weights, rows, both, budget = seen
    sums = [(weights_of_run, rows[f"r{place}"]["mean"]) for place, weights_of_run in enumerate(weights)]
    sums += [((weights[first] > 0) & (weights[second] > 0), shares["both"]) for (first, second), shares in both.items()]
    error = np.full(len(sums), (0.001 * QUERIES) ** 2 / 12)
    known = Sums(
        np.array([row for row, _ in sums], dtype=float),
        np.array([value for _, value in sums]) * QUERIES,
        error,
        np.full(len(sums), 0.0005 * QUERIES),
    )
    decoded = (chances_of(known, prior=0.5) > 0.5) == labels
    assert decoded.mean() == 1
    study = simulate_attack(AttackConfig(queries=QUERIES, digits=3, submissions=9, design="random"))
    assert study.decoded == 1
    # The budget warned of it.
    assert budget.lines[0].numbers > budget.held == QUERIES
