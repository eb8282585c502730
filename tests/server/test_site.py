"""Settings of a server, and what it keeps in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from runoff.errors import InputError, UsageError
from runoff.server.site import SiteSettings, open_site, read_site_settings


def test_options_overrule_the_environment_and_that_the_file(tmp_path):
    file = tmp_path / "runoff.toml"
    file.write_text('title = "file"\nbase_url = "https://a.org/"\nsession_hours = 3\nfolder = "x"\n')
    found = read_site_settings(
        file,
        environment={"RUNOFF_TITLE": "env", "RUNOFF_LINK_HOURS": "7", "OTHER": "1"},
        options={"title": "o", "folder": None},
    )
    assert (found.title, found.link_hours, found.session_hours, found.folder) == ("o", 7, 3, Path("x"))
    assert (found.base_url, found.secure_cookies) == ("https://a.org", True)
    assert not SiteSettings().secure_cookies


@pytest.mark.parametrize("text, message", [("titel = 1", "unknown key 'titel'"), ("title =", "fix the file")])
def test_bad_files(tmp_path, text, message):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        read_site_settings(tmp_path / "a.toml")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"session_hours": "x"}, "whole number"),
        ({"upload_limit": 0}, "1 or more"),
        ({"base_url": "ftp://x"}, "address"),
        ({"mail": "smtp://ann:s3cr@mail.example.org"}, "mail_from is not"),
        ({"mail": "s3cr", "mail_from": "a@b.org"}, "setting mail cannot be used"),
        ({"mail_from": "x"}, "expected one address"),
        ({"cluster": "tcp://10.0.0.1:8786"}, "is not encrypted"),
        ({"trusted_proxies": "*"}, "not an address or a network"),
        ({"trusted_proxies": "10.0.0.1, proxy.example.org"}, "'proxy.example.org' is not an address"),
        ({"trusted_proxies": "10.0.0.0/8, 0.0.0.0/0"}, "'0.0.0.0/0' is every address"),
    ],
)
def test_bad_values(options, message):
    with pytest.raises(UsageError, match=message) as caught:
        read_site_settings(options=options)
    assert "s3cr" not in str(caught.value)


def test_mail_is_off_until_it_is_set_and_its_password_is_shown_nowhere(tmp_path):
    assert SiteSettings().mailing is None
    file = tmp_path / "runoff.toml"
    file.write_text('mail_from = "Trees <runoff@example.org>"\n')
    found = read_site_settings(file, environment={"RUNOFF_MAIL": "smtp://ann:s3cr@mail.example.org"})
    assert found.mailing is not None
    assert (found.mailing.server.password, found.mailing.sender.address) == ("s3cr", "runoff@example.org")
    assert "s3cr" not in f"{found} {found.mailing}"


def test_opening_makes_the_tables_and_answers_are_made_once(tmp_path):
    site = open_site(SiteSettings(database=f"sqlite:///{tmp_path / 'a.db'}", folder=tmp_path / "files"))
    made = [site.views.answers("board", lambda: bytes(1000)) for _ in range(2)]
    assert made[0] is made[1]
    assert site.now().tzinfo is not None
    site.close()
