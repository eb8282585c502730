"""The page to return to after signing in: an address of this server, and nowhere else (no open redirect)."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

_OWN_PATH: Final = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,500}")


def own_path(text: str) -> str:
    """The text if it is a path of this server, else nothing: nobody is sent elsewhere.

    >>> own_path("/boards/passages/submit"), own_path("//example.org"), own_path("https://example.org")
    ('/boards/passages/submit', '', '')
    """
    return text if _OWN_PATH.fullmatch(text) else ""


def address_of_sign_in(to: str) -> str:
    """The page to sign in at, which leads to a path of this server afterwards."""
    return f"/sign-in?to={quote(to, safe='/')}" if own_path(to) else "/sign-in"
