from dataclasses import replace

import pytest

from runoff.reports.sections.verdict import RECORDS, VERDICT
from runoff.verbs._board_parts import records_of
from runoff.verdicts import lead_verdict
from tests.reports.sections.made import content_of, inputs_of
from tests.verbs.boards import data_of


def test_the_figures_are_those_of_the_leader():
    inputs = inputs_of(5)
    facts = {fact.name: fact for fact in content_of(VERDICT, inputs).facts}
    ranks, place = inputs.ranks, inputs.ranks.order[0]
    assert facts["Leader"].value == ranks.runs[place]
    assert facts["Leader"].more == "T, 2021-01-01"
    assert facts["Mean RR@10"].value == f"{ranks.means[place]:.4f}"
    assert facts["First again"].value == f"{ranks.p_first[place]:.1%}"
    assert facts["Not significantly worse"].value == "0"


@pytest.mark.parametrize(
    "verdicts, more, answer",
    [
        ({"b": "worse"}, {}, "a clear leader"),
        ({"b": "worse"}, {"alarm": True}, "a clear leader, with doubts"),
        ({"b": "worse"}, {"led": (1, 2)}, "a clear leader, with doubts"),
        ({"b": "inconclusive"}, {}, "no clear winner"),
        ({}, {}, "only one run"),
    ],
)
def test_the_answer(verdicts, more, answer):
    inputs = inputs_of(2, called=["a", "b"], lead=lead_verdict("a", verdicts, **more))
    assert content_of(VERDICT, inputs).answer == answer


def test_what_the_newest_record_is_worth():
    records = records_of(data_of({"old": [1, 2, 3, 0, 4] * 6, "new": [1, 1, 3, 0, 4] * 6}, dated=True))
    assert records is not None
    inputs = inputs_of(2)
    (paragraph,) = content_of(VERDICT, replace(inputs, board=replace(inputs.board, records=records))).paragraphs
    (last,) = records.against_displaced
    assert paragraph == f"The newest record, new, {RECORDS[last.outcome].format('old')}."
