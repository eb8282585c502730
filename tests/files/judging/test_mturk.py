"""The CSV file and the page of a crowdsourcing site."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from runoff.files import read_judgments, render_mturk_csv, render_mturk_page
from runoff.files.judging.mturk import EMPTY, is_mturk_header, most_pairs
from runoff.preferences import TaskPlan, make_tasks
from tests.files.samples import problems_of
from tests.files.tasked import DOCS, KNOWN, PAIRS, QUERIES, TASKS


def rows_of(tasks):
    return list(csv.DictReader(io.StringIO("".join(render_mturk_csv(tasks, QUERIES, DOCS)))))


def test_a_task_is_a_row_and_texts_are_safe_in_a_page():
    (row,) = rows_of(TASKS)
    assert row["task"] == TASKS.pairs[0].task
    for place, pair in enumerate(TASKS, start=1):
        assert (row[f"query_id_{place}"], row[f"left_id_{place}"]) == (pair.query_id, pair.left)
    shown = " ".join(row.values())
    assert "what is &lt;b&gt;?" in shown
    assert "two<br>lines" in shown
    assert "\n" not in shown


def test_every_variable_of_the_page_is_a_column():
    page = "".join(render_mturk_page(most_pairs(TASKS)))
    assert set(re.findall(r"\$\{(\w+)\}", page)) <= set(rows_of(TASKS)[0])
    assert page.count('type="radio"') == 2 * len(TASKS.pairs)


def test_tasks_of_different_sizes_leave_places_empty():
    tasks = make_tasks(PAIRS, KNOWN, plan=TaskPlan(pairs_per_task=2, tests_per_task=1))
    rows = rows_of(tasks)
    assert [row["query_3"] == EMPTY for row in rows] == [False, True]
    assert rows[1]["left_id_3"] == ""


class Page(HTMLParser):
    """Counts what an assistive program needs."""

    def __init__(self):
        super().__init__()
        self.open, self.labelled, self.legends = [], 0, 0

    def handle_starttag(self, tag, attrs):
        if tag == "input":
            self.labelled += "label" in self.open
            assert "required" in dict(attrs)
        elif tag != "br":
            self.open.append(tag)
            self.legends += tag == "legend"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_every_choice_has_a_label():
    page = Page()
    page.feed("".join(render_mturk_page(13)))
    assert (page.open, page.labelled, page.legends) == ([], 26, 13)


def results(tasks, answers, **more):
    """What the site gives back: the input columns with a prefix, and answers(place) for every place."""
    text = io.StringIO()
    inputs = list(csv.DictReader(io.StringIO("".join(render_mturk_csv(tasks, QUERIES, DOCS)))))
    rows = []
    for number, one in enumerate(inputs):
        row = {"HITId": "h", "AssignmentId": f"s{number}", "WorkerId": "W1", "WorkTimeInSeconds": "60", **more}
        row |= {f"Input.{name}": value for name, value in one.items()}
        for place in range(1, sum(name.startswith("query_id") for name in one) + 1):
            row |= answers(place)
        rows.append(row)
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def plain(place):
    return {f"Answer.choice_{place}": "left"}


def ticked(place):
    return {f"Answer.choice_{place}.left": "true", f"Answer.choice_{place}.right": "false"}


@pytest.mark.parametrize("answers", [plain, ticked])
def test_choices_become_judgments(answers):
    table = read_judgments(results(TASKS, answers))
    assert [(row.query_id, row.left, row.right, row.preferred, row.task) for row in table] == [
        (row.query_id, row.left, row.right, row.left, row.task) for row in TASKS
    ]
    assert {row.assessor for row in table} == {"W1"}
    assert {row.seconds for row in table} == {60 / len(TASKS.pairs)}
    assert table.ignored_columns == ("HITId", "AssignmentId")


def test_empty_places_and_missing_choices_are_no_judgments():
    tasks = make_tasks(PAIRS, KNOWN, plan=TaskPlan(pairs_per_task=2, tests_per_task=1))
    assert len(read_judgments(results(tasks, plain))) == len(tasks.pairs) == 5
    some = results(TASKS, lambda place: {f"Answer.choice_{place}": "right" if place == 2 else ""})
    assert len(read_judgments(some)) == 1


@pytest.mark.parametrize(
    "data, start",
    [
        (b"WorkerId,Answer.choice_1\nw,left\n", "<bytes>:1: no column Input.task, Input.query_id_1"),
        (b"WorkerId,Answer.mood\nw,left\n", "<bytes>:1: no column Input.task"),
        (results(TASKS, lambda place: {f"Answer.choice_{place}": "up"}), "<bytes>:2: choice 1 is 'up'"),
        (results(TASKS, plain, WorkTimeInSeconds="long"), "<bytes>:2: WorkTimeInSeconds 'long' is not a time"),
        (results(TASKS, lambda place: plain(place) | ticked(place)), "<bytes>:2: choice 1 is 'left, left'"),
    ],
)
def test_faults(data, start):
    assert problems_of(read_judgments, data)[0].startswith(start)


def test_the_header_is_told():
    assert is_mturk_header(['"WorkerId"', "Answer.x"])
    assert not is_mturk_header(["query", "left", "right", "preferred"])
