"""Triangles in text."""

from runoff.display.text_pictures import LONGEST_NAME, triangle


def test_a_character_for_every_pair():
    names = [f"run {place}" for place in range(12)]
    signs = ["x" * place for place in range(12)]
    lines = triangle(names, signs, width=80).split("\n")
    assert [line.count("x") for line in lines] == list(range(12))
    assert lines[1] == " 2 run 1  x"
    assert lines[11] == "12 run 11 " + " ".join("x" * 11)


def test_narrow_pages_lose_the_gaps_and_then_the_picture():
    names, signs = list("abcd"), ["", "x", "xy", "xyz"]
    assert triangle(names, signs, width=9).split("\n")[-1] == "4 d x y z"
    assert triangle(names, signs, width=8).split("\n")[-1] == "4 d xyz"
    assert triangle(names, signs, width=7).split("\n")[-1] == "4 d xyz"
    assert triangle(names, signs, width=6) == ""


def test_names_are_cut_aligned_and_harmless():
    lines = triangle(["a" * 50, "日本", "x\ny\x1b"], ["", "#", "##"], width=60).split("\n")
    assert len(lines) == 3
    assert lines[0] == "1 " + "a" * LONGEST_NAME
    assert lines[1] == "2 日本" + " " * (LONGEST_NAME - 4) + " #"
    assert "\x1b" not in lines[2]


def test_one_name_or_none():
    assert triangle(["a"], [""], width=10) == "1 a"
    assert triangle([], [], width=10) == ""
