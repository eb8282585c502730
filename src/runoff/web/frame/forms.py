"""Forms that people send: only those that this site gave them."""

from __future__ import annotations

import hmac

from runoff.errors import NotAllowedError
from runoff.web.visitors import Visitor


def check_csrf(visitor: Visitor, sent: str) -> None:
    """Raise `NotAllowedError` unless a form holds the token of the visitor's session: another site cannot know it."""
    if not visitor.csrf or not hmac.compare_digest(visitor.csrf.encode(), sent.encode()):
        raise NotAllowedError("the form is not of your session; load the page again and send it once more")
