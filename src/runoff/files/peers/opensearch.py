"""Judgments of OpenSearch's Search Relevance Workbench: ratings by query under `judgmentRatings`.

https://docs.opensearch.org/latest/search-plugins/search-relevance/judgments/
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.column_names import Kind, NumberColumn
from runoff.files.peers._base import PeerFormat
from runoff.files.peers.json_text import JsonText, Members
from runoff.files.problems import Problems, quoted
from runoff.files.streams import Source
from runoff.files.tabular import Block, shown

_RATINGS: Final = "judgmentRatings"
_FITS: Final = re.compile(rb'\s*\{.*"judgmentRatings"\s*:', re.DOTALL)
_EXPECTED: Final = 'expected {"query": "red dress", "ratings": [{"docId": "d1", "rating": "3.0"}]}; write it again'


def _fits(head: bytes) -> bool:
    return _FITS.match(head) is not None


def _blocks(source: Source, kind: Kind, max_bytes: int, problems: Problems) -> Iterator[Block]:
    text = JsonText.of(source, max_bytes)
    if kind == "run":
        raise InputError(
            [f"{text.where}: judgments of OpenSearch; this looks like a qrels file; expected a run; check the path"]
        )
    document = text.value()
    if text.skip_space():
        raise text.fault("more behind the object")
    ratings = _found(document)
    queries: list[Any] = []
    docs: list[Any] = []
    numbers: list[Any] = []

    def note(sentence: str) -> None:
        # Finding a line is slow, and only the first ones are shown.
        problems.add(_line(text, docs) if problems.total < problems.most else text.line(len(text.text)), sentence)

    for query, rated in _by_query(ratings):
        if not isinstance(query, str) or not isinstance(rated, list) or isinstance(rated, Members):
            note(f"query {quoted(shown(query))} has no list of ratings; {_EXPECTED}")
            continue
        for rating in rated:
            doc = rating.get("docId") if isinstance(rating, Members) else None
            if doc is None:
                note(f"query {quoted(query)} has the rating {quoted(shown(rating))}; {_EXPECTED}")
                continue
            queries.append(query)
            docs.append(doc)
            numbers.append(_number(rating.get("rating")))
    yield Block(
        queries=queries,
        docs=docs,
        numbers=numbers,
        column=NumberColumn("rating", "grade"),
        line_of=lambda row: _line(text, docs[: row + 1]),
    )


def _line(text: JsonText, docs: list[Any]) -> int:
    """The line of the last of some documents."""
    place = max(text.text.find(f'"{_RATINGS}"'), 0)
    for doc in docs:
        place = max(place, text.text.find(json.dumps(doc), place + 1))
    return text.line(place)


def _number(rating: Any) -> Any:
    """OpenSearch writes its ratings as text."""
    return rating if isinstance(rating, str) else "" if rating is None else repr(rating)


def _found(document: Any) -> Any:
    """The ratings of a request, or of an answer, which puts the request under `_source`."""
    while isinstance(document, (Members, list)):
        if isinstance(document, Members):
            ratings = document.get(_RATINGS)
            if ratings is not None:
                return ratings
            document = next(
                (document.get(name) for name in ("hits", "_source") if document.get(name) is not None), None
            )
        else:
            document = document[0] if document else None
    return None


def _by_query(ratings: Any) -> Iterator[tuple[Any, Any]]:
    """Queries and their ratings: a list of objects, or an object by query."""
    if isinstance(ratings, Members):
        yield from ratings
    elif isinstance(ratings, list):
        for entry in ratings:
            yield (entry.get("query"), entry.get("ratings")) if isinstance(entry, Members) else (entry, None)


OPENSEARCH: Final = PeerFormat(name="OpenSearch judgments", fits=_fits, blocks=_blocks)
