"""The winner's score: optimism is there, the correction takes most of it, the interval holds."""

from tests.simulation.calibration.sources import ap_like, shares


def test_what_is_left_of_the_optimism():
    found = shares("winner", ap_like(), queries=60, boards=50)
    plain, left = found["plain_same"], found["left_same"]
    assert plain.mean > 4 * plain.error
    assert abs(left.mean) < 0.6 * plain.mean
    assert found["plain_data"].mean < plain.mean
    for truth in ("same", "half", "data"):
        assert found[f"interval_{truth}"].verdict.word != "off"
