"""Style, scripts and icon."""

from __future__ import annotations

import pytest

from runoff.errors import NotFoundError
from runoff.server.web.frame.assets import address_of, asset_of, assets


def test_an_address_names_the_content():
    addresses = [asset.address for asset in assets().values()]
    assert len(set(addresses)) == len(addresses)
    assert address_of("style.css") == assets()["style.css"].address
    with pytest.raises(NotFoundError, match="expected one of"):
        asset_of("passwords.txt")


def test_nothing_is_loaded_from_elsewhere():
    for asset in assets().values():
        text = asset.content.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text
        assert "https:" not in text
        assert "@import" not in text
        assert "eval(" not in text
