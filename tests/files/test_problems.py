"""Reports of faults: form, order, counts."""

import pytest

from runoff.errors import InputError
from runoff.files.problems import Problems, quoted


@pytest.mark.parametrize(
    "token, text",
    [
        (b"d1", "'d1'"),
        ("dé", "'dé'"),
        (b"\xff", r"'\xff'"),
        ("a\tb\n", r"'a\tb\n'"),
        ("\u202e", r"'\u202e'"),
        ("x" * 61, "'" + "x" * 60 + "...'"),
        ("it's", "'it's'"),
    ],
)
def test_quoted(token, text):
    assert quoted(token) == text


def report(problems):
    with pytest.raises(InputError) as caught:
        problems.raise_if_any()
    return caught.value


def test_nothing_to_report():
    Problems("a.run").raise_if_any()


def test_in_line_order():
    problems = Problems("a.run")
    for line in (7, 2, 0, 5):
        problems.add(line, f"fault {line}")
    assert str(report(problems)) == "a.run: fault 0\na.run:2: fault 2\na.run:5: fault 5\na.run:7: fault 7"


@pytest.mark.parametrize("count", [19, 20, 21, 22, 1500])
@pytest.mark.parametrize("way", ["add", "add_all", "absorb"])
def test_first_twenty_and_a_count(count, way):
    problems = Problems("a.run")
    if way == "add":
        for line in range(count, 0, -1):
            problems.add(line, "bad")
    elif way == "add_all":
        problems.add_all(range(1, count + 1), lambda _: "bad")
    else:
        for first in range(0, count, 10):
            part = Problems()
            part.add_all(range(1, min(10, count - first) + 1), lambda _: "bad")
            problems.absorb(part, first)
    error = report(problems)
    more = [] if count <= 20 else [f"... and {count - 20:,} more problem{'s' if count > 21 else ''}"]
    assert str(error).splitlines() == [f"a.run:{line}: bad" for line in range(1, min(count, 20) + 1)] + more
    assert error.total == count


def test_add_all_asks_for_the_shown_sentences_only():
    asked = []
    problems = Problems("a.run")

    def text_of(place):
        asked.append(place)
        return f"fault {place}"

    problems.add_all(range(5, 1005), text_of)
    assert len(asked) == 20
    assert str(report(problems)).splitlines()[1] == "a.run:6: fault 1"
