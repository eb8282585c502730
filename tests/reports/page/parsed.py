"""A page taken apart by the standard parser."""

from __future__ import annotations

import re
from html.parser import HTMLParser

ADDRESS = re.compile(r"(?:https?:)?//[\w.]|\burl\((?!#)|@import", re.IGNORECASE)
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
TEXTS = {"aria-label", "data-v"}
"""Attributes that hold what people wrote, and that no browser follows."""
EMPTY = {"meta", "link", "input", "br", "img", "source"}


class Page(HTMLParser):
    """Elements with their attributes, texts of scripts and styles, and whether tags are nested properly."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {}
        self.path: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.path == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.path.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.path.pop() == tag

    def handle_data(self, data):
        self.inside.setdefault(self.path[-1] if self.path else "", []).append(data)
        self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self):
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    @property
    def addresses(self):
        """Attributes, styles and scripts that lead outside; the name of SVG is none."""
        values = [
            value
            for _, attributes in self.elements
            for name, value in attributes.items()
            if value != SVG_NAMESPACE and name not in TEXTS
        ]
        texts = [text for tag in ("style", "script") for text in self.inside.get(tag, [])]
        return [value for value in [*values, *texts] if value and ADDRESS.search(value)]
