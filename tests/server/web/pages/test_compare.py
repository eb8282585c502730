"""The page that compares two runs."""

from __future__ import annotations

import re
from urllib.parse import quote

from runoff.display.rounding import rounded_text
from runoff.server.cases.views.stored_board import load_board_data
from runoff.significance import SIGNIFICANCE_TESTS
from runoff.verbs._comparing import judged, numbers_of
from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask
from tests.server.web.world import NOW

ADDRESS = "/boards/passages/compare"


def test_the_form_alone(filled):
    answer = ask(app_of(filled.site), ADDRESS)
    checked(answer.text)
    word = "needs two scored runs" if len(filled.runs) < 2 else "Choose the run to beat"
    assert word in answer.text


def test_two_runs_are_compared_as_on_the_command_line(small):
    first, last = small.runs[0], small.runs[-1]
    with small.site.database.read() as connection:
        data = load_board_data(connection, small.board, now=NOW)
    pair = data.serps_of(first.name), data.serps_of(last.name)
    numbers = numbers_of(*pair, data.compared, data.policy, tests=SIGNIFICANCE_TESTS)
    comparison = judged([numbers], data.policy)[0]
    answer = ask(app_of(small.site), f"{ADDRESS}?champion={first.id}&challenger={last.id}")
    page = checked(answer.text)
    words = " ".join(page.words)
    assert f"{comparison.challenger} against {comparison.champion}" in words
    assert comparison.verdict.spoken in words
    assert rounded_text(comparison.verdict.sentence, small.board.digits) in words
    assert len(page.all("table")) == len(comparison.grids())

    assert re.findall(rf"\d\.\d{{{small.board.digits + 1},}}", words) == []


def test_runs_can_be_named(small):
    first, last = small.runs[0], small.runs[-1]
    app = app_of(small.site)
    by_number = ask(app, f"{ADDRESS}?champion={first.id}&challenger={last.id}").text
    assert ask(app, f"{ADDRESS}?champion={quote(first.name)}&challenger={quote(last.name)}").text == by_number
    assert ask(app, f"{ADDRESS}?champion=nobody&challenger={last.id}").status_code == 422


def test_its_charts_are_drawn(small):
    app = app_of(small.site)
    text = f"champion={small.runs[0].id}&challenger={small.runs[1].id}"
    page = checked(ask(app, f"{ADDRESS}?{text}").text)
    for address in [str(one["src"]) for one in page.all("img") if "/charts/" in str(one["src"])]:
        assert ask(app, address).status_code == 200
    assert ask(app, f"{ADDRESS}/charts/none.svg?{text}").status_code == 404


def test_hostile_names_and_150_runs(filled):
    if len(filled.runs) < 2:
        return
    pair = f"champion={filled.runs[0].id}&challenger={filled.runs[1].id}"
    checked(ask(app_of(filled.site), f"{ADDRESS}?{pair}").text)


def test_what_cannot_be_compared_is_explained(small):
    one = small.runs[0].id
    app = app_of(small.site)
    assert "These are the same run" in ask(app, f"{ADDRESS}?champion={one}&challenger={one}").text
    answer = ask(app, f"{ADDRESS}?champion={one}&challenger=9999")
    assert answer.status_code == 422
    assert "is not on this board" in answer.text
