from dataclasses import replace

import pytest

from runoff.reports.sections.verdict import VERDICT
from runoff.verbs._board_parts import records_of
from runoff.verdicts import lead_verdict
from tests.reports.sections.made import inputs_of
from tests.verbs.boards import data_of


def test_the_figures_are_those_of_the_leader():
    inputs = inputs_of(5)
    facts = {fact.name: fact for fact in VERDICT.content(inputs).facts}
    ranks, place = inputs.ranks, inputs.ranks.order[0]
    assert facts["Leader"].value == ranks.runs[place]
    assert facts["Leader"].more == "T, 2021-01-01"
    assert facts["Mean RR@10"].value == f"{ranks.means[place]:.4f}"
    assert facts["First again"].value == f"{ranks.p_first[place]:.1%}"
    assert facts["Not shown to be worse"].value == "0"


@pytest.mark.parametrize(
    "verdicts, more, answer",
    [
        ({"b": "worse"}, {}, "a clear leader"),
        ({"b": "worse"}, {"alarm": True}, "a clear leader, and doubts"),
        ({"b": "worse"}, {"led": (1, 2)}, "a clear leader, and doubts"),
        ({"b": "inconclusive"}, {}, "no clear winner"),
        ({}, {}, "only one run"),
    ],
)
def test_the_answer(verdicts, more, answer):
    inputs = inputs_of(2, called=["a", "b"], lead=lead_verdict("a", verdicts, **more))
    assert VERDICT.content(inputs).answer == answer


def test_the_newest_record_says_what_could_have_been_seen():
    found = records_of(data_of({"old": [1, 2, 3, 0, 4] * 6, "new": [1, 1, 3, 0, 4] * 6}, dated=True))
    assert found is not None
    (last,) = found.against_displaced
    (said,) = VERDICT.content(replace(inputs_of(2), records=found)).paragraphs
    assert said.startswith("The newest record, new, ")
    assert said.endswith(last.powers[0].sentence)
