"""The server shows the numbers that the study of attacks assumes, and no number of a pair, which would tell labels."""

from __future__ import annotations

import itertools
import random
import re

import numpy as np
import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.label_budget import load_label_budget
from studies.label_attacks import found_by_both, shown_numbers
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
    """What a team sees of 9 runs: labels, weights, rows of the board, answers and pages of pairs; and the budget."""
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
        pairs = []
        for first, second in itertools.combinations(ids, 2):
            query = f"compare?champion={first}&challenger={second}"
            page = serving.client.get(f"/boards/trees/{query}").text
            pairs.append((serving.client.get(f"{API}/boards/trees/{query}", headers=serving.bearer).json(), page))
        with serving.site.database.read() as connection:
            budget = load_label_budget(connection, serving.served.board, actor=Actor(id=1, role="organiser"))
    weights = np.array([[1 / rank if rank else 0.0 for rank in ranks] for ranks in runs])
    return np.array(labels), weights, rows, pairs, budget


def right_labels(labels, sums):
    """The share of the labels that are decoded right from sums of them, each as weights and a rounded mean."""
    known = Sums(
        np.array([row for row, _ in sums], dtype=float),
        np.array([value for _, value in sums]) * QUERIES,
        np.full(len(sums), (0.001 * QUERIES) ** 2 / 12),
        np.full(len(sums), 0.0005 * QUERIES),
    )
    return float(((chances_of(known, prior=0.5) > 0.5) == labels).mean())


def test_the_server_shows_what_the_study_assumes(seen):
    labels, weights, rows, _, _ = seen
    words = {"run", "team", "date", "rank_set", "could_be_best", "group", "verdict", "how"}
    assert set(rows["r0"]) == {"mean", "ci95", *words}
    for place, weights_of_run in enumerate(weights):
        assumed, row = shown_numbers(weights_of_run, labels, 3), rows[f"r{place}"]
        assert row["mean"] == assumed["mean"]
        # The study has normal intervals, the server those of bootstrap samples.
        assert row["ci95"] == pytest.approx([assumed["low"], assumed["high"]], abs=0.02)


def test_a_pair_has_no_number_but_the_means_of_its_runs(seen):
    _, _, rows, pairs, _ = seen
    assert len(pairs) == 36
    for answer, page in pairs:
        means = [rows[answer[side]]["mean"] for side in ("champion", "challenger")]
        assert answer == {
            **{key: answer[key] for key in ("champion", "challenger", "measure", "verdict")},
            "queries": QUERIES,
            "means": {"champion": means[0], "challenger": means[1]},
        }
        assert set(answer["verdict"]) == {"overall", "how", "marks", "alpha", "correction"}
        assert set(answer["verdict"]["how"]) <= {"more", "fewer", "sooner", "later", "by RR@60 alone"}
        (shown,) = re.findall(r'id="comparison".*?</section>', page, re.DOTALL)
        assert set(re.findall(r"\b0\.\d+", shown)) <= {f"{mean:.3f}" for mean in means}


def test_pairs_are_not_shown_because_they_would_tell_all_labels(seen):
    """Digits alone do not protect from a team that may send many runs; the documentation says how much it reads."""
    labels, weights, rows, _, budget = seen
    shown = [(weights_of_run, rows[f"r{place}"]["mean"]) for place, weights_of_run in enumerate(weights)]
    pairs = [
        ((first > 0) & (second > 0), found_by_both(first, second, labels, 3))
        for first, second in itertools.combinations_with_replacement(weights, 2)
    ]
    assert right_labels(labels, shown + pairs) == 1
    assert 0.55 < right_labels(labels, shown) < 0.9
    # The budget warned of it.
    assert budget.lines[0].numbers > budget.held == QUERIES
