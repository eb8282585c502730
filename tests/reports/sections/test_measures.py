from runoff.reports.sections.measures import MEASURES
from tests.reports.sections.made import inputs_of


def test_both_shares_are_in_the_sentence():
    content = MEASURES.content(inputs_of(2))
    assert "75.0%" in content.sentence
    assert "25.0%" in content.sentence
    assert content.paragraphs == ("Many pairs.",)


def test_the_reason_is_told():
    assert MEASURES.content(inputs_of(1)).answer == "not known"
    assert MEASURES.content(inputs_of(1, missing={"measures": "No gains."})).sentence == "No gains."
