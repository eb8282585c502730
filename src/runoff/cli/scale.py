"""`runoff scale`: is this measure an interval scale."""

from __future__ import annotations

from functools import partial

import click

from runoff.cli.options import (
    ANSWER_IS_NO,
    count_option,
    exit_code_option,
    number_list,
    output_options,
    whole_number,
)
from runoff.cli.output import Output


@click.command(
    epilog="""\b
Examples:
  runoff scale RR@3
  runoff scale nDCG@3 --highest 2 --relevant 2,1"""
)
@click.argument("measure", metavar="MEASURE")
@count_option("--highest", "The highest grade; without it a document is relevant or not.", metavar="GRADE")
@click.option(
    "--relevant",
    callback=partial(number_list, whole_number, "a count; expected one per grade above 0, such as 2 or 3,1"),
    metavar="N,...",
    help="How many documents of each grade above 0 a query has; AP, nDCG and R need it.",
)
@exit_code_option(help="Exit with status 1 if it is not an interval scale.")
@output_options(seed=False, figure=True)
def scale(*, measure: str, highest: int | None, relevant: tuple[int, ...] | None, exit_code: bool, out: Output) -> None:
    """Check whether MEASURE, such as RR@3, takes equal steps over all lists to its cutoff.

    Shows every value that it can have, the same values in equal steps, and lists that show why it is not an interval
    scale.
    """
    from runoff.verbs.scale import scale as find_scale

    result = find_scale(measure, highest=highest, relevant=relevant)
    out.write(result)
    if exit_code and not result.scale.is_equispaced:
        raise click.exceptions.Exit(ANSWER_IS_NO)
