"""The page of a run."""

from __future__ import annotations

from datetime import timedelta

from runoff.server.store.models.boards import RUN
from runoff.server.store.scores import load_scores
from runoff.server.store.submissions import NewRun, save_run, save_run_state
from tests.server.cases.served import run_text
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask
from tests.server.web.serving import API
from tests.server.web.world import NOW


def queued(fixture, **changes):
    new = NewRun(
        board_id=fixture.board.id, team_id=fixture.teams[0].id, submitted_by=fixture.member.id, submission_key="k",
        name="waiting", content_hash=f"{77:064x}", size=10, **changes,
    )  # fmt: skip
    return fixture.site.database.write(lambda connection: save_run(connection, new, now=NOW))


def test_a_scored_run_shows_its_verdict_and_scores(filled):
    run = filled.runs[-1]
    answer = ask(app_of(filled.site), f"/boards/passages/runs/{run.id}")
    page = checked(answer.text)
    assert answer.status_code == 200
    assert "Means of" in answer.text
    assert "On the day of its submission" in answer.text
    pictures = [one for one in page.all("img") if "outcome_bars" in str(one["src"])]
    assert len(pictures) == (1 if len(filled.runs) > 1 else 0)
    assert all("data-refresh" not in one for one in page.all("section"))


def test_metadata_of_strangers_stay_text(filled):
    text = ask(app_of(filled.site), f"/boards/passages/runs/{filled.runs[0].id}").text
    assert "&lt;b&gt;code&lt;/b&gt;" in text
    assert "\u202e" not in text, "it would turn the words behind it around"


def test_the_header_of_a_run_is_a_table_of_text(small):
    header = {"actor": {"team": "<i>Oaks</i>", "mail": "a@b"}, "method": {"retrieval": [{"name": "bm25 \u202e"}]}}
    run = queued(small, metadata={"file_name": "a.run", "ir_metadata": header})
    text = ask(app_of(small.site, small.member), f"/boards/passages/runs/{run.id}").text
    checked(text)
    assert "What the run says of itself" in text
    assert '<details class="more" open>' in text
    assert "&lt;i&gt;Oaks&lt;/i&gt;" in text
    assert "method.retrieval.1.name" in text
    assert "\u202e" not in text
    assert "{&#39;actor" not in text
    other = ask(app_of(small.site), f"/boards/passages/runs/{small.runs[0].id}").text
    assert "says of itself" not in other


def test_a_waiting_run_asks_again_with_and_without_a_script(small):
    run = queued(small)
    text = ask(app_of(small.site, small.member), f"/boards/passages/runs/{run.id}").text
    page = checked(text)
    assert [one["data-refresh"] for one in page.all("section") if "data-refresh" in one] == ["3"]
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in text
    assert "It is waiting to be scored." in text


def test_a_rejected_run_lists_its_problems(small):
    run = queued(small)
    problems = ["waiting:3: score 'x' is not a number; expected one such as 2.5; fix the line", "waiting:<9>: more"]
    small.site.database.write(
        lambda connection: save_run_state(connection, run.id, "rejected", problems=problems, now=NOW)
    )
    text = ask(app_of(small.site, small.member), f"/boards/passages/runs/{run.id}").text
    checked(text)
    assert "waiting:3: score &#39;x&#39; is not a number" in text
    assert "waiting:&lt;9&gt;" in text
    assert "does not count towards the quota" in text


def test_others_do_not_learn_that_a_run_waits(small):
    run = queued(small, embargo_until=NOW + timedelta(days=3))
    hidden = ask(app_of(small.site), f"/boards/passages/runs/{run.id}")
    missing = ask(app_of(small.site), "/boards/passages/runs/99999")
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert "waiting" not in hidden.text


def test_the_hash_is_for_the_team(small):
    address = f"/boards/passages/runs/{small.runs[0].id}"
    assert small.runs[0].content_hash not in ask(app_of(small.site), address).text
    assert small.runs[0].content_hash in ask(app_of(small.site, small.member), address).text


def test_scores_that_the_release_rule_holds_back_are_told_to_organisers_alone(small):
    run = next(one for one in small.runs if one.team_id == small.teams[0].id and not one.baseline)
    mean = mean_of(small, run)
    small.site.database.write(
        lambda connection: connection.execute(RUN.update().where(RUN.c.id == run.id).values(held=True))
    )
    pages = (f"/boards/passages/runs/{run.id}", f"/teams/{small.teams[0].slug}", f"/api/v1/runs/{run.id}")
    for path in pages:
        for person, sees in ((small.organiser, True), (small.member, False)):
            answer = ask(app_of(small.site, person), path)
            assert (answer.status_code, mean in answer.text) == (200, sees), (path, person.role)
    assert "does not beat the best shown run of the team" in ask(app_of(small.site, small.member), pages[0]).text
    assert ask(app_of(small.site, small.member), pages[2]).json()["held"] is True
    assert ask(app_of(small.site), pages[0]).status_code == 404
    assert f">{run.name}<" not in ask(app_of(small.site), "/boards/passages").text


def mean_of(fixture, run):
    with fixture.site.database.read() as connection:
        score = next(one for one in load_scores(connection, fixture.board.id, run_id=run.id))
    return f"{score.mean:.{fixture.board.digits}f}"


@both_databases
def test_a_team_lets_a_run_stand_for_it(serving):
    first = serving.send(run_text(11), said={"name": "old"}).json()["id"]
    serving.send(run_text(12), said={"name": "new"})
    serving.work()
    csrf = serving.sign_in(serving.served.member)
    page = serving.client.get(f"/boards/trees/runs/{first}").text
    checked(page)
    assert "Your team has not chosen a run yet" in page
    done = serving.client.post(f"/boards/trees/runs/{first}/entry", data={"csrf": csrf}).headers["location"]
    text = serving.client.get(done).text
    assert "This run now represents the team." in text
    assert "Your team chose this run to represent it." in text
    assert "Let this run represent the team" not in text
    assert serving.client.get("/teams/oaks").text.count(">entry<") == 1
    serving.client.cookies.clear()
    board = serving.client.get("/boards/trees").text
    assert (">old<" in board, ">new<" in board, board.count(">entry<")) == (True, True, 1)
    part = serving.client.get("/boards/trees?runs=entries").text
    checked(part)
    assert (">old<" in part, ">new<" in part) == (True, False)
    assert ("Only some of the runs" in part, "Only some of the runs" in board) == (True, False)
    found = serving.client.get(f"{API}/boards/trees", params={"runs": "entries"}).json()["runs"]
    assert ("old" in {run["run"] for run in found}, "new" in {run["run"] for run in found}) == (True, False)
    # Whoever is not of the team, or comes from elsewhere, changes nothing.
    assert serving.client.post(f"/boards/trees/runs/{first}/entry", data={}).status_code in {303, 401, 403}
