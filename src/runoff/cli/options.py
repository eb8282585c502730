"""Options that several verbs share, and how results leave the command line."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from runoff.choices import DUPLICATE_RULES, EXCLUDE, FIGURE_SUFFIXES, FORMATS, PARQUET, TIE_RULES
from runoff.errors import UsageError

if TYPE_CHECKING:
    from runoff.server.site import SiteSettings
    from runoff.tables.scores import Scores

Command = TypeVar("Command", bound=Callable[..., Any])

_SUFFIXES: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def size_of(text: str) -> int:
    """The number of bytes that a text names, with an optional K, M, G or T behind it.

    >>> size_of("500M")
    524288000
    """
    factor = _SUFFIXES.get(text[-1:].lower(), 1)
    digits = text[:-1] if factor > 1 else text
    if not (digits.isascii() and digits.isdecimal()) or int(digits) == 0:
        raise click.BadParameter(f"'{text}' is not a size; expected bytes such as 500000000, 500M or 64G")
    return int(digits) * factor


class OptionGroup:
    """Options that several verbs share, declared once: `@output_options` above a command adds them, in this order."""

    def __init__(self, *options: Callable[[Any], Any]) -> None:
        self.options = options

    def __call__(self, command: Command) -> Command:
        """The command with these options."""
        for option in reversed(self.options):
            command = option(command)
        return command


_SEED_AND_QUIET: Final = (
    click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed for everything random."
    ),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
)

output_options: Final = OptionGroup(
    click.option(
        "--format",
        "format_name",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="How to write the result.",
    ),
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the result to FILE, not to the screen; - is the screen.",
    ),
    *_SEED_AND_QUIET,
)
"""What every verb has that prints results."""

score_output_options: Final = OptionGroup(
    click.option(
        "--format",
        "format_name",
        type=click.Choice((*FORMATS, PARQUET)),
        default="table",
        show_default=True,
        help="How to write the result; parquet goes with --per-query and a folder.",
    ),
    click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the result to FILE, not to the screen; - is the screen. For parquet a new folder.",
    ),
    *_SEED_AND_QUIET,
)
"""The same for a verb that can also write single scores into a folder of Parquet files."""

reading_options: Final = OptionGroup(
    click.option(
        "--tie-rule",
        type=click.Choice(list(TIE_RULES)),
        default="trec_eval",
        show_default=True,
        help="How documents with equal scores are ordered: by document id, descending (trec_eval); the "
        "same with scores as float32, like pytrec_eval and ir_measures (float32); as in the file "
        "(file); by document id, ascending, like RR@k and Judged@k of ir_measures "
        "(doc_ascending).",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(list(DUPLICATE_RULES)),
        default="error",
        show_default=True,
        help="What becomes of a document that a run lists more than once for a query: it is an error; "
        "its first row is kept (first); its row with the highest score is kept (best). Dropped "
        "rows are counted.",
    ),
    click.option(
        "--max-bytes",
        type=size_of,
        default="64G",
        show_default=True,
        metavar="SIZE",
        help="Refuse files that are larger than this when decompressed.",
    ),
)
"""How run and qrels files are read."""

site_options: Final = OptionGroup(
    click.option(
        "--config",
        type=click.Path(dir_okay=False, exists=True, path_type=Path),
        metavar="FILE",
        help="Settings of the server in TOML; variables such as RUNOFF_TITLE overrule them.",
    ),
    click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://PERSON@HOST/NAME."),
    click.option(
        "--folder",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Where uploaded files are kept.",
    ),
)
"""Which server."""


def settings_of(config: Path | None, **options: object) -> SiteSettings:
    """The settings of a server: those of a file, overruled by the environment, and that by options."""
    from runoff.server.site import read_site_settings

    return read_site_settings(config, environment=os.environ, options=options)


def _gains(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        gains = tuple(float(gain) for gain in value.split(","))
    except ValueError:
        gains = (math.nan,)
    if not all(map(math.isfinite, gains)):
        raise click.BadParameter(
            f"'{value}' is not a list of numbers; expected one gain per grade, such as 0,0.5,1", ctx=ctx, param=param
        )
    return gains


gains_option: Final = OptionGroup(
    click.option(
        "--gains",
        callback=_gains,
        metavar="G0,G1,...",
        help="The gain of every grade from 0, for IPSO with graded labels: 0,0.2,0.8,1",
    )
)
"""What each grade is worth to IPSO."""

comparison_options: Final = OptionGroup(
    click.option(
        "--depth",
        type=click.IntRange(min=1),
        metavar="K",
        help="Ranks that outcomes and IPSO look at; by default the measure's cutoff, or 100.",
    ),
    click.option(
        "--level",
        type=click.IntRange(min=1),
        metavar="GRADE",
        help="The lowest grade that counts as relevant; by default the measure's own.",
    ),
    gains_option,
)
"""What comparisons of runs look at; None where nothing was asked."""

board_comparison_options: Final = OptionGroup(
    click.option(
        "--depth",
        type=click.IntRange(min=1),
        metavar="K",
        help="Ranks that outcomes and IPSO look at; by default the measure's cutoff, or 100; a board.toml names its "
        "own.",
    ),
    click.option(
        "--level",
        type=click.IntRange(min=1),
        metavar="GRADE",
        help="The lowest grade that counts as relevant; by default the measure's own; a board.toml names its own.",
    ),
    gains_option,
)
"""The same for a verb that takes a board.toml, which these options overrule (`Board.overruled`)."""

level_option: Final = OptionGroup(
    click.option(
        "--level",
        type=click.IntRange(min=1),
        metavar="GRADE",
        help="Instead of gains: the lowest grade that counts as relevant.",
    )
)
"""IPSO with graded labels, without gains."""

trials_option: Final = OptionGroup(
    click.option(
        "--trials",
        type=click.IntRange(min=1),
        default=1000,
        show_default=True,
        help="Bootstrap samples of the queries.",
    )
)

exclude_option: Final = OptionGroup(
    click.option(
        "--exclude",
        type=click.Choice(EXCLUDE),
        default="task",
        show_default=True,
        help="What a failed test pair discards: that task's judgments, or all of the assessor.",
    )
)

queries_option: Final = OptionGroup(
    click.option(
        "--queries",
        "query_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Use only the queries in FILE, one id per line.",
    )
)
"""Look at some of the queries only; `read_query_file` reads it."""

board_set_options: Final = OptionGroup(
    click.option("--labels", metavar="NAME", help="The label set of board.toml; by default the first."),
    click.option(
        "--query-set",
        metavar="NAME",
        help="The query set of board.toml; by default public, or else all but development.",
    ),
)
"""Which of the sets of a board.toml."""

resolution_options: Final = OptionGroup(
    click.option(
        "--resolution",
        is_flag=True,
        help="Print instead what these queries can show: the smallest difference by measure and test.",
    ),
    click.option(
        "--difference",
        type=click.FloatRange(min=0, min_open=True),
        metavar="DIFFERENCE",
        help="With --resolution: the queries that this difference needs, not the observed one.",
    ),
)
"""What these queries can show; `check_resolution` refuses what does not go with it."""


def _figure(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value.suffix.lower() not in FIGURE_SUFFIXES:
        raise click.BadParameter(
            f"'{value}' is no picture that can be drawn; expected a name that ends in {', '.join(FIGURE_SUFFIXES)}",
            ctx=ctx,
            param=param,
        )
    if value is not None:
        from runoff.display.charts import start_drawing

        start_drawing()
    return value


figure_options: Final = OptionGroup(
    click.option(
        "--figure",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=_figure,
        metavar="FILE",
        help="Draw the result into FILE too, an .svg, .png or .pdf.",
    ),
    click.option("--chart", metavar="NAME", help="Which chart --figure draws, if not the main one of the verb."),
)
"""The result as a picture too; `write_figure` writes it."""


def read_query_file(path: Path | None, max_bytes: int) -> tuple[str, ...] | None:
    """The query ids in a file; None without one."""
    from runoff.files.query_list import read_query_list

    return None if path is None else read_query_list(path, max_bytes=max_bytes)


def read_score_file(path: Path | None, measure: str | None, max_bytes: int) -> Scores | None:
    """The matrix of per-query scores in a file; None without one."""
    from runoff.files.score_matrix import read_scores

    return None if path is None else read_scores(path, measure=measure or "score", max_bytes=max_bytes)


def is_board_file(runs: Sequence[str]) -> bool:
    """Whether a board.toml is named instead of runs."""
    return len(runs) == 1 and runs[0].endswith(".toml")


def check_that_runs_are_no_measures(runs: Sequence[str]) -> None:
    """Explain `-m RR@10 nDCG@10`, where the second measure is taken for a run."""
    for run in runs:
        if "@" in run and "://" not in run and not Path(run).exists():
            raise UsageError(f"{run}: no such file; expected a run; if it is a measure, write -m {run}")


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
