"""Arguments of public functions and options, checked against their types: a wrong one is a UsageError.

The types that a type checker sees are the only list of what is allowed, so the two cannot differ. Wherever several
things may be given, a text is one of them and never a sequence of letters, and an iterator is read once, into a tuple.
"""

from __future__ import annotations

import difflib
import inspect
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, BinaryIO, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from runoff.errors import MeasureError, UsageError

Checked = TypeVar("Checked", bound=Callable[..., Any])

_TABLES: Final = "a file, a frame, a {{query: {{document: {0}}}}} dict, (query, document, {0}) tuples or a {1}"
_RUN: Final = _TABLES.format("score", "Run")
_MEASURE: Final = "a text such as 'nDCG@10', or a measure"
EXPECTED: Final = {
    **dict.fromkeys(("champion", "challenger", "one_pair"), f"a run: {_RUN}"),
    **dict.fromkeys(("runs", "challengers"), f"a run ({_RUN}), a list of runs, or a dict of runs by name"),
    "source": f"a run ({_RUN}), a list of runs, a dict of runs by name, or a board.toml",
    **dict.fromkeys(("qrels", "labels"), f"qrels: {_TABLES.format('grade', 'Qrels')}"),
    **dict.fromkeys(("measures", "measure", "text"), _MEASURE),
    "judgments": "files of judged pairs, or Preferences",
    "progress": "a function that is called with (done, total)",
    "engine": "an engine, such as a cluster",
}
"""What messages say of arguments that may be many things; of others, their types."""
SMALLEST: Final = {
    **dict.fromkeys(("judgments_per_pair", "max_bytes", "pairs_per_task", "part_rows", "splits", "trials"), 1),
    **dict.fromkeys(("at_once", "seed", "tests_per_task"), 0),
}
"""The smallest number that an argument of this name may be."""

LONGEST_VALUE: Final = 40
"""Characters of a value that a message repeats."""


def checks_arguments(target: Checked) -> Checked:
    """A function, or a class with fields, that refuses arguments that are not of their types.

    >>> @checks_arguments
    ... def first(queries: Sequence[str], *, depth: int = 10) -> str:
    ...     return f"{queries[0]} {depth}"
    >>> first("q1"), first(iter(["q2", "q3"]), depth=3)
    ('q1 10', 'q2 3')
    >>> first("q1", deep=3)
    Traceback (most recent call last):
    runoff.errors.UsageError: first has no argument 'deep'; expected some of queries, depth; did you mean depth?
    >>> first("q1", depth="3")
    Traceback (most recent call last):
    runoff.errors.UsageError: first: depth='3' cannot be used; expected a whole number; leave it out or change it
    """
    if isinstance(target, type):
        construct = target.__init__  # type: ignore[misc]
        target.__init__ = _checked(construct, target.__name__, target)  # type: ignore[misc]
        return target
    return _checked(target, target.__name__, target)  # type: ignore[return-value]


def _checked(function: Callable[..., Any], name: str, owner: object) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        signature = _signature(function)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            raise UsageError(_misfit(name, signature, args, kwargs)) from None
        types = _types(function, owner)
        for parameter, value in bound.arguments.items():
            allowed = types.get(parameter, Any)
            usable = _as_items(value, allowed)
            bound.arguments[parameter] = usable
            if not _fits(usable, allowed):
                kind = MeasureError if EXPECTED.get(parameter) == _MEASURE else UsageError
                raise kind(_refusal(name, parameter, usable, signature, bound.arguments, types))
            smallest = SMALLEST.get(parameter)
            if smallest is not None and isinstance(usable, Real) and usable < smallest:
                raise UsageError(
                    f"{name}: {parameter}={usable!r} cannot be used; expected {smallest} or more; "
                    "leave it out or change it"
                )
        return function(*bound.args, **bound.kwargs)

    return call


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


@cache
def _types(function: Callable[..., Any], owner: object) -> dict[str, Any]:
    """The types of the parameters; of a class, those of its fields, which its bases' modules may name."""
    hints: dict[str, Any] = {}
    for each in reversed(owner.__mro__) if isinstance(owner, type) else (function,):
        names = vars(sys.modules[each.__module__])
        for parameter, annotation in getattr(each, "__annotations__", {}).items():
            hints[parameter] = _resolved(annotation, names)
    return hints


def _resolved(annotation: object, names: dict[str, Any]) -> Any:
    """A type that is written as text; Any where a name in it is known to type checkers alone."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return get_type_hints(SimpleNamespace(__annotations__={"": annotation}), names)[""]
    except (NameError, TypeError):
        return Any


def _members(allowed: Any) -> tuple[Any, ...]:
    """The types of a union, those of its own unions among them."""
    if get_origin(allowed) in (Union, UnionType):
        return tuple(member for each in get_args(allowed) for member in _members(each))
    return (allowed,)


def _as_items(value: Any, allowed: Any) -> Any:
    """The value; where several may be given, one text becomes a tuple, and so do iterators, sets and columns."""
    members = _members(allowed)
    lists = [member for member in members if get_origin(member) in _LISTS]
    if not lists:
        return value
    if isinstance(value, str):
        return value if str in members or not _fits(value, get_args(lists[0])[0]) else (value,)
    is_column = getattr(value, "ndim", 0) == 1 and hasattr(value, "tolist")  # of numpy or pandas
    is_iterator = isinstance(value, Iterator) and not hasattr(value, "read")
    if is_column or is_iterator or isinstance(value, (set, frozenset, KeysView, ValuesView)):
        return tuple(value.tolist() if is_column else value)
    return value


_LISTS: Final = (Sequence, Iterable, tuple, list)


def _fits(value: Any, allowed: Any) -> bool:
    """Whether a value may be of a type; where it may be a table, the items of a list are not looked at."""
    members = _members(allowed)
    deep = not any(map(_is_protocol, members))
    return any(_fits_one(value, member, deep=deep) for member in members)


def _fits_one(value: Any, allowed: Any, *, deep: bool) -> bool:
    if allowed in (Any, object) or isinstance(allowed, (TypeVar, str)):
        return True
    origin = get_origin(allowed)
    if origin in _LISTS:
        return _fits_list(value, allowed, deep=deep)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(allowed)
    if allowed is None or isinstance(value, type):
        return value is None
    if _is_protocol(allowed):
        return _offers(value, allowed)
    kind = origin or allowed
    test = _TESTS.get(kind)
    return test(value) if test else isinstance(value, kind)


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral) and abs(int(value)) < 1 << 63


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and not math.isnan(value)


_TESTS: Final[dict[Any, Callable[[Any], bool]]] = {
    int: _is_whole,
    float: _is_number,
    BinaryIO: lambda value: hasattr(value, "read"),
    Callable: callable,
}
"""What is more than `isinstance`."""


def _fits_list(value: Any, allowed: Any, *, deep: bool) -> bool:
    if isinstance(value, (str, bytes, bytearray, Mapping, type)) or type(value).__module__.startswith("runoff."):
        return False
    items = get_args(allowed)
    if get_origin(allowed) is tuple and items[-1] is not Ellipsis:
        same = isinstance(value, (list, tuple)) and len(value) == len(items)
        return same and all(_fits(each, item) for each, item in zip(value, items, strict=True))
    if not deep or _holds_protocol(items[0]):
        return isinstance(value, Iterable) and not hasattr(value, "columns") and getattr(value, "ndim", 1) == 1
    return isinstance(value, (list, tuple)) and all(_fits(each, items[0]) for each in value)


def _is_protocol(allowed: Any) -> bool:
    return bool(getattr(allowed, "_is_protocol", False))


def _holds_protocol(allowed: Any) -> bool:
    return any(map(_is_protocol, _members(allowed)))


def _offers(value: Any, protocol: Any) -> bool:
    """Whether a value has all that a protocol asks for."""
    named = {**vars(protocol), **getattr(protocol, "__annotations__", {})}
    names = [name for name in named if not name.startswith("_") or name == "__getitem__"]
    return not type(value).__module__.startswith("runoff.tables") and all(hasattr(value, name) for name in names)


def _refusal(
    name: str,
    parameter: str,
    value: Any,
    signature: inspect.Signature,
    arguments: Mapping[str, Any],
    types: dict[str, Any],
) -> str:
    """What is wrong with an argument, what was expected and what to do."""
    allowed = types[parameter]
    text = shown(value)
    wrong = f"{parameter} is {text}" if text.startswith(("a ", "an ", "the ")) else f"{parameter}={text} cannot be used"
    expected = _expected(parameter, allowed)
    others = [
        other
        for other in signature.parameters
        if other != parameter and type(value).__module__.startswith("runoff.") and _fits(value, types.get(other))
    ]
    if (
        others
        and others[0] in arguments
        and type(arguments[others[0]]) is not type(value)
        and _fits(arguments[others[0]], allowed)
    ):
        fix = f"{parameter} and {others[0]} may be swapped: exchange them"
    elif others:
        fix = f"give it as {others[0]}"
    elif isinstance(value, os.PathLike) and parameter in ("queries", "ids"):
        fix = "read the file with runoff.read_query_list"
    else:
        optional = signature.parameters[parameter].default is not inspect.Parameter.empty
        fix = "leave it out or change it" if optional else "change it"
    return f"{name}: {wrong}; expected {expected}; {fix}"


_SYNONYMS: Final = {"metric": "measures", "metrics": "measures", "names": "measures"}  # words: as others call it
"""Arguments as other libraries call them."""


def _misfit(name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Why a call does not fit a signature at all."""
    parameters = {key: each for key, each in signature.parameters.items() if key != "self"}
    named, args = ", ".join(parameters), args[len(signature.parameters) - len(parameters) :]
    unknown = next((key for key in kwargs if key not in parameters), None)
    if unknown is not None:
        close = difflib.get_close_matches(unknown, parameters, n=1)
        near = close[0] if close else _SYNONYMS.get(unknown)
        fix = f"did you mean {near}?" if near in parameters else "leave it out"
        return f"{name} has no argument {unknown!r}; expected some of {named}; {fix}"
    by_place = [key for key, each in parameters.items() if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    if len(args) > len(by_place):
        first = shown(args[len(by_place)])
        allowed = ", ".join(by_place) or "none"
        others = [key for key in parameters if key not in by_place]
        called = "measures" if "measures" in others else "NAME"
        return f"{name}: {first} has no name; expected only {allowed} without one; write it as {called}={first}"
    twice = next((key for key in by_place[: len(args)] if key in kwargs), None)
    if twice is not None:
        return f"{name}: {twice} is given twice; expected it once; leave one out"
    required = [key for key, each in parameters.items() if each.default is inspect.Parameter.empty]
    missing = next(key for key in required if key not in kwargs and key not in by_place[: len(args)])
    return f"{name}: no {missing}; expected {', '.join(required)}; add {missing}"


def _expected(parameter: str, allowed: Any) -> str:
    """What an argument may be, in words."""
    members = [member for member in _members(allowed) if member not in (None, NoneType)]
    named = [str(value) for member in members if get_origin(member) is Literal for value in get_args(member)]
    words = [f"one of {', '.join(named)}"] if named else []
    words += [_in_words(member) for member in members if get_origin(member) is not Literal]
    if parameter in EXPECTED and not all(words):
        return EXPECTED[parameter]
    return " or ".join(dict.fromkeys(filter(None, words))) or "something else"


_WORDS: Final[dict[Any, str]] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    bytes: "bytes",
    BinaryIO: "an open binary file",
    os.PathLike: "a path",
    Path: "a path",
    Callable: "a function",
    Mapping: "a dict",
}
_PLURALS: Final[dict[Any, str]] = {int: "whole numbers", float: "numbers", str: "texts"}


def _in_words(allowed: Any) -> str:
    """A type in words; nothing for what has no short word."""
    kind = get_origin(allowed) or allowed
    if kind in _LISTS:
        items = get_args(allowed)
        if get_origin(items[0]) is tuple:
            return f"a list of tuples with {len(get_args(items[0]))} fields each"
        return f"a list of {_PLURALS[items[0]]}" if items[0] in _PLURALS else ""
    if kind in _WORDS:
        return _WORDS[kind]
    return "" if _is_protocol(kind) or not isinstance(kind, type) else f"a {kind.__name__}"


def shown(value: object) -> str:
    """A value in a message: itself if it is short and of one line, else its type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, (str, bytes, int, float, list, tuple, dict, set, NoneType)):
        text = repr(value)
        if len(text) <= LONGEST_VALUE:
            return text
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
