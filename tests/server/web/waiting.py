"""Waiting in a browser for something that a page computes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

SECONDS: Final = 30


def wait_until(page: Page, expression: str, arg: Any = None) -> None:
    """Ask the page again and again until a JavaScript expression, or a function of `arg`, is true.

    Playwright's own `wait_for_function` asks from inside the page, where the content security policy forbids it unless
    the answer is yes at once.
    """
    until = time.monotonic() + SECONDS
    while not page.evaluate(expression, arg):
        if time.monotonic() > until:
            raise AssertionError(f"not so within {SECONDS} s: {expression}")
        page.wait_for_timeout(50)
