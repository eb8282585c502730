"""Shapes of JSON, and the JSON Schema of each: written as Python types, and taken from classes where keys are theirs.

>>> schema_of(keys(run=str, ranks=tuple[int, ...], p=maybe(float)))["required"]
['run', 'ranks', 'p']
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal, get_args, get_origin

from runoff.display.rows import key_names

Shape = Any
"""A type, `Keys`, or one of these in a `Listed`, `Named` or `Either`."""
Schema = dict[str, Any]


@dataclass(frozen=True)
class Keys:
    """An object: a shape per key, and the keys that may be absent."""

    shapes: Mapping[str, Shape]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Listed:
    """A list of things of one shape."""

    shape: Shape


@dataclass(frozen=True)
class Named:
    """An object whose keys are names that a user or a measure has."""

    shape: Shape


@dataclass(frozen=True)
class Either:
    """One of several shapes."""

    shapes: tuple[Shape, ...]


def keys(*parts: Keys, **own: Shape) -> Keys:
    """An object with the keys of all parts, and its own; a later one replaces an earlier one of its name."""
    shapes: dict[str, Shape] = {}
    optional: set[str] = set()
    for part in (*parts, Keys(own)):
        optional -= set(part.shapes)
        optional |= part.optional
        shapes |= part.shapes
    return Keys(shapes, frozenset(optional))


def optional(*parts: Keys, **own: Shape) -> Keys:
    """Keys that are absent where there is nothing to say."""
    shapes = keys(*parts, **own).shapes
    return Keys(shapes, frozenset(shapes))


def maybe(shape: Shape) -> Either:
    """A shape, or null."""
    return Either((shape, None))


def of(kind: type, *names: str, without: Collection[str] = (), **renamed: str) -> Keys:
    """The keys that `row_dict` makes of a class: some attributes, or all fields that are keys.

    renamed  keys that have another name than the attribute
    """
    if not names and not renamed:
        names = tuple(name for name in key_names(kind) if name not in without)
    pairs = [*((name, name) for name in names), *renamed.items()]
    return Keys({key: _annotation(kind, name) for key, name in pairs})


def _annotation(kind: type, name: str) -> Shape:
    """What an attribute, property or method of a class is said to be."""
    for base in kind.__mro__:
        member = vars(base).get(name)
        function = member.func if isinstance(member, cached_property) else getattr(member, "fget", member)
        if isinstance(function, types.FunctionType):
            return typing.get_type_hints(function, _namespace(base))["return"]
        written = vars(base).get("__annotations__", {}).get(name)
        if written is not None:
            return eval(written, _namespace(base)) if isinstance(written, str) else written  # noqa: S307  # our source
    raise AttributeError(f"{kind.__name__} has no attribute {name!r}")


def _namespace(kind: type) -> dict[str, Any]:
    return {**vars(typing), **vars(sys.modules[kind.__module__])}


def schema_of(shape: Shape, names: Mapping[int, str] | None = None, defined: Schema | None = None) -> Schema:
    """The JSON Schema of a shape; a number may be null, because what is undefined is null.

    names    by the identity of a shape, the name under which it is defined once; inside the shape, it is a reference
    defined  gets these definitions
    """
    return _Writer(names or {}, {} if defined is None else defined).of(shape)


@dataclass(frozen=True)
class _Writer:
    names: Mapping[int, str]
    defined: Schema

    def of(self, shape: Shape) -> Schema:
        if isinstance(shape, Keys):
            return {
                "type": "object",
                "properties": {key: self.inside(part, key) for key, part in shape.shapes.items()},
                "required": [key for key in shape.shapes if key not in shape.optional],
                "additionalProperties": False,
            }
        if isinstance(shape, Listed):
            return {"type": "array", "items": self.inside(shape.shape)}
        if isinstance(shape, Named):
            return {"type": "object", "additionalProperties": self.inside(shape.shape)}
        if isinstance(shape, Either):
            return _either([self.inside(part) for part in shape.shapes])
        return self.of_type(shape)

    def inside(self, shape: Shape, key: str = "") -> Schema:
        """The schema of a part of another: a reference where it has a name."""
        name = self.names.get(id(shape))
        if name is None:
            try:
                return self.of(shape)
            except TypeError as error:
                raise TypeError(f"{key}: {error}" if key else str(error)) from None
        if name not in self.defined:
            self.defined[name] = {}  # its place, before those of its parts
            self.defined[name] = self.of(shape)
        return {"$ref": f"#/$defs/{name}"}

    def of_type(self, kind: Any) -> Schema:  # noqa: PLR0911  # a form per kind of type
        origin, arguments = get_origin(kind), get_args(kind)
        if kind in _SIMPLE:
            return dict(_SIMPLE[kind])
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin in {typing.Union, types.UnionType}:
            return _either([self.of(part) for part in arguments])
        if origin is tuple and arguments[-1] is not Ellipsis:
            ends = [self.of(part) for part in arguments]
            return {"type": "array", "prefixItems": ends, "items": False, "minItems": len(ends)}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(arguments[0])}
        if is_dataclass(kind) and isinstance(kind, type):
            return self.of(of(kind))
        raise TypeError(f"no JSON is known for {kind!r}; give the key a shape of its own")


_SIMPLE: dict[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"]},
    date: {"type": "string", "format": "date"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    Any: {},
}


def _either(schemas: list[Schema]) -> Schema:
    """One of several schemas; plain types in one list."""
    if all(set(schema) == {"type"} for schema in schemas):
        names = [name for schema in schemas for name in _names(schema["type"])]
        unique = list(dict.fromkeys(names))
        return {"type": unique if len(unique) > 1 else unique[0]}
    return {"anyOf": schemas}


def _names(kind: str | list[str]) -> list[str]:
    return [kind] if isinstance(kind, str) else kind
