"""The page of a board."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from runoff.server.cases.boards.board_views import Choice, load_asked_view
from runoff.server.cases.views.stored_board import load_board_data
from runoff.server.store.boards import load_board, save_board_settings
from runoff.server.store.submissions import save_run, save_run_state
from runoff.server.web.pages.board.results import results_of
from runoff.verbs.board import board_of
from runoff.verdicts.facet import spoken
from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask
from tests.server.web.world import NOW, SETTINGS, make_site

ADDRESS = "/boards/passages"


def change(fixture, **changes):
    def work(connection):
        board = load_board(connection, fixture.board.id)
        settings = replace(SETTINGS, **changes)
        save_board_settings(connection, board.id, settings, version=board.version, actor=None, now=NOW)

    fixture.site.database.write(work)


def test_it_shows_every_run_with_its_rank(filled):
    answer = ask(app_of(filled.site), ADDRESS)
    page = checked(answer.text)
    assert answer.status_code == 200
    links = [one["href"] for one in page.all("a") if str(one["href"]).startswith(f"{ADDRESS}/runs/")]
    assert {int(str(link).rsplit("/", 1)[1]) for link in links} >= {run.id for run in filled.runs}
    assert "leads with a mean RR@10 of" in answer.text


def view_of(fixture):
    with fixture.site.database.read() as connection:
        asked = load_asked_view(connection, fixture.board, Choice(), now=NOW)
    return fixture.site.views.of(asked, now=NOW)


def test_hostile_names_stay_text(filled):
    text = ask(app_of(filled.site), ADDRESS).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "49{% raw" not in text
    assert "&amp;amp; &amp;#60;b" in text or len(filled.runs) < 4


def test_verdicts_of_the_day_and_against_the_leader_are_shown(filled):
    text = ask(app_of(filled.site), ADDRESS).text
    assert "first run" in text
    if len(filled.runs) > 2:
        assert "badge-worse" in text


def test_possible_ranks_groups_and_verdicts_are_the_decisions(filled):
    analysis = view_of(filled)
    assert analysis is not None
    results, rows = results_of(analysis, verdicts={}, private={}, choice={}), analysis.rows
    assert [line.row.rank_set for line in results.lines] == [row.rank_set for row in rows]
    assert [line.verdict for line in results.lines] == ["", *(spoken(row.verdict or "", row.how) for row in rows[1:])]
    best = sum(row.rank_set[0] == 1 for row in rows)
    said = "It alone could be the best" if best == 1 else f"{best:,} of the {len(rows):,} runs could be the best"
    assert len(rows) == 1 or said in results.sentence


def test_a_note_says_what_an_inconclusive_verdict_could_have_missed(small):
    analysis = view_of(small)
    assert analysis is not None
    with small.site.database.read() as connection:
        result = board_of(load_board_data(connection, small.board, now=NOW))
    found = sorted(comparison.powers[0].smallest or 0.0 for comparison in result.comparisons)
    notes = results_of(analysis, verdicts={}, private={}, choice={}).notes
    said = [note for note in notes if note.startswith("Inconclusive is not equal")]
    assert len(said) == 1
    assert f"below {found[len(found) // 2]:.3f} usually go undetected" in said[0]


def test_numbers_have_the_digits_of_the_board(small):
    analysis = view_of(small)
    assert analysis is not None
    text = ask(app_of(small.site), ADDRESS).text
    assert [f"<strong>{row.mean:.3f}</strong>" in text for row in analysis.rows] == [True] * len(analysis.rows)
    assert f"{analysis.rows[0].ci95[0]:.3f}–{analysis.rows[0].ci95[1]:.3f}" in text
    change(small, digits=1)
    text = ask(app_of(small.site), ADDRESS).text
    assert f"<strong>{analysis.rows[0].mean:.1f}</strong>" in text
    assert f"{analysis.rows[0].mean:.3f}" not in text


def test_a_new_run_changes_the_page_at_once(small):
    app = app_of(small.site)
    before = ask(app, ADDRESS).text
    assert ask(app, ADDRESS).text == before
    chart = ask(app, f"{ADDRESS}/charts/timeline.svg")
    other = make_copy(small, "a newcomer")
    after = ask(app, ADDRESS).text
    new_chart = ask(app, f"{ADDRESS}/charts/timeline.svg", headers={"If-None-Match": chart.headers["etag"]})
    assert new_chart.status_code == 200, "no old chart stands beside a new board"
    assert "a newcomer" in after
    assert f"{ADDRESS}/runs/{other.id}" in after


def make_copy(small, name, **changes):
    """One more scored run with the arrays of the first."""
    from runoff.server.cases.views.serp_arrays import computation_version_of
    from runoff.server.store.scores import ScoreCondition, load_analysis, save_analysis
    from runoff.server.store.submissions import NewRun

    def work(connection):
        first = small.runs[0]
        new = NewRun(
            board_id=small.board.id, team_id=small.teams[0].id, submitted_by=small.member.id, submission_key=name,
            name=name, content_hash=f"{99:064x}", size=5, **changes,
        )  # fmt: skip
        run = save_run(connection, new, now=NOW)
        save_run_state(connection, run.id, "scoring", now=NOW)
        version = computation_version_of(small.board)
        condition = ScoreCondition(label_set_id=1, query_set_id=1, computation_version=version)
        array = load_analysis(connection, condition, first.id)
        assert array is not None
        save_analysis(connection, condition, run.id, array, now=NOW)
        return save_run_state(connection, run.id, "scored", now=NOW)

    return small.site.database.write(work)


def test_a_run_under_embargo_is_seen_by_its_team_alone(small):
    make_copy(small, "a secret", embargo_until=NOW + timedelta(days=5))
    assert "a secret" not in ask(app_of(small.site), ADDRESS).text
    own = ask(app_of(small.site, small.member), ADDRESS).text
    assert "a secret" in own
    assert "under embargo" in own


def test_teams_are_hidden_until_they_are_named(small):
    change(small, anonymous_until=NOW + timedelta(days=5))
    text = ask(app_of(small.site), ADDRESS).text
    assert "anonymous" in text
    assert "Rivers" not in text


def test_filters_choose_runs_and_compute_again(small):
    app = app_of(small.site)
    text = ask(app, f"{ADDRESS}?team=Rivers").text
    assert "1 run on" in text
    assert "It is the only run." in text
    assert "No run fits these filters." in ask(app, f"{ADDRESS}?until=2001-01-01").text
    since = small.runs[1].submitted_at.date().isoformat()
    assert "2 runs on" in ask(app, f"{ADDRESS}?since={since}").text


@pytest.mark.parametrize(
    "query, word", [("since=yesterday", "not a date"), ("labels=none", "No open label set"), ("team=" + "x" * 300, "")]
)
def test_filters_that_cannot_be_used_are_explained(small, query, word):
    answer = ask(app_of(small.site), f"{ADDRESS}?{query}")
    assert answer.status_code == 422
    assert word in answer.text
    checked(answer.text)


def test_an_empty_board_says_so(tmp_path):
    fixture = make_site(tmp_path / "site", runs=0)
    answer = ask(app_of(fixture.site), ADDRESS)
    assert "No run has been scored yet." in answer.text
    checked(answer.text)
    fixture.site.close()


def test_charts_are_pictures_of_this_site(small):
    app = app_of(small.site)
    page = checked(ask(app, ADDRESS).text)
    pictures = [str(one["src"]) for one in page.all("img") if "/charts/" in str(one["src"])]
    assert len(pictures) == 3
    for address in pictures:
        answer = ask(app, address)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text != ask(app, address.replace("theme=light", "theme=dark")).text
        again = ask(app, address, headers={"If-None-Match": f'"x", {answer.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == answer.headers["cache-control"] == "private, no-cache"
        assert ask(app, address, headers={"If-None-Match": '"x"'}).text == answer.text
    assert ask(app, f"{ADDRESS}/charts/nothing.svg").status_code == 404
