import pytest

from runoff.errors import UsageError
from runoff.server.store.names import clean_email, clean_name, clean_slug


@pytest.mark.parametrize(
    "email", ["ann", "ann@example", "a b@example.org", "@example.org", "a" * 250 + "@b.org", "a\x00@b.org"]
)
def test_what_is_no_address_is_refused(email):
    with pytest.raises(UsageError, match="is not an email address; expected one such as"):
        clean_email(email)


@pytest.mark.parametrize("slug", ["", "-a", "a-", "A", "a b", "a/b", "..", "é", "a" * 61, "a\n"])
def test_what_cannot_stand_in_an_address_is_refused(slug):
    with pytest.raises(UsageError, match="cannot be part of an address"):
        clean_slug(slug)


@pytest.mark.parametrize("slug", ["a", "0", "ms-marco", "a" * 60])
def test_what_can_is_taken_as_it_is(slug):
    assert clean_slug(slug) == slug


@pytest.mark.parametrize("name", ["", "   ", "a\x07b", "x" * 101, "a\u202eb"])
def test_what_cannot_be_a_name_is_refused(name):
    with pytest.raises(UsageError, match="cannot be a name"):
        clean_name(name)


def test_names_are_on_one_line():
    assert clean_name("  Ünïcode \n team ") == "Ünïcode team"
