"""What a run says of itself: its ir_metadata, nested mappings, lists and plain values, and the fields in it.

The schema is that of Breuer, Keller & Schaer 2022, ir_metadata: An Extensible Metadata Schema for IR Experiments. DOI
10.1145/3477495.3531738.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

PLACEHOLDER: Final = "ENTER_VALUE_HERE"
"""What the forms of TIRA hold where nobody has written a value."""
DESCRIPTIONS: Final = ("research goal.description", "method.description", "description")
"""The fields that describe a run, the first that is there."""
PUBLIC_FIELDS: Final = ("tag", "actor.team", "actor.role", "research goal", "method", "implementation.source", "data")
"""What a server shows to everybody; the rest, such as names, addresses and commands, to those who have the file."""
_SEPARATORS: Final = re.compile(r"[\s_-]+")


def field_text(metadata: Mapping[str, Any], field: str) -> str:
    """The text of a field that has one value, named with dots; empty where it has none or none was written in.

    >>> field_text({"research_goal": {"description": "BM25"}, "tag": PLACEHOLDER}, "research goal.description")
    'BM25'
    """
    values = list(_values(metadata, field.split(".")))
    is_written = len(values) == 1 and not isinstance(values[0], (Mapping, list)) and _is_written(values[0])
    return plain_text(values[0]).strip() if is_written else ""


def description_of(metadata: Mapping[str, Any]) -> str:
    """What describes the run in a sentence or more."""
    return next(filter(None, (field_text(metadata, field) for field in DESCRIPTIONS)), "")


def missing_fields(metadata: Mapping[str, Any], required: Sequence[str]) -> tuple[str, ...]:
    """The fields, named with dots, that have no value; of a list it is enough that one of its entries has it.

    >>> missing_fields({"actor": {"team": "Trees"}, "method": {"retrieval": [{"name": "bm25"}]}},
    ...                ["actor.team", "method.retrieval.name", "implementation.source.repository"])
    ('implementation.source.repository',)
    """
    return tuple(field for field in required if not any(map(_is_written, _values(metadata, field.split(".")))))


def flat_fields(metadata: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Every field that has a value: its name with dots, and its value as text.

    >>> flat_fields({"tag": "a", "method": {"automatic": True, "retrieval": [{"name": "bm25"}, {"name": "t5"}]}})
    (('tag', 'a'), ('method.automatic', 'true'), ('method.retrieval.1.name', 'bm25'), ('method.retrieval.2.name', 't5'))
    """
    return tuple(_flat("", metadata))


def public_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The part that a server shows to everybody.

    >>> public_metadata({"actor": {"team": "Trees", "mail": "ann@example.org"}, "tag": "a"})
    {'actor': {'team': 'Trees'}, 'tag': 'a'}
    """
    return _chosen(metadata, [tuple(map(_spelling, field.split("."))) for field in PUBLIC_FIELDS])


def plain_text(value: object) -> str:
    """A single value as people write it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _spelling(key: str) -> str:
    return _SEPARATORS.sub(" ", key).strip().lower()


def _values(value: Any, parts: Sequence[str]) -> Iterator[Any]:
    """The values of a field; `research goal`, `research_goal` and `research-goal` are the same key."""
    if isinstance(value, list):
        for item in value:
            yield from _values(item, parts)
    elif not parts:
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if _spelling(key) == _spelling(parts[0]):
                yield from _values(inner, parts[1:])


def _is_written(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_is_written, value.values()))
    return plain_text(value).strip() not in ("", PLACEHOLDER)


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list) and not any(isinstance(item, (Mapping, list)) for item in value):
        value = ", ".join(map(plain_text, value))
    if isinstance(value, (Mapping, list)):
        items = value.items() if isinstance(value, Mapping) else enumerate(value, start=1)
        for key, inner in items:
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    elif _is_written(value):
        yield name, plain_text(value)


def _chosen(metadata: Mapping[str, Any], fields: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for key, value in metadata.items():
        below = [field[1:] for field in fields if field[0] == _spelling(key)]
        if () in below:
            chosen[key] = value
        elif below and isinstance(value, Mapping) and (inner := _chosen(value, below)):
            chosen[key] = inner
    return chosen
