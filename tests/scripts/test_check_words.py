"""The word check finds planted words where people read them, and nowhere else."""

import pytest

from scripts.check_words import INSTEAD, find_problems, findings_in_markdown, findings_in_python, findings_in_text

EXAMPLES = {
    "Mend or remove the line.": "fix",
    "D7 stands twice in the list": "appears twice, is listed twice",
    "a number stands beside it": "is, appears",
    "the fault is told with its line": "reported, shown; recognised",
    "no test can tell them apart": "distinguishes; differs significantly",
    "it takes two judgments in the mean.": "on average",
    "'x' is no whole number": "is not",
    "differences are seen from 0.02 on": "detectable; smallest detectable difference",
    "you could hardly have seen it": "power",
    "the sight of a test": "power, smallest detectable difference",
    "99 duels": "comparison",
    "a contest of five runs": "comparison of several challengers",
    "in any so many days": "N; a given number of",
    "tells what there is to judge": "say what it is",
    "the file lies in a folder": "is, is stored",
    "kept away from everybody": "not shown, cached",
    "the middle one of 66 pairs": "the median",
    "about 3,300 such queries": "queries",
    "of further ones the first": "other",
    "what takes long": "takes a long time; slow",
    "no wheel is to be had": "available",
    "computed anew": "again",
    "it is kept under the hash": "is cached by",
    "documents beat each other in a ring": "in a cycle",
    "how alike two orders are": "how similar",
    "18 seconds in the median": "the median",
    "two lines speak for it": "refers to; favours; contradicts",
    "it grows with the root of the gain": "the square root",
    "a lead that no line can tell": "not significantly different",
    "a metric": "measure",
}


@pytest.mark.parametrize("sentence, instead", EXAMPLES.items())
def test_every_entry_finds_its_words(sentence, instead):
    assert instead in [finding.instead for finding in findings_in_text(sentence)]


def test_every_entry_has_an_example():
    assert sorted(EXAMPLES.values()) == sorted(INSTEAD.values())


@pytest.mark.parametrize(
    "sentence",
    [
        "We recommend it.",
        "The difference in the mean RR@10 is small.",
        "There is no file of that name.",
        "an estimate of the mean",
        "It stands for a grade, or stands in for one.",
        "GET /metrics answers",
        "the metrics_count of a page",
        "Success@1 relies on it",
    ],
)
def test_plain_english_passes(sentence):
    assert list(findings_in_text(sentence)) == []


def test_python_is_read_in_strings_and_comments_alone():
    code = '"""A duel\nof runs, told."""\nduel = 1  # mend it\ntext = f"{duel} contests"\n'
    assert [(one.line, one.words) for one in findings_in_python(code)] == [
        (1, "duel"),
        (2, "told"),
        (3, "mend"),
        (4, "contests"),
    ]


def test_code_and_struck_out_text_of_a_page_pass():
    page = "`duel`\n\n```text\nduel\n```\n\n~~The duel\nis gone.~~ A duel.\n"
    assert [(one.line, one.words) for one in findings_in_markdown(page)] == [(8, "duel")]


def test_a_planted_word_is_found_unless_a_reason_is_given(tmp_path):
    folder = tmp_path / "src" / "runoff"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text(
        'X = "a duel"\n# words: a quotation\nY = "a duel"\nZ = "a duel"  # words:\n', encoding="utf-8"
    )
    (folder / "b.html").write_text("<p>a duel</p>\n{# words: a name #}\n<p>a duel</p>\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("A duel.\n\nA duel. <!-- words: a name -->\n", encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text("A duel.\n", encoding="utf-8")
    assert [problem.split("; ")[0] for problem in find_problems(tmp_path)] == [
        "README.md:1: 'duel'",
        "src/runoff/a.py:1: 'duel'",
        "src/runoff/a.py:4: 'duel'",
        "src/runoff/b.html:1: 'duel'",
    ]
