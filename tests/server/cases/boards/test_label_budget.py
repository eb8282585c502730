"""How many bits of hidden labels each team could have learnt: counted again, thing by thing."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from runoff.errors import NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.label_budget import label_bits, load_label_budget
from runoff.server.store.boards import load_board
from runoff.server.store.people import save_team
from tests.server.attacks.probing import queries_of, served_world
from tests.server.cases.served import NOW

QUERIES = 40
ORGANISER = Actor(id=1, role="organiser")


def run_of(number):
    """A run that is right for so many queries."""
    return "".join(
        f"{query} Q0 {'guess' if place < number else 'junk'} 1 1 run\n"
        for place, query in enumerate(queries_of([True] * QUERIES))
    )


def budget_of(serving, **settings):
    board = replace(serving.served.board, **settings)
    with serving.site.database.read() as connection:
        return load_label_budget(connection, board, actor=ORGANISER)


@pytest.fixture
def serving(tmp_path):
    with served_world(tmp_path / "world", [True] * QUERIES, most=9, digits=2) as serving:
        yield serving


def test_everything_that_is_shown_is_counted(serving):
    for number in (5, 9, 20):
        assert serving.send(run_of(number), said={"name": f"n{number}"}).status_code == 202
    serving.work()
    budget = budget_of(serving)
    assert (budget.queries, budget.held, budget.views) == (QUERIES, QUERIES, 1)
    (line,) = budget.lines
    assert (line.name, line.is_person, line.runs, line.released, line.pairs) == ("Oaks", False, 3, 3, 6)
    # A mean and two ends, from 0.00 to 1.00.
    assert line.numbers == pytest.approx(3 * 3 * math.log2(101))
    # With the organisers' run the board has 2, 3 and 4 runs after these.
    words = 0.0
    for runs in (2, 3, 4):
        place, ranks, group, best, leads = 2 * runs + 1, math.comb(runs + 1, 2), runs, 2, runs
        words += runs * math.log2(place * ranks * group * best * leads * (3 * 3 * 3) * 3)
    day = sum(math.log2(before * 4 * 3 * 3 * 3 + 1) for before in (2, 3, 4))
    pairs = 6 * math.log2(4 * 3 * 3 * 3)
    assert line.whole == pytest.approx(line.numbers + pairs + words + day)


def test_of_runs_that_are_held_back_only_that_is_counted(tmp_path):
    with served_world(tmp_path / "world", [True] * QUERIES, most=9, digits=2, release="ladder") as serving:
        for number in (20, 9, 5):
            assert serving.send(run_of(number), said={"name": f"n{number}"}).status_code == 202
        serving.work()
        (line,) = budget_of(serving).lines
        assert (line.runs, line.released, line.pairs) == (3, 1, 1)
        assert line.numbers == pytest.approx(3 * math.log2(101) + 3)


def test_somebody_in_two_teams_has_the_sum(serving):
    member = serving.served.member

    def join(connection):
        save_team(connection, slug="elms", name="Elms", founder=member.id, now=NOW)

    serving.site.database.write(join)
    for team, number in (("Oaks", 5), ("Elms", 9)):
        assert serving.send(run_of(number), said={"name": f"n{number}", "team": team}).status_code == 202
    serving.work()
    lines = {(line.name, line.is_person): line for line in budget_of(serving).lines}
    assert set(lines) == {("Oaks", False), ("Elms", False), ("Ann", True)}
    assert lines["Ann", True].runs == 2
    assert lines["Ann", True].numbers == pytest.approx(lines["Oaks", False].numbers + lines["Elms", False].numbers)


def test_queries_that_are_left_out_hold_no_bits(tmp_path):
    with served_world(tmp_path / "world", [True] * QUERIES, hidden_share=0.3, digits=2) as serving:
        serving.send(run_of(5), said={"name": "n5"})
        serving.work()
        with serving.site.database.read() as connection:
            board = load_board(connection, serving.served.board.id)
            budget = load_label_budget(connection, board, actor=ORGANISER)
        assert budget is not None
        assert budget.queries < QUERIES


def test_nothing_is_counted_where_nothing_is_hidden_or_bounded(serving):
    assert budget_of(serving, public_labels="open") is None
    assert label_bits(replace(serving.served.board, measure="ESL")) is None
    ranks = label_bits(replace(serving.served.board, measure="ESL@100"))
    assert ranks is not None
    assert (ranks.low, ranks.high) == (1, 100)


def test_it_is_for_organisers(serving):
    with serving.site.database.read() as connection, pytest.raises(NotAllowedError):
        load_label_budget(connection, serving.served.board, actor=serving.served.actor)
