"""The organisers' view of a board."""

from __future__ import annotations

from runoff.store.boards import load_board
from tests.web.checks import checked
from tests.web.served import CSRF, app_of, ask

ADDRESS = "/boards/passages/organise"


def test_it_shows_audit_log_versions_and_settings(filled):
    answer = ask(app_of(filled.site, filled.organiser), ADDRESS)
    page = checked(answer.text)
    captions = " ".join(page.words)
    assert "Versions of queries and labels" in captions
    assert "changes" in captions
    names = {one.get("name") for tag in ("input", "textarea") for one in page.all(tag)}
    assert {"most", "digits", "private_until", "version"} <= names


def test_others_are_refused(small):
    assert ask(app_of(small.site, small.member), ADDRESS).status_code == 403
    assert ask(app_of(small.site), ADDRESS).status_code in (303, 401)


def save(fixture, **fields):
    form = {"csrf": CSRF, "version": "1", "title": "Passages", "digits": "2", **fields}
    return ask(app_of(fixture.site, fixture.organiser), ADDRESS, "POST", data=form)


def stored(fixture):
    with fixture.site.database.read() as connection:
        return load_board(connection, fixture.board.id)


def test_settings_are_changed_once_per_version(small):
    assert save(small, private_until="2026-05-01T12:00").status_code == 303
    board = stored(small)
    assert (board.digits, f"{board.private_until:%Y-%m-%d %H}") == (2, "2026-05-01 12")
    again = save(small, digits="4")
    assert again.status_code == 422
    assert "was changed meanwhile" in again.text
    assert stored(small).digits == 2


def test_settings_that_cannot_be_used_are_explained(small):
    answer = save(small, digits="many")
    assert answer.status_code == 422
    assert "expected a whole number" in answer.text
    assert save(small, closes_at="later").status_code == 422
    assert save(small, csrf="guessed").status_code == 403
    assert stored(small).version == 1


def test_the_same_file_of_two_teams_is_pointed_out(tmp_path):
    from dataclasses import replace

    from runoff.web.pages.organise._routes import _same_files
    from runoff.workflows.stored_board import VisibleRun
    from tests.web.world import make_site

    fixture = make_site(tmp_path / "site", runs=2)
    first, second = fixture.runs
    copy = replace(second, content_hash=first.content_hash)
    seen = (VisibleRun(run=first, name="a", team="Trees"), VisibleRun(run=copy, name="b", team="Rivers"))
    assert _same_files(seen) == ("The same file was submitted as a (Trees) and as b (Rivers).",)
    fixture.site.close()
