"""`runoff scale`, as typed."""

import pytest

import runoff
from runoff.choices import FORMATS
from runoff.display import render


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_is_that_of_the_library(call, format_name):
    shown = call("scale", "RR@3", "--format", format_name)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == render(runoff.scale("RR@3"), format_name, width=100, colour=False)


def test_grades_and_relevant_documents(call):
    shown = call("scale", "nDCG@3", "--highest", "2", "--relevant", "2,1", "--format", "json")
    assert shown.stdout == runoff.scale("nDCG@3", highest=2, relevant=(2, 1)).to_json()


def test_the_answer_as_exit_status(call):
    assert call("scale", "RR@3").returncode == 0
    assert call("scale", "RR@3", "--exit-code").returncode == 1
    assert call("scale", "P@3", "--exit-code").returncode == 0


BAD = [
    ([], "Missing argument 'MEASURE'"),
    (["RR"], "RR has no cutoff; expected a number of ranks to fill; write RR@3"),
    (["RR@17"], "all lists of 17 ranks with 2 grades are too many"),
    (["AP@3"], "write --relevant 2"),
    (["AP@3", "--relevant", "two"], "'two' is not a count"),
    (["AP@3", "--relevant", "-1"], "'-1' is not a count"),
    (["AP@3", "--relevant", "1,2"], "expected 1 counts"),
    (["RR@3", "--highest", "0"], "--highest"),
    (["nonsense@3"], "no measure is called 'nonsense'"),
]


@pytest.mark.parametrize("arguments, message", BAD)
def test_bad_usage(call, tmp_path, arguments, message):
    result = call("scale", *arguments, "--output", str(tmp_path / "out.txt"))
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert not (tmp_path / "out.txt").exists()
