"""`runoff scale`: is this measure an interval scale."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import figure_options, output_options
from runoff.cli.output import write_figure, write_result

NO_INTERVAL_SCALE = 1
"""Exit status with --exit-code if the measure is not an interval scale."""


def _counts(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    parts = value.split(",")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise click.BadParameter(
            f"'{value}' is not a list of counts; expected one per grade above 0, such as 2 or 3,1", ctx=ctx, param=param
        )
    return tuple(map(int, parts))


@click.command(
    epilog="""\b
Examples:
  runoff scale RR@3
  runoff scale nDCG@3 --highest 2 --relevant 2,1"""
)
@click.argument("measure", metavar="MEASURE")
@click.option(
    "--highest",
    type=click.IntRange(min=1),
    metavar="GRADE",
    help="The highest grade; without it a rank is relevant or not.",
)
@click.option(
    "--relevant",
    callback=_counts,
    metavar="N,...",
    help="How many documents of each grade above 0 a query has; AP, nDCG and R need it.",
)
@click.option("--exit-code", is_flag=True, help="Exit with status 1 if it is not an interval scale.")
@figure_options
@output_options
def scale(
    *,
    measure: str,
    highest: int | None,
    relevant: tuple[int, ...] | None,
    exit_code: bool,
    figure: Path | None,
    chart: str | None,
    format_name: str,
    output: Path | None,
    seed: int,  # noqa: ARG001  # nothing here is random; every verb takes it
    quiet: bool,  # noqa: ARG001
) -> None:
    """Check whether MEASURE, such as RR@3, takes equal steps over all lists to its cutoff.

    Shows every value that it can have, the same values in equal steps, and lists that show why it is not an interval
    scale.
    """
    from runoff.verbs.scale import scale as find_scale

    result = find_scale(measure, highest=highest, relevant=relevant)
    write_figure(result, figure, chart)
    write_result(result, format_name, output)
    if exit_code and not result.scale.is_equispaced:
        raise click.exceptions.Exit(NO_INTERVAL_SCALE)
