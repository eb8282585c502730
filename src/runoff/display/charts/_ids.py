"""The ids inside a drawing, the same whatever was drawn before, and no two drawings' alike."""

from __future__ import annotations

import hashlib
import re
from typing import Final

# Both only inside tags, and there only as what names or uses a part: a run may be called 'url(#gradient_0)'.
_TAG: Final = re.compile(r"<[^>]*>")
_ID: Final = re.compile(r'(?<=\s)(id="|(?:xlink:)?href="#|(?:fill|stroke|clip-path|mask|filter)="url\(#)([^")]+)')


def with_own_ids(svg: str, name: str) -> str:
    """A drawing whose ids are made from its own content.

    Vega numbers gradients and clips from the start of the program on, so that the same chart has other ids the second
    time. Here they are the name, a checksum of the drawing and a number, so that two drawings in one page share none.

    >>> with_own_ids('<svg><g id="clip7"/><g clip-path="url(#clip7)"/></svg>', "bars")
    '<svg><g id="bars-17771b17-0"/><g clip-path="url(#bars-17771b17-0)"/></svg>'
    """
    places: dict[str, int] = {}

    def numbered(start: str) -> str:
        def one(found: re.Match[str]) -> str:
            return f"{found[1]}{start}{places.setdefault(found[2], len(places))}"

        return _TAG.sub(lambda tag: _ID.sub(one, tag[0]), svg)

    plain = numbered("")
    return numbered(f"{name}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}-") if places else svg
