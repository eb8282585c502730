"""What the workflow of scales adds: keys, words and tables."""

import json

import pytest

import runoff
from runoff.measures import RR, P


def test_keys():
    content = json.loads(runoff.scale("RR@3").to_json())
    assert (content["measure"], content["depth"], content["grades"], content["relevant"]) == ("RR@3", 3, [0, 1], None)
    assert (content["states"], content["undefined"], content["equispaced"]) == (8, 0, False)
    assert [one["value"] for one in content["values"]] == [0, 1 / 3, 0.5, 1]
    assert [one["interval_value"] for one in content["values"]] == [0, 1 / 3, 2 / 3, 1]
    assert content["values"][2]["serp"] == [0, 1, 0]
    assert content["witnesses"][0]["c"] == [0, 1, 0]
    assert content["witnesses"][1]["missing_y"] is None


def test_words_and_tables_of_the_paper_s_example():
    result = runoff.scale(RR @ 3)
    answer, why, _ = result.opening(0)
    assert answer == (
        "RR@3 is not an interval scale of these lists: its 4 values over 8 lists of 3 ranks are not equally spaced."
    )
    assert why == (
        "The list 010 scores 0.1667 more than 001, but none scores 0.8333, that much below 100, and none scores "
        "0.1667, that much above 000."
    )
    values, witnesses = result.grids()
    assert values.rows == ((1.0, 1.0, "100"), (0.5, 2 / 3, "010"), (1 / 3, 1 / 3, "001"), (0.0, 0.0, "000"))
    assert witnesses.rows[0][:4] == ("100", "000", "010", "001")


def test_an_interval_scale_has_no_witnesses():
    result = runoff.scale(P @ 4)
    assert len(result.grids()) == 1
    assert result.opening(0)[0].startswith("P@4 is an interval scale of these lists: its 5 values over 16 lists")
    assert json.loads(result.to_json())["witnesses"] == []


def test_notes_say_what_was_assumed():
    result = runoff.scale("nDCG@2", highest=2, relevant=(3, 1))
    assert result.grid().notes == ("For queries with 3 of grade 1, 1 of grade 2 only.",)
    assert runoff.scale("ESL@2").grid().notes == ("Undefined for 1 of the lists.",)
    with pytest.raises(runoff.UsageError, match="write --relevant 2"):
        runoff.scale("nDCG@2")


def test_the_chart_is_of_the_same_values():
    assert runoff.scale("RR@3").chart().title == "RR@3 takes unequal steps"
