"""Who may invite, remove, close and revoke."""

from __future__ import annotations

from threading import Lock

import pytest

from runoff.errors import ConflictError, NotAllowedError, NotFoundError, QuotaError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.accounts.sign_in import make_api_token, use_link
from runoff.server.cases.boards.memberships import (
    DAY,
    close_account,
    found_team,
    give_role,
    invite_person,
    invite_to_team,
    remove_member,
    revoke_token,
    withdraw_link,
)
from runoff.server.store.access import load_api_tokens, load_open_links
from runoff.server.store.jobs import load_jobs
from runoff.server.store.people import load_members, load_person, load_person_by_email
from runoff.server.store.submissions import MAIL
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases

WORDS = "correct horse battery"


def olga(served):
    return Actor(id=served.organiser.id, role="organiser")


def use(served, token, name="New", person=None):
    return use_link(served.database, token, display_name=name, password=WORDS, person=person, hashing=Lock(), now=NOW)


def test_a_link_into_a_team_makes_an_account_once(served):
    token = invite_to_team(served.database, served.team, email="New@Example.org", hours=1, actor=served.actor, now=NOW)
    use(served, token)
    with served.database.read() as connection:
        made = load_person_by_email(connection, "new@example.org")
        assert made is not None
        assert made.role == "member"
        assert [person.id for person in load_members(connection, served.team.id)] == [served.member.id, made.id]
    with pytest.raises(NotFoundError):
        use(served, token)


def test_whoever_has_an_account_signs_in_first(served):
    token = invite_to_team(
        served.database, served.team, email=served.organiser.email, hours=1, actor=served.actor, now=NOW
    )
    with pytest.raises(UsageError, match="sign in first"):
        use(served, token)
    use(served, token, person=served.organiser)
    with served.database.read() as connection:
        assert len(load_members(connection, served.team.id)) == 2
    remove_member(served.database, served.team, served.organiser.id, actor=served.actor, now=NOW)
    with pytest.raises(UsageError, match="only one member"):
        remove_member(served.database, served.team, served.member.id, actor=served.actor, now=NOW)


def test_others_may_not(served):
    stranger = Actor(id=served.member.id, role="member", teams=frozenset({999}))
    calls = [
        lambda: invite_to_team(served.database, served.team, email="a@b.org", hours=1, actor=stranger, now=NOW),
        lambda: remove_member(served.database, served.team, served.member.id, actor=stranger, now=NOW),
        lambda: invite_person(served.database, email="a@b.org", role="organiser", hours=1, actor=stranger, now=NOW),
        lambda: close_account(served.database, served.member.id, actor=stranger, now=NOW),
        lambda: give_role(served.database, served.member.id, "organiser", actor=stranger, now=NOW),
        lambda: found_team(served.database, "T", actor=Actor(id=1, role="assessor"), now=NOW),
    ]
    for call in calls:
        with pytest.raises(NotAllowedError):
            call()


def test_links_are_withdrawn_by_those_who_may_make_them(served):
    invite_person(served.database, email="a@b.org", role="member", hours=1, actor=olga(served), now=NOW)
    invite_to_team(served.database, served.team, email="b@b.org", hours=1, actor=served.actor, now=NOW)
    with served.database.read() as connection:
        account, team = load_open_links(connection, NOW)
    with pytest.raises(NotAllowedError):
        withdraw_link(served.database, account.id, actor=served.actor, now=NOW)
    withdraw_link(served.database, team.id, actor=served.actor, now=NOW)
    withdraw_link(served.database, account.id, actor=olga(served), now=NOW)
    with pytest.raises(NotFoundError):
        withdraw_link(served.database, account.id, actor=olga(served), now=NOW)


@both_databases
def test_accounts_roles_tokens_and_teams(served):
    with pytest.raises(UsageError, match="last organiser"):
        close_account(served.database, served.organiser.id, actor=olga(served), now=NOW)
    with pytest.raises(UsageError, match="last organiser"):
        give_role(served.database, served.organiser.id, "member", actor=olga(served), now=NOW)
    give_role(served.database, served.member.id, "organiser", actor=olga(served), now=NOW)
    _, token = make_api_token(served.database, served.organiser, name="t", scopes=frozenset({"read"}), now=NOW)
    with pytest.raises(NotAllowedError):
        revoke_token(served.database, token.id, actor=served.actor, now=NOW)
    revoke_token(served.database, token.id, actor=olga(served), now=NOW)
    with pytest.raises(NotFoundError):
        revoke_token(served.database, 999, actor=olga(served), now=NOW)
    close_account(
        served.database,
        served.organiser.id,
        actor=served.actor.__class__(id=served.member.id, role="organiser"),
        now=NOW,
    )
    with served.database.read() as connection:
        assert load_person(connection, served.organiser.id).disabled_at == NOW
        assert [one.revoked_at for one in load_api_tokens(connection)] == [NOW]
    assert found_team(served.database, "Équipe 1", actor=served.actor, now=NOW, free=True).slug == "equipe-1"
    with pytest.raises(ConflictError):
        found_team(served.database, "Équipe 1", actor=served.actor, now=NOW, free=True)


def test_one_person_has_so_many_invitations_mailed_in_a_day(served, monkeypatch):
    monkeypatch.setattr("runoff.server.cases.boards.memberships.MOST_MAILED", 2)

    def invite(number, *, mailed=True, now=NOW):
        email = f"n{number}@example.org"
        invite_to_team(served.database, served.team, email=email, hours=1, actor=served.actor, now=now, mailed=mailed)

    for number in range(2):
        invite(number)
    with pytest.raises(QuotaError, match="2 invitations in a day"):
        invite(3)
    invite(4, mailed=False)
    invite(5, now=NOW + DAY)
    with served.database.read() as connection:
        keys = [job.job_key for job in load_jobs(connection, kinds=(MAIL,))]
    assert len(keys) == 3, "neither the refused one nor the one that is only shown"
