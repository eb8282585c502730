from __future__ import annotations

from runoff.simulation.system import BASELINE, CHAMPION, TRADE_OFF, TWIN, make_system

CAST = [make_system(place, 100) for place in range(60)]


def test_names_differ():
    assert len({system.name for system in CAST}) == len(CAST)
    assert CAST[24].name == "alder-2"
    assert all(system.name.replace("-", "").isalnum() for system in CAST)


def test_the_baseline_is_weakest_and_the_twins_are_best():
    rr = [system.law.expected_rr(10) for system in CAST]
    assert min(rr) == rr[BASELINE]
    assert max(rr) == rr[CHAMPION] == rr[TWIN]
    assert sorted(place for place, value in enumerate(rr) if value == max(rr)) == [CHAMPION, TWIN]


def test_the_others_differ_and_lie_in_between():
    rr = [system.law.expected_rr(10) for system in CAST[TRADE_OFF + 1 :]]
    assert len(set(rr)) == len(rr)
    assert CAST[BASELINE].law.expected_rr(10) < min(rr)
    assert max(rr) < CAST[CHAMPION].law.expected_rr(10)


def test_the_trade_off_answers_more_and_later():
    champion, trade_off = CAST[CHAMPION].law, CAST[TRADE_OFF].law
    assert trade_off.answered > champion.answered
    assert trade_off.expected_esl(100) > champion.expected_esl(100)
    assert trade_off.expected_rr(10) < champion.expected_rr(10)
