"""The keys of outcomes and IPSO: the same as those of the whole comparison."""

from runoff.workflows.duel_keys import ipso_keys, outcome_keys
from tests.workflows.duels import duel_of


def test_keys():
    duel = duel_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    content = duel.to_dict()
    assert content["outcomes"] == outcome_keys(duel.outcomes, duel.outcome_tests)
    assert content["outcomes"]["challenger_only"] == 6
    assert content["ipso"] == ipso_keys(duel.ipso)
    assert content["ipso"]["champion_favoured"] + content["ipso"]["challenger_favoured"] == 18


def test_no_query_that_both_answer():
    duel = duel_of([1, 0], [0, 1])
    esl = outcome_keys(duel.outcomes, duel.outcome_tests)["esl"]
    assert isinstance(esl, dict)
    assert esl["signed_rank_p"] is esl["t_p"] is None
