"""The options of the verbs that can tell what a query set is able to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]


def resolution_options(command: Command) -> Command:
    """Add --resolution and --difference."""
    for option in (
        click.option("--difference", type=click.FloatRange(min=0, min_open=True), metavar="DIFFERENCE",
                     help="With --resolution: the queries that this difference needs, not the observed one."),
        click.option("--resolution", is_flag=True,
                     help="Print instead what these queries can show: the smallest difference by measure and test."),
    ):  # fmt: skip
        command = option(command)
    return command


def check_resolution(
    measures: Sequence[str], *, resolution: bool, difference: float | None, scores: Path | None, **others: object
) -> None:
    """Refuse what cannot be asked for together; `others` are the options that print something else instead."""
    if difference is not None and not resolution:
        raise click.UsageError("--difference goes with --resolution; add it")
    if scores is not None and len(measures) > 1:
        raise click.UsageError("--scores hold one measure; name it with one -m, or score runs with --qrels")
    for name, value in others.items():
        if resolution and value:
            raise click.UsageError(
                f"--resolution and --{name.replace('_', '-')} both print a table of their own; choose"
            )
