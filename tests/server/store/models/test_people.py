from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import insert, select

from runoff.errors import UsageError
from runoff.server.store.models.accounts import PERSON, TEAM_MEMBER
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW

ROW = {"email": "ann@example.org", "display_name": "Ann", "role": "member", "created_at": NOW}


def test_roles_and_addresses_are_kept_right(database):
    number = taken(database, PERSON, ROW)
    refused(database, PERSON, ROW, "(?i)unique")
    refused(database, PERSON, ROW | {"email": "b@example.org", "role": "king"}, "ck_person_role_known|role_known")
    refused(database, TEAM_MEMBER, {"team_id": 99, "person_id": number, "joined_at": NOW}, "(?i)foreign key")


def test_times_come_back_in_utc_whatever_zone_they_were_given_in(database):
    zone = timezone(timedelta(hours=5, minutes=30))
    moment = datetime(2026, 1, 1, 3, 0, 0, 123456, tzinfo=zone)
    taken(database, PERSON, ROW | {"created_at": moment})
    with database.read() as connection:
        found = connection.execute(select(PERSON.c.created_at)).scalar_one()
        assert found == moment
        assert found.tzinfo is UTC
        assert connection.execute(select(PERSON.c.id).where(PERSON.c.created_at == moment)).all()
        assert not connection.execute(select(PERSON.c.id).where(PERSON.c.created_at < moment)).all()


def test_a_time_without_a_zone_is_refused(database):
    naive = datetime(2026, 1, 1)  # noqa: DTZ001
    with pytest.raises(UsageError, match="2026-01-01 00:00:00 has no time zone; expected an aware time"):
        database.write(lambda connection: connection.execute(insert(PERSON).values(**ROW | {"created_at": naive})))
