"""Lines of evidence about two runs that are the same."""

from tests.simulation.calibration.sources import shares, with_lists


def test_no_line_is_off_and_any_of_them_is_more_often():
    found = shares("evidence", with_lists(), queries=80, boards=150)
    lines = {key: line for key, line in found.items() if key != "any"}
    assert set(lines) == {"t", "signed_rank", "sign", "bootstrap", "more", "sooner", "ipso", "rpp"}
    assert not [key for key, line in lines.items() if line.verdict.word == "off"]
    assert found["any"].mean >= max(line.mean for line in lines.values())
