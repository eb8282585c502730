"""Links for assessors: looked at without a change, used by a form, limited."""

from __future__ import annotations

from datetime import timedelta

import pytest

from runoff.server.cases.judging.enter import consent_hash
from runoff.server.cases.judging.manage import close_campaign
from runoff.server.store.audit import load_audit
from runoff.server.store.campaign_links import load_campaign_links, load_entries, load_workers
from runoff.server.store.participation import load_participations
from runoff.server.store.people import save_person
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked
from tests.server.web.judged import CONSENT, INSTRUCTIONS, hidden

HIT = "3TDXMTX3CBU3QS5X4ZZ92VG3MLV6I3"


def counted(judged):
    number = judged.campaign.id
    read = judged.campaigned.read
    return (
        [link.uses for link in read(load_campaign_links, number)],
        len(read(load_entries, number)),
        len(read(load_participations, number)),
    )


def test_a_link_that_is_looked_at_changes_nothing(judged):
    link = judged.link()
    before = counted(judged)
    for _ in range(3):
        answer = judged.client.get(link)
        checked(answer.text)
        assert "set-cookie" not in answer.headers
        assert CONSENT in answer.text
        assert INSTRUCTIONS.splitlines()[0] in answer.text
        assert "A task has up to 13 such pairs and pays 2.00." in answer.text
    assert counted(judged) == before
    assert judged.come_in(link).headers["location"] == "/judge/best"
    assert counted(judged) == ([1], 1, 1)
    assert judged.client.get(link).headers["location"] == "/judge/best", "the same person again"
    judged.client.cookies.clear()
    used = judged.client.get(link)
    assert (used.status_code, "used up" in used.text) == (404, True)


def test_without_consent_nobody_comes_in(judged):
    link = judged.link()
    fields = hidden(judged.client.get(link).text)
    before = counted(judged)
    for wrong, word in (({"agree": ""}, "Tick the box"), ({"agree": "yes", "text": "x"}, "changed in the meantime")):
        answer = judged.client.post(link, data=fields | wrong)
        assert (answer.status_code, word in answer.text) == (422, True)
        checked(answer.text)
    assert counted(judged) == before
    judged.come_in(link)
    log = judged.campaigned.read(load_audit, thing="campaign", thing_id=judged.campaign.id)
    (entry,) = [one for one in log if one.action == "consent"]
    assert entry.details == {"text": consent_hash(judged.campaign)}


@pytest.mark.parametrize(
    "query",
    [f"?worker=A1&assignment={HIT}", f"?workerId=A1&assignmentId={HIT}&hitId=3", f"?PROLIFIC_PID=A1&SESSION_ID={HIT}"],
)
def test_a_worker_brings_an_id(judged, query):
    link = judged.link(site="crowd", most_uses=None)
    assert judged.come_in(link, query).status_code == 303
    first = judged.client.cookies["runoff"]
    judged.client.cookies.clear()
    judged.come_in(link, query)
    assert judged.client.cookies["runoff"] != first
    (worker,) = judged.campaigned.read(load_workers, judged.campaign.id).values()
    assert (worker.site, worker.worker_id) == ("crowd", "A1")
    assert [one.reference for one in judged.campaigned.read(load_entries, judged.campaign.id)] == [HIT]
    assert "A1" not in judged.page()


def test_a_worker_without_an_id_is_asked_for_it_and_a_preview_lets_nobody_in(judged):
    link = judged.link(site="crowd", most_uses=None)
    page = judged.client.get(link).text
    checked(page)
    assert "Your worker id at crowd" in page
    empty = judged.client.post(link, data=hidden(page) | {"agree": "yes", "worker": " "})
    assert (empty.status_code, "no worker id" in empty.text) == (422, True)
    preview = judged.client.get(link + "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=3").text
    assert "This is a preview." in preview
    assert "<form" not in preview
    assert judged.come_in(link, worker="W7").status_code == 303


def test_guessing_at_links_ends_soon(judged):
    link = judged.link()
    answers = [judged.client.get(f"/enter/guess{number}").status_code for number in range(12)]
    assert answers == [404] * 10 + [429] * 2
    refused = judged.client.post(link, data={})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "900")
    judged.campaigned.wait(minutes=16)
    assert judged.come_in(link).status_code == 303


def test_another_site_cannot_bring_somebody_in(judged):
    link = judged.link()
    fields = hidden(judged.client.get(link).text) | {"agree": "yes"}
    assert judged.client.post(link, data=fields, headers={"Sec-Fetch-Site": "cross-site"}).status_code in {401, 403}
    assert judged.come_in(link).status_code == 303
    assert judged.client.post(judged.link(), data=fields).status_code == 403, "without the token of the session"


@both_databases
def test_a_member_of_a_team_is_told_and_comes_in_as_somebody_else(judged):
    from tests.server.web.served import CSRF, app_of, ask

    row = {"email": "ann@example.org", "display_name": "Ann", "role": "member"}
    person = judged.site.database.write(lambda c: save_person(c, **row, actor=None, now=judged.now))  # type: ignore[arg-type]
    app, link = app_of(judged.site, person), judged.link()
    shown = ask(app, link).text
    assert "Team members cannot judge." in shown
    came = ask(app, link, "POST", data=hidden(shown) | {"agree": "yes", "csrf": CSRF})
    assert "runoff=" in came.headers["set-cookie"]
    assert ask(app, "/judge/best").status_code == 403


def test_an_ended_campaign_says_so(judged):
    link = judged.link(expires_at=judged.now + timedelta(days=1))
    close_campaign(judged.site.database, judged.campaign.id, actor=judged.campaigned.organiser, now=judged.now)
    assert "This has ended" in judged.client.get(link).text
    judged.campaigned.wait(days=2)
    assert judged.client.get(link).status_code == 404
