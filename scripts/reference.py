"""The reference pages of the documentation site, made from the program itself, so that they cannot be out of date.

`commands_page` is made from the click commands, `api_page` from `runoff.__all__`. The site's hooks call both.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import click

import runoff
from runoff.cli.main import VERBS
from runoff.cli.main import runoff as program

EVERYWHERE = ("--format", "--output", "--seed", "--quiet", "--help")
"""Options that stand at the end of every verb."""

GROUPS: tuple[tuple[str, str, Callable[[str, Any], bool]], ...] = (
    ("Errors", "The tree of exceptions: catch `RunoffError` for all of them.", lambda name, _: name.endswith("Error")),
    ("Results", "What functions return. All are frozen.", lambda name, _: name.endswith("Result")),
    (
        "Questions and policies",
        "Several options in one frozen value.",
        lambda name, _: name.endswith("CompareOptions") or name in {"Policy", "ReadOptions"},
    ),
    ("Tables", "Frozen values that files become.", lambda _, thing: inspect.isclass(thing)),
    (
        "ReadOptions",
        "Files, frames, dicts and tuples into tables.",
        lambda name, _: name.startswith(("read_", "as_", "parse_", "with_", "import_")),
    ),
    ("Verbs", "What the verbs of the command line do, as functions.", lambda *_: True),
)
"""Every public name belongs to the first group that takes it; the page shows the last group first."""


def commands_page() -> str:
    """Every verb with its usage, options and examples."""
    lines = [
        "# Commands and options",
        "",
        "What `runoff VERB --help` says, for every verb. [The command line](cli.md) explains them, with examples and",
        "their output.",
        "",
        "| verb | |",
        "|---|---|",
        *(f"| [`runoff {verb}`](#runoff-{verb}) | {_cell(job)} |" for verb, job in VERBS.items()),
        "",
    ]
    parent = click.Context(program, info_name="runoff", **program.context_settings)
    for verb in VERBS:
        command = program.get_command(parent, verb)
        if command is not None:
            lines += _verb(command, click.Context(command, info_name=verb, parent=parent))
    return "\n".join(lines)


def _verb(command: click.Command, context: click.Context) -> Iterator[str]:
    yield from (f"## {context.command_path}", "", inspect.cleandoc(command.help or ""), "")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield from ("```text", usage, "```", "", "| option | |", "|---|---|")
    records = [
        record for each in command.get_params(context) if (record := each.get_help_record(context)) and record[1]
    ]
    own = [record for record in records if not any(name in record[0] for name in EVERYWHERE)]
    for names, text in [*own, *(record for record in records if record not in own)]:
        yield _option(names, text)
    examples = inspect.cleandoc((command.epilog or "").replace("\b", "")).splitlines()[1:]
    if examples:
        yield from ("", "```sh", *inspect.cleandoc("\n".join(examples)).splitlines(), "```")
    yield ""


def _option(names: str, text: str) -> str:
    """A row for an option; its choices go where there is room for them."""
    choices = re.search(r" \[(\w+(?:\|\w+)+)\]", names)
    if choices:
        listed = ", ".join(f"`{choice}`" for choice in choices[1].split("|"))
        names, text = names.replace(choices[0], ""), f"{text} One of {listed}."
    return f"| `{_cell(names)}` | {_cell(text)} |"


def _cell(text: str) -> str:
    """Text for one cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def api_page() -> str:
    """Every public name with its signature and docstring."""
    members: dict[str, list[str]] = {title: [] for title, _, _ in GROUPS}
    for name in runoff.__all__:
        thing = getattr(runoff, name)
        members[next(title for title, _, takes in GROUPS if takes(name, thing))].append(name)
    lines = [
        "# Python",
        "",
        "Everything that `import runoff` offers. Names that are not here may change without notice. Every example is",
        "run by the tests.",
        "",
    ]
    for title, what, _ in reversed(GROUPS):
        lines += [f"## {title}", "", what, ""]
        for name in members[title]:
            lines += _entry(name, getattr(runoff, name))
    return "\n".join(lines)


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield from (f"### {name}", "", "```python", _signature(name, thing), "```", "", *_docstring(thing), "")
    if inspect.isclass(thing):
        rows = list(_members(thing))
        if rows:
            yield from ("| has | |", "|---|---|", *rows, "")


def _signature(name: str, thing: Any) -> str:
    """The call as one would write it, on one line if it fits."""
    if inspect.isclass(thing) and issubclass(thing, Exception) and "__init__" not in vars(thing):
        return f"{name}({thing.__bases__[0].__name__})"
    signature = inspect.signature(thing)
    parts, keyword_only = [], False
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        star = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        keyword_only = keyword_only or each.kind is each.VAR_POSITIONAL
        annotated = "" if each.annotation is each.empty else f": {_annotation(each.annotation)}"
        default = "" if each.default is each.empty else f" = {each.default!r}"
        parts.append(f"{star}{each.name}{annotated}{default}")
    ended = "" if inspect.isclass(thing) else f" -> {_annotation(signature.return_annotation)}"
    line = f"{name}({', '.join(parts)}){ended}"
    return line if len(line) <= 88 else "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){ended}"])


def _annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", repr(annotation))


def _docstring(thing: Any) -> Iterator[str]:
    """A docstring as Markdown: tables of arguments and examples become code blocks, prose stays prose."""
    for number, block in enumerate(re.split(r"\n\s*\n", inspect.getdoc(thing) or "")):
        lines = block.splitlines()
        is_example = block.lstrip().startswith(">>>")
        if number and (is_example or any(re.search(r"\S {2,}\S", line) for line in lines) or block.startswith(" ")):
            yield from ("```pycon" if is_example else "```text", inspect.cleandoc(block), "```", "")
        else:
            yield from (block, "")


def _members(thing: type) -> Iterator[str]:
    """Rows for the public methods and properties that a class documents; fields are in its docstring."""
    fields = {field.name for field in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
    for name in sorted(set(dir(thing)) - fields - set(dir(Exception))):
        member = inspect.getattr_static(thing, name)
        document = inspect.getdoc(member)
        if name.startswith("_") or not document:
            continue
        first = " ".join(re.split(r"\n\s*\n", document)[0].split())
        is_call = callable(member) or isinstance(member, classmethod | staticmethod)
        yield f"| `{name}{'()' if is_call else ''}` | {_cell(first)} |"
