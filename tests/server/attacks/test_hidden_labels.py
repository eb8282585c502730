"""Hidden labels stay hidden from a team that sends a probe."""

from __future__ import annotations

import random

import pytest

from tests.server.attacks.probing import probed_board, shown_to_team

QUERIES = 100


def world(seed: int) -> list[bool]:
    """Labels: half of the guesses are right, always as many in each tenth of the ranks, so that means hardly differ."""
    draw = random.Random(seed)
    labels = []
    for _ in range(QUERIES // 10):
        tenth = [True] * 5 + [False] * 5
        draw.shuffle(tenth)
        labels += tenth
    # The first ranks weigh most: they are the same in all worlds.
    return [True, False] * 5 + labels[10:]


@pytest.mark.parametrize("hidden_share", [0.0, 0.3])
def test_worlds_with_other_labels_look_the_same(tmp_path, hidden_share):
    seen = []
    for seed in (1, 2):
        with probed_board(tmp_path / str(seed), world(seed), hidden_share=hidden_share, digits=1) as site:
            seen.append(shown_to_team(*site))
    first, second = seen
    assert world(1) != world(2)
    assert [address for address in first if first[address] != second[address]] == []
