"""The reference pages of commands and of Python, made from the program itself.

`commands_page` is made from the click commands, and the table of settings in files.md from their declarations. Both are
committed, so that they can be read anywhere; `python -m scripts.reference` and `make golden` write them, and tests fail
if they are out of date. `python_page` is made from the public names of `runoff` by every build of the site.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

import runoff
from runoff.cli.main import VERBS
from runoff.cli.main import runoff as program
from runoff.tables.settings import settings_table

COMMANDS = Path(__file__).resolve().parent.parent / "docs" / "reference" / "commands.md"
FILES = COMMANDS.with_name("files.md")

EVERYWHERE = ("--format", "--output", "--seed", "--quiet", "--help")
"""Options that come last in the table of every command."""

ALIASES = {
    "QrelsSource": "Qrels | path | bytes | open file | frame | {query: {document: grade}} | (query, document, grade)s",
    "RunSource": "Run | path | bytes | open file | frame | {query: {document: score}} | (query, document, score)s",
}
"""What these types are, in short."""
READERS = ("read_", "parse_")

GROUPS: tuple[tuple[str, str, Callable[[str, Any], bool]], ...] = (
    ("Errors", "Catch `RunoffError` for all of them.", lambda name, _: name.endswith("Error")),
    (
        "Options",
        "Several options in one frozen value.",
        lambda name, _: name.endswith("Options") or name == "Policy",
    ),
    ("What runs and qrels may be", "Types of arguments.", lambda name, _: name.endswith("Source")),
    ("Tables", "Frozen values that files become.", lambda _, thing: inspect.isclass(thing)),
    ("Reading", "Files, frames, dicts and tuples into tables.", lambda name, _: name.startswith(READERS)),
    ("Verbs", "What the commands do, as functions.", lambda _, thing: callable(thing)),
    ("Other names", "", lambda *_: True),
)
"""Every public name belongs to the first group that takes it; the page shows the last group first."""

BEGINNING = """\
# Commands and options

What `runoff COMMAND --help` prints, for every command. Written by `scripts/reference.py`.

## For all commands

- `--format table|json|csv|latex|html|markdown` says how a result is written ([output](output.md)), and `--output FILE`
  where: the file appears, or changes, only when the result is complete. `-` is the screen.
- `--seed N` is for everything random, 0 by default: the same seed gives the same result on any machine.
- `--figure FILE` draws the result as SVG, PNG or PDF beside what is printed, and `--chart NAME` chooses among its
  [charts](output.md#charts). `--quiet` shows no progress bar.
- Results go to standard output, everything else to standard error. Output is UTF-8; tables are as wide as the
  terminal, 100 characters elsewhere; `NO_COLOR` switches colours off.
- Exit status 0: done. 1: the answer is "no", where a command asks a question and `--exit-code` was given. 2: bad input
  or usage; the reason is on standard error, and no output file is written. 130: interrupted.
- An error reads `file:line: what is wrong; what was expected; what to do`. All [faults](files.md#faults) of a file come
  in one report, the first 20 of them shown.
"""


def commands_page() -> str:
    """Every command with its usage, options and examples."""
    lines = [
        BEGINNING,
        "| command | |",
        "|---|---|",
        *(f"| [`runoff {verb}`](#runoff-{verb}) | {_cell(job)} |" for verb, job in VERBS.items()),
        "",
    ]
    parent = click.Context(program, info_name="runoff", **program.context_settings)
    for verb in VERBS:
        command = program.get_command(parent, verb)
        if command is not None:
            context = click.Context(command, info_name=verb, parent=parent)
            lines += _command(command, context)
            if isinstance(command, click.Group):
                for name, job in command.commands.items():
                    lines += _command(job, click.Context(job, info_name=name, parent=context), heading="###")
    return "\n".join(lines).rstrip() + "\n"


def _command(command: click.Command, context: click.Context, heading: str = "##") -> Iterator[str]:
    yield from (f"{heading} {context.command_path}", "", inspect.cleandoc(command.help or ""), "")
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


def python_page() -> str:
    """Every public name with its signature and docstring."""
    members: dict[str, list[str]] = {title: [] for title, _, _ in GROUPS}
    for name in runoff.__all__:
        thing = getattr(runoff, name)
        members[next(title for title, _, takes in GROUPS if takes(name, thing))].append(name)
    lines = [
        "# Python",
        "",
        "Everything that `import runoff` offers. Results are in `runoff.results`; further options and functions of a",
        "verb are in `runoff.verbs.<verb>`. Every example is run by the tests.",
        "",
    ]
    for title, about, _ in reversed(GROUPS):
        if members[title]:
            lines += [f"## {title}", "", about, ""]
            for name in members[title]:
                lines += _entry(name, getattr(runoff, name))
    return "\n".join(lines).rstrip() + "\n"


def with_settings(page: str) -> str:
    """The page of files with its table of settings as they are declared now."""
    table = settings_table()
    head = re.escape("\n".join(table.splitlines()[:2]))
    return re.sub(rf"{head}(\n\|.*)*", lambda _: table, page)


def write_reference() -> list[str]:
    """Write the pages that are out of date; returns their names."""
    pages = {COMMANDS: commands_page(), FILES: with_settings(FILES.read_text(encoding="utf-8"))}
    outdated = [file for file, text in pages.items() if not file.is_file() or file.read_text(encoding="utf-8") != text]
    for file in outdated:
        file.write_text(pages[file], encoding="utf-8")
    return [file.name for file in outdated]


def main() -> None:
    """Write the pages that are out of date."""
    print(f"{' and '.join(changed)} changed" if (changed := write_reference()) else "nothing changed")


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
    if not callable(thing):
        return f"{name} = {_annotation(ALIASES.get(name, type(thing)))}"
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
    if not callable(thing):  # its class has nothing to say about it
        return
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


if __name__ == "__main__":
    main()
