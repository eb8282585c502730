from runoff.reports.sections.doubts import DOUBTS
from runoff.verdicts import Doubt
from tests.reports.sections.made import content_of, inputs_of


def test_every_reason_is_a_point_with_its_section():
    doubts = tuple(Doubt(section=name, sentence=f"Because of {name}.") for name in ("labels", "measures"))
    content = content_of(DOUBTS, inputs_of(2, doubts=doubts))
    assert content.points == doubts
    assert content.answer == "2 reasons for caution"
    assert content_of(DOUBTS, inputs_of(2, doubts=doubts[:1])).sentence == "There is 1 reason for caution."


def test_a_board_without_a_reason_says_so():
    assert content_of(DOUBTS, inputs_of(2, doubts=())).sentence == "No check found a reason to doubt this order."


def test_one_run_has_no_order_to_doubt():
    assert DOUBTS.content(inputs_of(1)) is None
