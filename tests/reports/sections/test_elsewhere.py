from runoff.reports.sections.elsewhere import ELSEWHERE
from tests.reports.sections.made import inputs_of


def test_the_order_comes_first():
    content = ELSEWHERE.content(inputs_of(2))
    assert content.sentence == "It leads elsewhere."
    assert content.paragraphs == ("More.",)
    assert content.answer == "leads under 1 of 2 conditions"


def test_the_reason_is_told():
    assert ELSEWHERE.content(inputs_of(1)).sentence.startswith("There is no other set")
