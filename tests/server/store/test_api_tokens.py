import pytest
from sqlalchemy import text

from runoff.errors import NotFoundError, UsageError
from runoff.server.store.access import (
    load_api_token,
    load_api_tokens,
    save_api_token,
    save_api_token_revoked,
    save_api_token_use,
)
from tests.server.store.world import NOW, later

TOMORROW = later(days=1)
TOKEN = "t"  # noqa: S105


def make(world, token=TOKEN, scopes=("submit", "read"), expires_at=TOMORROW):
    return world.database.write(
        lambda c: save_api_token(
            c, world.member.id, token, name="laptop", scopes=scopes, expires_at=expires_at, now=NOW
        )
    )


def test_a_token_works_until_it_is_revoked_or_too_old(world):
    made = make(world, expires_at=later(days=1))
    assert made.scopes == ["read", "submit"]
    with world.database.read() as connection:
        assert load_api_token(connection, "t", NOW) == made
        assert load_api_token(connection, "t", later(days=1)) is None
        assert load_api_token(connection, "u", NOW) is None
        assert connection.execute(text("SELECT token_hash FROM api_token")).scalar_one() != "t"
    world.database.write(lambda c: save_api_token_use(c, made.id, later(hours=1)))
    revoke = {"person_id": world.member.id, "actor": world.member.id, "now": NOW}
    world.database.write(lambda c: save_api_token_revoked(c, made.id, **revoke))
    with world.database.read() as connection:
        assert load_api_token(connection, "t", NOW) is None
        (listed,) = load_api_tokens(connection, world.member.id)
    assert (listed.last_used_at, listed.revoked_at) == (later(hours=1), NOW)
    with pytest.raises(NotFoundError, match="that could be revoked"):
        world.database.write(lambda c: save_api_token_revoked(c, made.id, **revoke))


def test_another_s_token_cannot_be_revoked(world):
    made = make(world)
    with pytest.raises(NotFoundError, match="has no API token"):
        world.database.write(
            lambda c: save_api_token_revoked(c, made.id, person_id=world.assessor.id, actor=None, now=NOW)
        )


@pytest.mark.parametrize("scopes", [[], ["read", "fly"]])
def test_scopes_are_known(world, scopes):
    with pytest.raises(UsageError, match="cannot be used; expected some of read, submit, judge, organise"):
        make(world, scopes=scopes)
