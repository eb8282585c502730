"""How often the best document wins; the figure of docs/method/preferences.md."""

from math import comb

import pytest

from studies.best_found import best_found

POOLS = range(2, 11)
JUDGMENTS = (1, 3, 5, 7, 9, 15)


def two_documents(judgments, error):
    """The chance that an odd number of judgments prefers the better of two."""
    return sum(
        comb(judgments, right) * (1 - error) ** right * error ** (judgments - right)
        for right in range(judgments // 2 + 1, judgments + 1)
    )


def three_documents(error):
    """One judgment of each pair: the best beats both others, or one of them in a ring, of which one is drawn.

    It beats the second and not the third, and the second beats the third; or the third and not the second, and the
    third beats the second. The last chances of the two add to 1.
    """
    return (1 - error) ** 2 + (1 - error) * error / 3


def test_three_documents_are_as_in_theory():
    (one,) = best_found([3], [1], queries=4000)
    assert one.drawn == pytest.approx(three_documents(0.33), abs=0.025)


def test_two_documents_are_as_in_theory():
    for one in best_found([2], [1, 3, 5], queries=4000):
        assert one.alone == one.among == one.drawn
        assert one.drawn == pytest.approx(two_documents(one.judgments_per_pair, 0.33), abs=0.025)


def test_shares_are_in_order_and_grow_with_judgments():
    few, many = best_found([5], [1, 9], queries=600)
    assert few.alone <= few.drawn <= few.among
    assert many.drawn > few.drawn + 0.1


@pytest.mark.proof
def test_figure(capsys):
    found = best_found(POOLS, JUDGMENTS, queries=10_000)
    with capsys.disabled():
        print("\n| pool |" + "".join(f" {judgments} |" for judgments in JUDGMENTS))  # noqa: T201
        for pool in POOLS:
            cells = "".join(f" {100 * one.drawn:.1f} |" for one in found if one.pool == pool)
            print(f"| {pool} | {cells}")  # noqa: T201
    for one in found:
        if one.pool == 2:
            assert one.drawn == pytest.approx(two_documents(one.judgments_per_pair, 0.33), abs=0.02)
    by = {(one.pool, one.judgments_per_pair): one.drawn for one in found}
    for pool in POOLS:
        values = [by[pool, judgments] for judgments in JUDGMENTS]
        assert values == sorted(values)
    for judgments in JUDGMENTS[:3]:
        assert by[2, judgments] > by[5, judgments] > by[10, judgments]
