from typing import Any

import pytest

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store.access import load_api_token, load_session_person, save_api_token, save_session
from runoff.server.store.audit import load_audit
from runoff.server.store.people import (
    load_password_hash,
    load_people,
    load_person,
    load_person_by_email,
    save_disabled,
    save_password,
    save_person,
    save_rehashed_password,
    save_role,
)
from tests.server.store.world import NOW, later

KING: Any = "king"


def test_an_account_is_found_by_number_and_by_address_however_it_is_written(world):
    with world.database.read() as connection:
        assert load_person(connection, world.member.id) == world.member
        assert load_person_by_email(connection, " Member@Example.ORG") == world.member
        assert load_person_by_email(connection, "nobody@example.org") is None
        assert [person.role for person in load_people(connection)] == ["organiser", "member", "assessor"]
        assert load_password_hash(connection, world.member.id) is None
        for load in (load_person, load_password_hash):
            with pytest.raises(NotFoundError, match="there is no person 99"):
                load(connection, 99)


def test_an_address_has_one_account_and_roles_are_known(world):
    row: dict[str, Any] = {"display_name": "X", "actor": None, "now": NOW}
    with pytest.raises(ConflictError, match=r"member@example.org already has an account"):
        world.database.write(lambda c: save_person(c, email="MEMBER@example.org", role="member", **row))
    with pytest.raises(UsageError, match="role 'king' is unknown; expected one of organiser, member, assessor"):
        world.database.write(lambda c: save_person(c, email="x@example.org", role=KING, **row))
    with pytest.raises(UsageError, match="role 'king' is unknown"):
        world.database.write(lambda c: save_role(c, world.member.id, KING, actor=None, now=NOW))


def test_a_new_password_ends_sessions_and_a_newer_hash_does_not(world):
    number = world.member.id
    world.database.write(lambda c: save_session(c, number, "t", expires_at=later(days=1), now=NOW))
    world.database.write(lambda c: save_rehashed_password(c, number, "newer hash"))
    with world.database.read() as connection:
        assert load_session_person(connection, "t", NOW) == world.member
        assert load_password_hash(connection, number) == "newer hash"
    world.database.write(lambda c: save_password(c, number, "hash", actor=number, now=NOW))
    with world.database.read() as connection:
        assert load_session_person(connection, "t", NOW) is None
        actions = [entry.action for entry in load_audit(connection, thing="person", thing_id=number)]
        assert "hash" not in str(load_audit(connection))
    assert actions == ["create", "log in", "set password"]


def test_a_closed_account_has_no_way_in(world):
    number = world.member.id

    def fill(connection):
        save_session(connection, number, "t", expires_at=later(days=1), now=NOW)
        save_api_token(connection, number, "u", name="n", scopes=["read"], expires_at=later(days=1), now=NOW)

    world.database.write(fill)
    world.database.write(lambda c: save_disabled(c, number, actor=world.organiser.id, now=NOW))
    with world.database.read() as connection:
        assert load_session_person(connection, "t", NOW) is None
        assert load_api_token(connection, "u", NOW) is None
        assert load_person(connection, number).disabled_at == NOW
    with pytest.raises(NotFoundError):
        world.database.write(lambda c: save_disabled(c, 99, actor=None, now=NOW))


def test_a_role_can_change(world):
    world.database.write(lambda c: save_role(c, world.member.id, "assessor", actor=world.organiser.id, now=NOW))
    with world.database.read() as connection:
        assert load_person(connection, world.member.id).role == "assessor"
