from runoff.reports.sections.repeats import REPEATS
from tests.reports.sections.made import inputs_of


def test_the_answer_is_the_range_of_the_tests():
    inputs = inputs_of(4)
    assert inputs.reliability is not None
    shares = [line.agree for line in inputs.reliability.tests if line.aggregate == "mean"]
    content = REPEATS.content(inputs)
    assert content.answer == f"halves agree in {min(shares):.1%} to {max(shares):.1%} of the cases"
    assert content.paragraphs == ()


def test_that_not_all_runs_were_tested_is_told():
    assert REPEATS.content(inputs_of(20)).paragraphs == ("Of 20 runs the 12 with the best means were tested.",)
