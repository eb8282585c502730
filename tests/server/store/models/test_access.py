from runoff.server.store.models.accounts import API_TOKEN, ONE_TIME_LINK, SESSION
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW


def test_a_token_is_one_person_s_and_links_are_of_known_kinds(world):
    session = {"token_hash": "ab", "person_id": world.member.id, "created_at": NOW, "expires_at": NOW}
    taken(world.database, SESSION, session)
    refused(world.database, SESSION, session, "(?i)unique")
    token = {"token_hash": "ab", "person_id": 99, "name": "t", "scopes": ["read"], "created_at": NOW}
    refused(world.database, API_TOKEN, token, "(?i)foreign key")
    link = {"token_hash": "ab", "kind": "gift", "email": "a@b.c", "created_at": NOW, "expires_at": NOW}
    refused(world.database, ONE_TIME_LINK, link, "kind_known")
    refused(world.database, ONE_TIME_LINK, link | {"kind": "account", "role": "king"}, "role_known")
    taken(world.database, ONE_TIME_LINK, link | {"kind": "password"})
