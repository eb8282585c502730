"""Commands as tools of the Model Context Protocol: their options as a JSON Schema, and arguments as words to type."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from runoff.cli._guarded import check_path
from runoff.errors import UsageError
from runoff.verbs.schema import schema

TOOLS: Final = ("evaluate", "compare", "board", "ipso", "reliability", "check", "scale")
"""The commands that only read."""
LEFT_OUT: Final = frozenset(
    {"at_once", "chart", "cluster", "cluster_tls", "exit_code", "figure", "format", "import", "max_bytes", "output"}
    | {"part_rows", "quiet", "resume"}
)
"""Options that write, that reach other machines, or that the server decides."""
_FILES: Final = frozenset({"baseline", "challengers", "champion", "judgments", "qrels", "queries", "runs", "scores"})
_NETWORK: Final = ("irds:", "http:", "https:", "s3:")


def tools() -> list[dict[str, Any]]:
    """What `tools/list` answers."""
    return [
        {
            "name": name,
            "title": f"runoff {name}",
            "description": inspect.cleandoc(command_of(name).help or ""),
            "inputSchema": input_schema(name),
            "outputSchema": schema(name),
            "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
        }
        for name in TOOLS
    ]


def command_of(name: str) -> click.Command:
    """The command of a tool."""
    command: click.Command = getattr(importlib.import_module(f"runoff.cli.{name}"), name)
    return command


def _parameters(name: str) -> dict[str, click.Parameter]:
    """By the key that an agent writes, what the command takes."""
    named = {max(one.opts, key=len).lstrip("-").replace("-", "_"): one for one in command_of(name).params}
    return {key: one for key, one in named.items() if key not in LEFT_OUT}


def input_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments, from the options of its command."""
    parameters = _parameters(name)
    return {
        "type": "object",
        "properties": {key: _property(one) for key, one in parameters.items()},
        "required": [key for key, one in parameters.items() if one.required],
        "additionalProperties": False,
    }


def _property(one: click.Parameter) -> dict[str, Any]:
    kind = _kind(one)
    if _is_list(one):
        kind = {"type": "array", "items": kind, **({"minItems": 1} if one.required else {})}
    if isinstance(one, click.Option):
        default = {"default": one.default} if isinstance(one.default, str | int | float) and not one.is_flag else {}
        return {**kind, **default, "description": one.help or ""}
    return {**kind, "description": f"{one.make_metavar(click.Context(click.Command('')))}: a path"}


def _kind(one: click.Parameter) -> dict[str, Any]:
    if isinstance(one, click.Option) and one.is_flag:
        return {"type": "boolean"}
    if isinstance(one.type, click.Choice):
        return {"type": "string", "enum": list(one.type.choices)}
    if isinstance(one.type, click.IntRange | click.FloatRange):
        limits = {
            ("exclusiveMinimum" if one.type.min_open else "minimum"): one.type.min,
            ("exclusiveMaximum" if one.type.max_open else "maximum"): one.type.max,
        }
        kind = "integer" if isinstance(one.type, click.IntRange) else "number"
        return {"type": kind, **{key: value for key, value in limits.items() if value is not None}}
    return {"type": "string"}


def _is_list(one: click.Parameter) -> bool:
    return one.nargs == -1 or one.multiple


def words(name: str, arguments: Mapping[str, Any], roots: Sequence[Path]) -> list[str]:
    """What a person would type after `runoff`; paths are refused that are not in the folders of `roots`."""
    parameters = _parameters(name)
    unknown = sorted(set(arguments) - set(parameters))
    if unknown:
        raise UsageError(f"{name} has no argument '{unknown[0]}'; expected {', '.join(parameters)}; choose among these")
    options, files = [], []
    for key, one in parameters.items():
        if arguments.get(key) is None:
            continue
        for value in _values(f"{name}: {key}", one, arguments[key]):
            if key in _FILES:
                _check_file(value, roots)
            if isinstance(one, click.Argument):
                files.append(value)
            else:
                option = max(one.opts, key=len)
                options.append(option if one.is_flag else f"{option}={value}")  # type: ignore[attr-defined]
    return [name, *options, "--format=json", *(["--"] if files else []), *files]


def _values(where: str, one: click.Parameter, value: Any) -> Iterator[str]:
    """The values of an argument as words; of a flag, one word if it is set."""
    if isinstance(one, click.Option) and one.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"{where} is {value!r}; expected true or false; give one of these")
        yield from ["yes"] if value else []
        return
    if _is_list(one) != isinstance(value, list):
        raise UsageError(f"{where} is {value!r}; expected {'a list' if _is_list(one) else 'one value'}; give that")
    for part in value if isinstance(value, list) else [value]:
        is_number = isinstance(part, int | float) and not isinstance(part, bool)
        if not isinstance(part, str) and not is_number:
            raise UsageError(f"{where} is {part!r}; expected text or a number; give that")
        if "\0" in str(part):
            raise UsageError(f"{where} holds a zero byte; expected text; leave it out")
        yield str(part)


def _check_file(path: str, roots: Sequence[Path]) -> None:
    if path.startswith(_NETWORK):
        raise UsageError(f"{path}: nothing is fetched here; expected a path in {', '.join(map(str, roots))}; name one")
    if path == "-":
        raise UsageError("-: standard input is the client's; expected a path; name a file")
    check_path(str(roots[0] / path), roots)
