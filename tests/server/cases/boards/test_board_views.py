"""The analyses behind the pages of a board."""

from __future__ import annotations

import json

import pytest

from runoff.errors import UsageError
from runoff.server.cache import Kept
from runoff.server.cases.boards.board_views import BoardViews, Choice, load_asked_view
from runoff.server.cases.views.analysis import Pair
from runoff.server.cases.views.stored_board import load_board_data
from runoff.verbs import _comparing as comparison_numbers
from runoff.verbs._comparing import numbers_of
from runoff.verbs.board import board_of
from tests.server.web.world import NOW


def asked_of(small, choice):
    with small.site.database.read() as connection:
        return load_asked_view(connection, small.board, choice, now=NOW)


def test_it_is_the_board_of_the_store_and_is_computed_once(small):
    kept = small.site.views
    asked = asked_of(small, Choice())
    found, again = kept.of(asked, now=NOW), kept.of(asked_of(small, Choice()), now=NOW)
    assert found is again
    assert found is not None
    with small.site.database.read() as connection:
        expected = board_of(load_board_data(connection, small.board, now=NOW))
    digits = small.board.digits
    assert [(row.run, row.mean) for row in found.rows] == [(row.run, round(row.mean, digits)) for row in expected.rows]
    assert [row.rank_set for row in found.rows] == [row.rank_set for row in expected.rows]
    assert list(found.charts) == ["rank_heat_map", "rank_intervals", "timeline"]
    result = kept._analysis(asked, "", NOW)._result
    assert result.claims is None, "no page shows them, and they take longest"
    assert [one.name for one in asked.offer.labels] == ["public"]


def test_a_choice_of_runs_is_a_board_of_its_own(small):
    kept = small.site.views
    day = small.runs[1].submitted_at.date()
    found = kept.of(asked_of(small, Choice(since=day)), now=NOW)
    whole = kept.of(asked_of(small, Choice()), now=NOW)
    assert found is not None
    assert whole is not None
    assert {row.run for row in found.rows} == {run.name for run in small.runs[1:]}
    means = {row.run: row.mean for row in whole.rows}
    assert all(row.mean == means[row.run] for row in found.rows)
    assert found.runs[small.runs[1].name].run.id == small.runs[1].id
    assert kept.of(asked_of(small, Choice(team="nobody")), now=NOW) is None
    with pytest.raises(UsageError, match="no open query set"):
        asked_of(small, Choice(queries="none"))


def test_a_pair_is_read_from_two_arrays_alone(small):
    kept = small.site.views
    whole = kept.of(asked_of(small, Choice()), now=NOW)
    assert whole is not None
    first, second = (whole.runs[run.name] for run in small.runs[:2])
    pair = Pair(champion=first, challenger=second, labels=whole.labels, queries=whole.query_set)
    comparison = kept.comparison(small.board, pair, now=NOW)
    assert comparison is not None
    assert comparison is kept.comparison(small.board, pair, now=NOW)
    assert (comparison.champion, comparison.challenger) == (first.name, second.name)
    means = {row.run: row.mean for row in whole.rows}
    assert json.loads(comparison.answer)["means"]["champion"] == means[first.name]


def answer_of(analyses, small, choice):
    """An answer that no other answer is reused for."""
    analyses.answers = Kept(most=1).get
    return analyses.answer(asked_of(small, choice), asker="", now=NOW)


def test_a_board_of_known_pairs_is_the_board_computed_anew(small, monkeypatch):
    kept = small.site.views
    days = [run.submitted_at.date() for run in small.runs]
    choices = [Choice(until=days[1]), Choice(), Choice(since=days[1])]
    found = [answer_of(kept, small, choice) for choice in choices]
    made = []

    def counted(*arguments, **options):
        made.append(arguments)
        return numbers_of(*arguments, **options)

    monkeypatch.setattr(comparison_numbers, "numbers_of", counted)
    again = BoardViews(small.site.database, new_views=100)
    again._pairs = kept._pairs
    for choice, answer in zip(choices, found, strict=True):
        fresh = answer_of(BoardViews(small.site.database, new_views=100), small, choice)
        assert answer_of(again, small, choice) == fresh == answer
        assert fresh is not None
    before = len(made)
    third = BoardViews(small.site.database, new_views=100)
    third._pairs = kept._pairs
    third.of(asked_of(small, Choice()), now=NOW)
    assert before > 0
    assert len(made) == before, "every pair was known"
