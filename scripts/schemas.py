"""The JSON Schemas of all `--format json` outputs, in src/runoff/schemas: `python -m scripts.schemas` writes them.

Keys are taken from the classes of rows and results where these declare them, see `scripts.output_shapes`; a test fails
if a file is not what this makes, and all golden outputs are validated.
"""

from __future__ import annotations

import json
from pathlib import Path

from scripts import judging_shapes, output_shapes
from scripts.json_shapes import Either, Keys, Schema, schema_of
from scripts.output_shapes import OUTPUTS

FOLDER = Path(__file__).resolve().parent.parent / "src" / "runoff" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
COMMENT = "Written by scripts/schemas.py; do not edit."
NAMES = {
    id(shape): name.lower()
    for module in (judging_shapes, output_shapes)
    for name, shape in vars(module).items()
    if isinstance(shape, Keys | Either)
}
"""Shapes with a name are defined once in a schema."""


def schema(command: str) -> Schema:
    """The schema of a command; one of several schemas where it can be asked for different things."""
    head: Schema = {"$comment": COMMENT, "$schema": DIALECT, "title": f"runoff {command} --format json"}
    shapes, defined = OUTPUTS[command], Schema()
    parts = [
        {**({"title": about} if about else {}), **schema_of(shape, NAMES, defined)} for about, shape in shapes.items()
    ]
    body = parts[0] if len(parts) == 1 else {"type": "object", "anyOf": parts}
    return {**head, **body, **({"$defs": defined} if defined else {})}


def texts() -> dict[str, str]:
    """What each file has to be, by name."""
    return {f"{name}.json": json.dumps(schema(name), ensure_ascii=False, indent=1) + "\n" for name in OUTPUTS}


def outdated() -> list[str]:
    """Files that are not what they have to be, and those that should not be there."""
    wanted = texts()
    there = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
    return sorted(name for name in {*wanted, *there} if wanted.get(name) != there.get(name))


def write_schemas() -> list[str]:
    """Write the schemas that are out of date; returns their names."""
    wanted, changed = texts(), outdated()
    FOLDER.mkdir(exist_ok=True)
    for name in changed:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    return changed


def main() -> None:
    """Write the schemas that are out of date."""
    print(f"{', '.join(changed)} changed" if (changed := write_schemas()) else "nothing changed")


if __name__ == "__main__":
    main()
