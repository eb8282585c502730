"""The CSV file and the page of a crowdsourcing site."""

import csv
import io
import re
from html.parser import HTMLParser

from runoff.files import render_mturk_csv, render_mturk_page
from runoff.files.mturk_tasks import EMPTY, most_pairs
from runoff.preferences import TaskPlan, make_tasks
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
