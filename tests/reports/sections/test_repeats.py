from runoff.reports.sections.repeats import REPEATS
from tests.reports.sections.made import content_of, inputs_of


def test_the_answer_is_the_range_of_the_tests():
    inputs = inputs_of(4, full=True)
    assert inputs.reliability is not None
    shares = [line.agree for line in inputs.reliability.tests if line.aggregate == "mean"]
    content = content_of(REPEATS, inputs)
    assert content.answer == f"halves agree in {min(shares):.1%} to {max(shares):.1%} of the cases"
    assert content.paragraphs == ()


def test_it_says_where_only_some_runs_were_tested():
    content = content_of(REPEATS, inputs_of(20, full=True))
    assert content.paragraphs == ("Only the 12 runs with the best means, of 20, were tested.",)


def test_only_a_full_report_has_it():
    assert REPEATS.content(inputs_of(4)) is None
