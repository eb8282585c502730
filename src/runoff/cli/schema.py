"""`runoff schema`: the JSON Schemas of what the commands write."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Examples:
  runoff schema board
  runoff schema compare > compare.schema.json"""
)
@click.argument("command", required=False, metavar="[COMMAND]")
def schema(*, command: str | None) -> None:
    """Print the JSON Schema of what COMMAND writes with --format json; without COMMAND, list those that have one."""
    from runoff.display.json_text import render_json
    from runoff.verbs.schema import schema as schema_of
    from runoff.verbs.schema import schema_names

    if command is None:
        click.echo("\n".join(schema_names()))
    else:
        click.echo(render_json(schema_of(command)).encode(), nl=False)
