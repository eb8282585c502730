"""The verdict on a board: who is not shown to be worse, and what speaks against the lead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.verdicts import lead_verdict

VERDICTS = ("better", "worse", "trade-off", "inconclusive")


@given(st.lists(st.sampled_from(VERDICTS), max_size=8))
def test_a_leader_is_clear_only_if_all_others_are_worse(found):
    verdicts = {f"r{place}": verdict for place, verdict in enumerate(found)}
    lead = lead_verdict("a", verdicts)
    assert (lead.kind == "alone") == (not found)
    assert (lead.kind == "clear") == (bool(found) and set(found) == {"worse"})
    assert lead.not_worse == tuple(name for name, verdict in verdicts.items() if verdict != "worse")
    assert lead.others == len(found)


@pytest.mark.parametrize(
    "verdicts, sentence",
    [
        ({}, "a is the only run, so there is nothing to compare it with."),
        ({"b": "worse"}, "a is the clear leader: the other run is shown to be worse."),
        ({"b": "worse", "c": "worse"}, "a is the clear leader: each of the 2 other runs is shown to be worse."),
        (
            {"b": "inconclusive"},
            "There is no clear winner: a has the best mean, but the other run (b) is not shown to be worse.",
        ),
        (
            {"b": "inconclusive", "c": "worse", "d": "inconclusive"},
            (
                "There is no clear winner: a has the best mean, but 2 of the 3 other runs (b, d) are not shown to be "
                "worse."
            ),
        ),
        (
            dict.fromkeys("bcdef", "inconclusive"),
            ("There is no clear winner: a has the best mean, but 5 of the 5 other runs are not shown to be worse."),
        ),
    ],
)
def test_sentences(verdicts, sentence):
    assert lead_verdict("a", verdicts).sentence == sentence


@pytest.mark.parametrize(
    "verdicts, tied, sentence",
    [
        ({"b": "inconclusive"}, ["b"], "There is no clear winner: a and b tie for the lead."),
        (
            {"b": "inconclusive", "c": "worse", "d": "worse"},
            ["b"],
            (
                "There is no clear winner: a and b tie for the lead; each of the 2 other runs is shown to be worse "
                "than a."
            ),
        ),
        (
            {"b": "inconclusive", "c": "inconclusive", "d": "inconclusive", "e": "worse"},
            ["b", "c"],
            (
                "There is no clear winner: a, b and c tie for the lead; 1 of the 2 other runs (d) is not shown to be "
                "worse than a."
            ),
        ),
    ],
)
def test_runs_that_tie_are_one_leader_with_several_names(verdicts, tied, sentence):
    lead = lead_verdict("a", verdicts, tied=tied)
    assert (lead.sentence, lead.tied, lead.kind) == (sentence, tuple(tied), "shared")


def test_doubts_are_told():
    lead = lead_verdict("a", {"b": "worse"}, led=(1, 3), alarm=True)
    assert not lead.holds
    assert lead.sentence.endswith(
        " Under 2 of 3 conditions another run leads. The overfitting alarm fired for its team."
    )
    assert lead_verdict("a", {"b": "worse"}, led=(3, 3)).holds
