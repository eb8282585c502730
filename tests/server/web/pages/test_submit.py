"""The page for submissions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runoff.server.store.boards import save_board_settings
from runoff.server.store.submissions import load_runs
from tests.server.web.checks import checked
from tests.server.web.served import CSRF, app_of, ask
from tests.server.web.world import NOW, make_site

ADDRESS = "/boards/passages/submit"
RUN = b"q1 Q0 d1 1 2.5 mine\n"


def send(fixture, content=RUN, person=None, **fields):
    form = {"csrf": CSRF, "key": "drawn", "action": "submit", "team": "team-0", "name": "mine", **fields}
    app = app_of(fixture.site, person or fixture.member)
    return ask(app, ADDRESS, "POST", data=form, files={"file": ("mine.run", content)})


def runs(fixture):
    with fixture.site.database.read() as connection:
        return load_runs(connection, fixture.board.id)


def test_the_form_for_a_member(filled):
    answer = ask(app_of(filled.site, filled.member), ADDRESS)
    page = checked(answer.text)
    names = {one.get("name") for tag in ("input", "select", "textarea") for one in page.all(tag)}
    assert {
        "file",
        "name",
        "description",
        "paper",
        "code",
        "variant_of",
        "anonymous",
        "anonymous_until",
        "embargo_until",
    } <= names
    assert "submissions used in the last 30 days" in answer.text


def test_the_form_names_the_fields_that_a_run_must_have(small):
    assert "ir_metadata" not in ask(app_of(small.site, small.member), ADDRESS).text
    required = ("actor.team", "tag")
    small.site.database.write(
        lambda connection: save_board_settings(
            connection, small.board.id, replace(small.board, required_metadata=required),
            version=small.board.version, actor=None, now=small.site.now(),
        )
    )  # fmt: skip
    assert (
        "Its header of ir_metadata must have actor.team and tag" in ask(app_of(small.site, small.member), ADDRESS).text
    )


def test_a_visitor_is_sent_to_sign_in(small):
    text = ask(app_of(small.site), ADDRESS).text
    assert "Sign in to submit a run." in text
    assert 'type="file"' not in text


def test_a_run_is_taken_and_its_page_is_shown(small):
    answer = send(small, description="new", embargo_until="2026-05-01", anonymous="yes")
    assert answer.status_code == 303
    run = runs(small)[-1]
    assert answer.headers["location"] == f"/boards/passages/runs/{run.id}"
    assert (run.name, run.state, run.anonymous, run.description) == ("mine", "queued", True, "new")
    assert send(small).headers["location"] == answer.headers["location"], "the same form twice is one submission"


def test_a_form_of_another_site_is_refused(small):
    before = len(runs(small))
    assert send(small, csrf="guessed").status_code == 403
    form = {"csrf": CSRF, "team": "team-0"}
    headers = {"Sec-Fetch-Site": "cross-site"}
    app = app_of(small.site, small.member)
    answer = ask(app, ADDRESS, "POST", data=form, files={"file": ("a", RUN)}, headers=headers)
    assert answer.status_code == 403
    assert len(runs(small)) == before


@pytest.mark.parametrize(
    "fields, word",
    [({"embargo_until": "soon"}, "is not a date"), ({"variant_of": "nobody's"}, "is not a run of your team")],
)
def test_what_is_wrong_is_said_and_the_form_keeps_what_was_filled_in(small, fields, word):
    answer = send(small, description="kept <b>text</b>", **fields)
    assert answer.status_code == 422
    page = checked(answer.text)
    assert word in " ".join(page.words)
    assert "kept &lt;b&gt;text&lt;/b&gt;" in answer.text


def test_a_board_that_is_closed_or_a_quota_that_is_used_up_says_so(tmp_path):
    closed = make_site(tmp_path / "closed", runs=1, closes_at=NOW)
    assert "takes no submissions now" in ask(app_of(closed.site, closed.member), ADDRESS).text
    closed.site.close()
    full = make_site(tmp_path / "full", runs=1, most=1)
    text = ask(app_of(full.site, full.member), ADDRESS).text
    assert "the next is possible from 2026-04-13" in text
    assert "has no submissions left for now" in text
    answer = send(full)
    assert answer.status_code == 429
    assert "Nothing was submitted" in answer.text
    full.site.close()
