from sqlalchemy import text

from runoff.server.store.access import (
    FailedLogins,
    load_failed_logins,
    load_session_person,
    save_forgotten,
    save_login_attempt,
    save_login_success,
    save_logout,
    save_session,
)
from tests.server.store.world import NOW, later


def test_a_session_lasts_until_it_expires_or_ends(world):
    world.database.write(lambda c: save_session(c, world.member.id, "token", expires_at=later(days=1), now=NOW))
    with world.database.read() as connection:
        assert load_session_person(connection, "token", later(hours=23)) == world.member
        assert load_session_person(connection, "token", later(days=1)) is None
        assert load_session_person(connection, "other", NOW) is None
        assert connection.execute(text("SELECT token_hash FROM session")).scalar_one() != "token"
    world.database.write(lambda c: save_logout(c, "token", NOW))
    world.database.write(lambda c: save_logout(c, "unknown", NOW))
    with world.database.read() as connection:
        assert load_session_person(connection, "token", NOW) is None


def test_failures_are_counted_by_address_of_mail_and_of_network(world):
    def fill(connection):
        for minute, email, address, succeeded in (
            (0, "ann@example.org", "10.0.0.1", False),
            (1, " Ann@Example.org", "10.0.0.2", False),
            (2, "ann@example.org", "10.0.0.1", True),
            (3, "bob@example.org", "10.0.0.1", False),
            (3, "x" * 999, "y" * 999, False),
        ):
            now = later(minutes=minute)
            attempt = save_login_attempt(connection, email=email, address=address, now=now)
            if succeeded:
                save_login_success(connection, attempt)

    world.database.write(fill)
    with world.database.read() as connection:
        found = [
            load_failed_logins(connection, email="ANN@example.org", address="10.0.0.1", since=later(minutes=start))
            for start in (-1, 0, 3)
        ]
        long = load_failed_logins(connection, email="x" * 999, address="y" * 999, since=NOW)
    assert found == [
        FailedLogins(for_email=2, from_address=2, for_both=1, is_usual_address=True),
        FailedLogins(for_email=1, from_address=1, for_both=0, is_usual_address=True),
        FailedLogins(for_email=0, from_address=0, for_both=0, is_usual_address=True),
    ]
    assert long == FailedLogins(for_email=1, from_address=1, for_both=1, is_usual_address=False)


def test_what_is_over_is_forgotten(world):
    def fill(connection):
        save_session(connection, world.member.id, "old", expires_at=later(days=1), now=NOW)
        save_session(connection, world.member.id, "new", expires_at=later(days=9), now=NOW)
        save_login_attempt(connection, email="a@b.c", address="x", now=NOW)

    world.database.write(fill)
    assert world.database.write(lambda c: save_forgotten(c, before=later(days=2))) == 2
    with world.database.read() as connection:
        assert load_session_person(connection, "new", later(days=2)) == world.member
