"""Accessibility and overflow of the page that a browser shows."""

from __future__ import annotations

from typing import Any

_GRAVE = """async () => {
    const results = await axe.run({ resultTypes: ["violations"] });
    return results.violations
        .filter((rule) => ["serious", "critical"].includes(rule.impact))
        .map((rule) => [rule.id, rule.nodes[0].html]);
}"""
"""Only what is asked for comes back: all results of axe are 50 kB, and decoding them takes longer than many pages."""


def grave_faults(page: Any) -> list[list[str]]:
    """The rules of axe that a page breaks in a serious or critical way, each with the first element."""
    from axe_playwright_python.base import AXE_SCRIPT

    for attempt in range(5):
        try:
            if not page.evaluate("'axe' in window"):
                page.evaluate(AXE_SCRIPT)
            return list(page.evaluate(_GRAVE))
        except Exception as error:  # the page loads itself again while it waits for something
            if "Execution context was destroyed" not in str(error) or attempt == 4:
                raise
            page.wait_for_load_state()
    raise AssertionError


def overflow(page: Any) -> int:
    """How many pixels a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
