from runoff.reports.sections.elsewhere import ELSEWHERE
from tests.reports.sections.made import Part, content_of, inputs_of


def test_the_order_comes_first():
    content = content_of(ELSEWHERE, inputs_of(2))
    assert content.sentence == "It leads elsewhere."
    assert content.paragraphs == ("More.",)
    assert content.answer == "leads under 1 of 2 conditions"


def test_it_is_absent_where_there_is_nothing_to_say():
    assert ELSEWHERE.content(inputs_of(1)) is None
    assert ELSEWHERE.content(inputs_of(2, audit=Part(("Audit.",), has_something=False))) is None
