"""What every page has to be: well-formed, labelled, closed to the outside, and without anything inline."""

from __future__ import annotations

import re
from collections import Counter

from tests.reports.page.parsed import Page

HANDLER = re.compile(r"^on[a-z]+$")
FIELDS = {"input", "select", "textarea", "progress"}


def checked(text: str) -> Page:
    """The page, taken apart; raises if it is not what a page has to be."""
    assert "<script>alert" not in text
    page = Page(text)
    assert [name for name, count in Counter(page.ids).items() if count > 1] == []
    assert page.addresses == []
    names = {name for _, attributes in page.elements for name in attributes}
    assert not any(HANDLER.match(name) for name in names), "handlers are in scripts of their own"
    assert "style" not in names
    assert page.all("style") == []
    assert all("src" in script for script in page.all("script"))
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    assert all(image.get("alt") is not None for image in page.all("img"))
    assert len(page.all("table")) == len(page.all("caption"))
    assert all("scope" in head for head in page.all("th"))
    for place, (tag, attributes) in enumerate(page.elements):
        if tag in FIELDS and attributes.get("type") != "hidden" and "aria-label" not in attributes:
            before = [one for one, _ in page.elements[max(0, place - 4) : place]]
            assert "label" in before, f"{tag} {attributes.get('name')} has no label"
    for attributes in page.all("form"):
        if attributes.get("method") == "post":
            assert attributes["action"].startswith("/")
    refs = [attributes["aria-labelledby"] for _, attributes in page.elements if attributes.get("aria-labelledby")]
    assert set(refs) <= set(page.ids)
    return page
