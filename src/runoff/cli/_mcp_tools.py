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
    named = {_key(parameter): parameter for parameter in command_of(name).params}
    return {key: parameter for key, parameter in named.items() if key not in LEFT_OUT}


def _key(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len).lstrip("-").replace("-", "_")


def input_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments, from the options of its command."""
    parameters = _parameters(name)
    return {
        "type": "object",
        "properties": {key: _property(parameter) for key, parameter in parameters.items()},
        "required": [key for key, parameter in parameters.items() if parameter.required],
        "additionalProperties": False,
    }


def _property(parameter: click.Parameter) -> dict[str, Any]:
    kind = _kind(parameter)
    if _is_list(parameter):
        kind = {"type": "array", "items": kind, **({"minItems": 1} if parameter.required else {})}
    if isinstance(parameter, click.Option):
        default = (
            {"default": parameter.default}
            if isinstance(parameter.default, str | int | float) and not parameter.is_flag
            else {}
        )
        return {**kind, **default, "description": parameter.help or ""}
    about = "Paths." if _is_list(parameter) else "A path." if _key(parameter) in _FILES else "Such as nDCG@10."
    return {**kind, "description": about}


def _kind(parameter: click.Parameter) -> dict[str, Any]:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return {"type": "boolean"}
    if isinstance(parameter.type, click.Choice):
        return {"type": "string", "enum": list(parameter.type.choices)}
    if isinstance(parameter.type, click.IntRange | click.FloatRange):
        limits = {
            ("exclusiveMinimum" if parameter.type.min_open else "minimum"): parameter.type.min,
            ("exclusiveMaximum" if parameter.type.max_open else "maximum"): parameter.type.max,
        }
        kind = "integer" if isinstance(parameter.type, click.IntRange) else "number"
        return {"type": kind, **{key: value for key, value in limits.items() if value is not None}}
    return {"type": "string"}


def _is_list(parameter: click.Parameter) -> bool:
    return parameter.nargs == -1 or parameter.multiple


def words(name: str, arguments: Mapping[str, Any], roots: Sequence[Path]) -> list[str]:
    """What a person would type after `runoff`; paths are refused that are not in the folders of `roots`."""
    parameters = _parameters(name)
    unknown = sorted(set(arguments) - set(parameters))
    if unknown:
        raise UsageError(f"{name} has no argument '{unknown[0]}'; expected {', '.join(parameters)}; choose among these")
    options, files = [], []
    for key, parameter in parameters.items():
        if arguments.get(key) is None:
            continue
        for value in _values(f"{name}: {key}", parameter, arguments[key]):
            if key in _FILES:
                _check_file(value, roots)
            if isinstance(parameter, click.Argument):
                files.append(value)
            else:
                option = max(parameter.opts, key=len)
                options.append(option if parameter.is_flag else f"{option}={value}")  # type: ignore[attr-defined]
    return [name, *options, "--format=json", *(["--"] if files else []), *files]


def _values(where: str, parameter: click.Parameter, value: Any) -> Iterator[str]:
    """The values of an argument as words; of a flag, one word if it is set."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"{where} is {value!r}; expected true or false; give one of these")
        yield from ["yes"] if value else []
        return
    if _is_list(parameter) != isinstance(value, list):
        raise UsageError(
            f"{where} is {value!r}; expected {'a list' if _is_list(parameter) else 'one value'}; give that"
        )
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
