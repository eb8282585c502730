"""Where somebody goes on after signing in."""

from __future__ import annotations

import pytest

from runoff.server.web.own_paths import address_of_sign_in, own_path


@pytest.mark.parametrize("path", ["/", "/account", "/boards/b/compare?champion=1&challenger=2", "/links/a-b_c"])
def test_pages_of_this_server(path):
    assert own_path(path) == path
    assert address_of_sign_in(path).startswith("/sign-in?to=/")


@pytest.mark.parametrize("text", ["", "//example.org", "/\\example.org", "https://example.org", "a", "/a\r\nb", "/é"])
def test_nothing_else(text):
    assert own_path(text) == ""
    assert address_of_sign_in(text) == "/sign-in"
