"""The JSON Schemas of what `--format json` writes, which other programs can validate against."""

from __future__ import annotations

import json
from importlib import resources

from runoff.arguments import checks_arguments
from runoff.errors import UsageError

_FOLDER = "schemas"


@checks_arguments
def schema(command: str) -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of what a command writes with `--format json`.

    >>> schema("check")["required"]
    ['qrels', 'depth', 'errors', 'warnings', 'files']
    """
    names = schema_names()
    if command not in names:
        raise UsageError(f"there is no schema of '{command}'; expected one of {', '.join(names)}; choose one of these")
    file = resources.files("runoff") / _FOLDER / f"{command}.json"
    content: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
    return content


def schema_names() -> tuple[str, ...]:
    """The commands that have a schema."""
    files = (resources.files("runoff") / _FOLDER).iterdir()
    return tuple(sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json")))
