"""The pages of an assessor: plain forms, the same in JSON, and every state in words."""

from __future__ import annotations

import html
import json
import re
from dataclasses import fields

import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.enter import make_campaign_link, reinstate
from runoff.server.cases.judging.manage import change_campaign, close_campaign, pause_campaign, resume_campaign
from runoff.server.store.campaigns import load_campaign_by_slug
from runoff.server.store.judgments import load_judgments
from runoff.server.store.people import Person, load_person, save_person
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked
from tests.server.web.judged import CONSENT, JSON, JudgeSite, better, hidden
from tests.server.web.served import CSRF, app_of, ask


@pytest.fixture
def inside(judged):
    """A server, and an assessor who came in by a link."""
    assert judged.come_in(judged.link()).status_code == 303
    return judged


def text_in(page: str, key: str) -> str:
    """The text of a passage on a page."""
    (found,) = re.findall(rf'id="{key}" [^>]*>(.*?)</div>', page, re.DOTALL)
    return html.unescape(re.sub("</?mark>", "", found))


def question_in(page: str) -> str:
    (found,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    return html.unescape(found)


def side_in(page: str) -> str:
    return better(question_in(page), text_in(page, "first"), text_in(page, "second"))


@both_databases
def test_a_whole_task_by_plain_forms(inside):
    page = inside.page()
    checked(page)
    assert "Begin" in page
    assert inside.post("task").headers["location"] == "/judge/best"
    for place in range(1, 14):
        page = inside.page()
        checked(page)
        assert f"{place} of 13" in page
        fields = hidden(page) | {"side": side_in(page)}
        inside.campaigned.wait(seconds=6)
        for _ in range(2):
            assert inside.post("choices", **fields).headers["location"] == "/judge/best", "a double click is one"
    page = inside.page()
    checked(page)
    assert question_in(page) == "All 13 pairs are answered"
    assert inside.post("done", **hidden(page)).headers["location"] == "/judge/best?done=task"
    page = inside.page("?done=task")
    assert "Your task was handed in." in page
    assert "One task is handed in: 2.00." in page
    rows = inside.campaigned.read(load_judgments, inside.campaign.id)
    assert len(rows) == 13
    assert {row.seconds for row in rows} == {6.0}, "by the server's clock"


def test_undo_goes_back_to_the_pair_and_marks_stay(inside):
    inside.post("task")
    first = inside.page()
    fields = hidden(first)
    inside.post("choices", **fields, side="left")
    second = inside.page("?mark=yes")
    assert question_in(second) != question_in(first) or text_in(second, "first") != text_in(first, "first")
    assert "<mark>" in second
    back = inside.post("undo", **hidden(second))
    assert back.headers["location"] == "/judge/best?done=undone&mark=yes"
    assert text_in(inside.page(), "first") == text_in(first, "first")
    assert inside.post("undo", task=fields["task"], key="k2").headers["location"] == "/judge/best"
    again = inside.post("choices", **(fields | {"key": "k3", "side": "right"}))
    assert again.headers["location"] == "/judge/best"
    other = inside.post("choices", **(fields | {"key": "k4", "side": "left"}))
    assert other.headers["location"] == "/judge/best?done=stale"
    refused = inside.post("choices", JSON, **(fields | {"key": "k4", "side": "left"}))
    assert (refused.status_code, refused.json()["error"]["kind"]) == (409, "conflict")


def test_a_choice_in_json_is_kept_once_with_its_time(inside):
    task = inside.take()
    assert inside.take() == task, "the task in hand"
    assert [pair["answer"] for pair in task["pairs"]] == [None] * 13
    page = inside.page()
    (sheet,) = re.findall(r'<template id="sheet">(.*?)</template>', page)
    assert json.loads(html.unescape(sheet)) == task
    pair = task["pairs"][0]
    inside.campaigned.wait(seconds=7)
    row = {"task": task["id"], "pair": pair["id"], "side": "left", "key": "one"}
    for seconds in (100, 1):
        kept = inside.post("choices", JSON, **row, seconds=seconds)
        assert (kept.status_code, kept.json()) == (200, {"kept": True, "task": task["id"], "pair": pair["id"]})
    undone = [inside.post("undo", JSON, task=task["id"], key="two").json()["pair"] for _ in range(2)]
    assert undone == [pair["id"]] * 2
    inside.answer(task, seconds=3)
    done = inside.post("done", JSON, task=task["id"])
    assert done.json() == {"kept": True, "next": "/judge/best?done=task"}
    assert inside.post("done", JSON, task=task["id"]).json() == done.json()
    rows = inside.campaigned.read(load_judgments, inside.campaign.id)
    assert {row.seconds for row in rows} == {3.0}
    assert len(rows) == 13
    late = inside.post("choices", JSON, **(row | {"key": "three"}))
    assert late.status_code == 409


def test_nobody_claims_more_time_than_has_passed(inside):
    task = inside.take()
    inside.answer(task, seconds=5_000)
    inside.post("done", JSON, task=task["id"])
    rows = inside.campaigned.read(load_judgments, inside.campaign.id)
    assert [row.seconds for row in rows] == [5.0] * 13


WRONG: tuple[dict[str, str], ...] = (
    {"task": "x"}, {"task": "-1"}, {"pair": "0"}, {"pair": str(2**40)}, {"side": "both"}, {"side": ""},
    {"key": "k" * 65},
)  # fmt: skip


def test_what_no_page_sends_is_refused(inside):
    task = inside.take()
    row = {"task": str(task["id"]), "pair": str(task["pairs"][0]["id"]), "side": "left", "key": "k"}
    for change in WRONG:
        answer = inside.post("choices", JSON, **(row | change))
        assert (answer.status_code, answer.json()["error"]["kind"]) == (422, "bad input"), change
    odd = inside.post("choices", JSON, **row, seconds="nan")
    assert odd.status_code == 200


def test_tasks_of_others_and_forms_of_others_are_refused(inside):
    task = inside.take()
    row = {"task": task["id"], "pair": task["pairs"][0]["id"], "side": "left", "key": "k"}
    unsigned = inside.client.post("/judge/best/choices", data={**row, "csrf": "x"}, headers=JSON)
    assert unsigned.status_code == 403
    inside.client.cookies.clear()
    assert inside.post("choices", JSON, **row).status_code == 401
    assert inside.client.get("/judge/best").headers["location"] == "/sign-in?to=/judge/best"
    inside.come_in(inside.link())
    assert inside.post("choices", JSON, **row).status_code == 404
    assert inside.post("undo", JSON, task=task["id"], key="k").status_code in {200, 404}
    assert inside.post("done", JSON, task=task["id"]).status_code == 409
    assert inside.take()["id"] != task["id"]


def test_leaving_pays_the_share_and_shows_the_code(inside):
    task = inside.take()
    inside.answer(task)
    inside.post("done", task=task["id"])
    task = inside.take()
    inside.answer(task, pairs=4)
    page = inside.client.get("/judge/best/leave").text
    checked(page)
    assert "4 of 13 pairs answered" in page
    assert "You will be paid 2.62 for 1 finished task and the answered part of your current task" in page
    assert "Leave and get the code" in page
    assert inside.post("leave").headers["location"] == "/judge/best"
    page = inside.page()
    checked(page)
    (code,) = re.findall(r"<code>([0-9A-F]{16})</code>", page)
    assert "<strong>2.62</strong>" in page
    inside.post("leave")
    assert re.findall(r"<code>([0-9A-F]{16})</code>", inside.page()) == [code]
    assert inside.post("task", JSON).json() == {"state": "left", "task": None}


def test_who_did_nothing_gets_no_code(inside):
    inside.post("leave")
    page = inside.page()
    checked(page)
    assert "because you made no choices" in page


def test_who_fails_a_test_pair_is_told_the_truth_and_can_be_let_in_again(inside):
    good = inside.take()
    inside.answer(good)
    inside.post("done", task=good["id"])
    task = inside.take()
    inside.answer(task, wrong=True)
    assert inside.post("done", JSON, task=task["id"]).json() == {"kept": True, "next": "/judge/best"}
    page = inside.page()
    checked(page)
    assert "For some questions we know the answer" in page
    inside.post("leave")
    page = inside.page()
    assert "<strong>2.00</strong>" in page
    assert "13 not used" in page
    made = inside.campaigned
    (person,) = {one.person_id for one in made.read(load_judgments, inside.campaign.id)}
    reinstate(made.database, inside.campaign.id, person, actor=made.organiser, now=inside.now)
    assert "You have finished here" in inside.page()


def test_pauses_ends_and_empty_plans_are_told(inside):
    made = inside.campaigned
    options = {"actor": made.organiser, "now": inside.now}
    for change, word in (
        (pause_campaign, "have paused this for now"),
        (close_campaign, "no more tasks"),
        (resume_campaign, "Ready when you are"),
    ):
        change(made.database, inside.campaign.id, **options)
        page = inside.page()
        checked(page)
        assert word in page
    task = inside.take()
    pause_campaign(made.database, inside.campaign.id, **options)
    assert "1 of 13" in inside.page(), "what is in hand can be finished"
    resume_campaign(made.database, inside.campaign.id, **options)
    while True:
        inside.answer(task)
        inside.post("done", task=task["id"])
        offer = inside.post("task", JSON).json()
        if offer["state"] != "given":
            break
        task = offer["task"]
    assert offer == {"state": "nothing", "task": None}
    told = inside.post("task").headers["location"]
    assert "You have done everything that is open to you." in inside.client.get(told).text


@both_databases
def test_a_task_whose_time_is_over_goes_to_another_and_its_page_goes_on(inside):
    task = inside.take()
    inside.answer(task, pairs=2)
    first = dict(inside.client.cookies)
    inside.client.cookies.clear()
    inside.campaigned.wait(minutes=61)
    inside.come_in(inside.link())
    other = inside.take()
    assert [pair["id"] for pair in other["pairs"]] == [pair["id"] for pair in task["pairs"]]
    inside.client.cookies.clear()
    inside.client.cookies.update(first)
    row = {"task": task["id"], "pair": task["pairs"][2]["id"], "side": "left", "key": "late"}
    assert inside.post("choices", JSON, **row).status_code == 409
    assert inside.post("choices", **row).headers["location"] == "/judge/best?done=stale"
    assert "Ready when you are" in inside.page()


def person_of(judged: JudgeSite, role: str, email: str) -> Person:
    row = {"email": email, "display_name": "Somebody", "role": role}
    return judged.site.database.write(lambda c: save_person(c, **row, actor=None, now=judged.now))  # type: ignore[arg-type]


def test_an_assessor_with_an_account_finds_campaigns_and_agrees(judged):
    app = app_of(judged.site, person_of(judged, "assessor", "as@example.org"))
    assert 'href="/judge/best"' in ask(app, "/judge").text
    page = ask(app, "/judge/best").text
    checked(page)
    assert CONSENT in page
    sent = {"csrf": CSRF, "agree": "yes", "text": "x"}
    assert ask(app, "/judge/best/consent", "POST", data=sent).headers["location"] == "/judge/best?done=consent"
    assert ask(app, "/judge/best/leave", "POST", data=sent).headers["location"] == "/judge/best"
    answer = ask(app, "/judge/best/consent", "POST", data=sent | hidden(page))
    assert answer.headers["location"] == "/judge/best"
    assert "Begin" in ask(app, "/judge/best").text
    organiser = app_of(judged.site, load_organiser(judged))
    assert ask(organiser, "/judge/best").status_code == 200


def test_who_leaves_without_a_choice_is_promised_no_code_and_no_pay_for_nothing(inside):
    page = inside.client.get("/judge/best/leave").text
    checked(page)
    assert "You get no more tasks here." in page
    assert "code" not in page.split("<main")[1]
    inside.take()
    page = inside.client.get("/judge/best/leave").text
    assert "You will be paid 0.00." in page
    assert "0 tasks" not in page


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_text_that_was_changed_is_agreed_to_before_the_next_task(inside):
    made, before = inside.campaigned, inside.campaigned.read(load_campaign_by_slug, "best")
    settings = {field.name: getattr(before, field.name) for field in fields(CampaignSettings)}
    change_campaign(
        made.database, before.id, CampaignSettings(**settings | {"consent": "New words."}), version=before.version,
        actor=made.organiser, now=inside.now,
    )  # fmt: skip
    assert inside.post("task", JSON).json() == {"state": "new consent", "task": None}
    page = inside.page()
    checked(page)
    assert "The text that you agreed to has changed" in page
    assert "New words." in page
    assert "What you have done so far stays as it is, and is paid." in page
    assert "finish here" in page
    assert inside.post("consent", agree="yes", text="x").headers["location"] == "/judge/best?done=consent"
    inside.post("consent", agree="yes", text=hidden(page)["text"])
    assert "Ready when you are" in inside.page()


def load_organiser(judged: JudgeSite) -> Person:
    return judged.campaigned.read(load_person, judged.campaigned.organiser.id)  # type: ignore[no-any-return]


def test_who_came_for_another_campaign_finds_nothing_here(judged):
    made = judged.campaigned
    other = made.draft(slug="other", title="Other")
    token = make_campaign_link(made.database, other.id, actor=made.organiser, now=judged.now)
    assert judged.come_in(f"/enter/{token}").headers["location"] == "/judge/other"
    assert judged.client.get("/judge/other").text.count("Not open yet") > 0
    assert judged.client.get("/judge/best").status_code == 404
    listed = judged.client.get("/judge").text
    assert "/judge/other" in listed
    assert "/judge/best" not in listed
    assert judged.post("consent", agree="yes").status_code == 404
    assert judged.post("task", JSON).json() == {"state": "no consent", "task": None}


def test_members_of_teams_do_not_judge(judged):
    app = app_of(judged.site, person_of(judged, "member", "m@example.org"))
    for path in ("/judge", "/judge/best", "/judge/best/leave"):
        assert ask(app, path).status_code == 403
    assert ask(app, "/judge/best/task", "POST", data={"csrf": CSRF}).status_code == 403
    assert Actor(id=1).role is None


def test_texts_of_every_script_stand_as_they_are(inside):
    texts = set()
    while (offer := inside.post("task", JSON).json())["state"] == "given":
        task = offer["task"]
        texts |= {"".join(pair[side]) for pair in task["pairs"] for side in ("left", "right")}
        inside.answer(task)
        inside.post("done", task=task["id"])
    told = " ".join(texts)
    assert "\u200fהתשובה" in told
    assert "हिन्दी और English   with a bell" in told
    assert "<b>Not bold</b>" in told
