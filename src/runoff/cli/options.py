"""Options that several commands share, each declared once, and checks of what may be given together."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from runoff.choices import EXCLUDE, FIGURE_SUFFIXES, FORMATS, PARQUET, POLICY_CORRECTIONS
from runoff.cli.output import Output
from runoff.errors import UsageError

if TYPE_CHECKING:
    from runoff.server.site import SiteSettings

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What `click.option` returns."""

ANSWER_IS_NO: Final = 1
"""Exit status with --exit-code if the answer to the command's question is "no"."""

FILE: Final = click.Path(dir_okay=False, path_type=Path)
PRESENT_FILE: Final = click.Path(dir_okay=False, exists=True, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)

_SIZES: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def size_of(text: str) -> int:
    """The number of bytes that a text names, with an optional K, M, G or T behind it.

    >>> size_of("500M")
    524288000
    """
    factor = _SIZES.get(text[-1:].lower(), 1)
    digits = text[:-1] if factor > 1 else text
    if not (digits.isascii() and digits.isdecimal()) or int(digits) == 0:
        raise click.BadParameter(f"'{text}' is not a size; expected bytes such as 500000000, 500M or 64G")
    return int(digits) * factor


def whole_number(word: str) -> int:
    """A whole number of 0 or more; anything else is a ValueError."""
    if not (word.isascii() and word.isdecimal()):
        raise ValueError
    return int(word)


def positive_number(word: str) -> int:
    """A whole number of 1 or more; anything else is a ValueError."""
    number = whole_number(word)
    if number == 0:
        raise ValueError
    return number


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError
    return number


def number_list(
    number_of: Callable[[str], float],
    expected: str,
    ctx: click.Context,
    param: click.Parameter,
    value: str | tuple[str, ...] | None,
) -> tuple[float, ...] | None:
    """Read numbers with commas between them; `partial(number_list, float, "a number")` is the callback of an option.

    expected  how the error message ends
    """
    if value is None:
        return None
    numbers = []
    texts = (value,) if isinstance(value, str) else value
    for word in [word for text in texts for word in text.split(",")]:
        try:
            numbers.append(number_of(word.strip()))
        except ValueError:
            raise click.BadParameter(f"'{word.strip()}' is not {expected}", ctx=ctx, param=param) from None
    return tuple(numbers)


class OptionGroup:
    """Options that several commands share: `@board_set_options` above a command adds them, in this order.

    With `argument` and `kind` the command gets them as one argument of that class, whose fields are the options.
    """

    def __init__(self, *options: Decorator, argument: str = "", kind: type | None = None) -> None:
        self.options = options
        self.argument = argument
        self.kind = kind

    def __call__(self, command: Callable[..., Any]) -> Callable[..., Any]:
        """The command with these options."""
        kind: Any = self.kind
        names = () if kind is None else tuple(field.name for field in fields(kind))

        @wraps(command)
        def gathered(**options: Any) -> Any:
            values = {name: options.pop(name) for name in names if name in options}
            return command(**{self.argument: kind(**values)}, **options)

        decorated = command if kind is None else gathered
        for option in reversed(self.options):
            decorated = option(decorated)
        return decorated


def count_option(
    name: str, help: str, *, default: int | None = None, least: int = 1, metavar: str | None = None
) -> Decorator:
    """An option for a whole number."""
    limits = click.IntRange(min=least)
    return click.option(
        name, type=limits, default=default, show_default=default is not None, metavar=metavar, help=help
    )


def choice_option(*names: str, choices: Sequence[str], help: str, default: str | None = None) -> Decorator:
    """An option for one of some words."""
    return click.option(
        *names, type=click.Choice(choices), default=default, show_default=default is not None, help=help
    )


alpha_option = partial(
    click.option,
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
)
"""The level of tests and verdicts."""
correction_option = partial(choice_option, "--correction", choices=POLICY_CORRECTIONS, default="holm")
"""The correction for several comparisons."""
measures_option = partial(click.option, "-m", "--measure", "measures", multiple=True, metavar="MEASURE")
"""One measure or several, the option repeated for each."""
scores_option = partial(
    click.option,
    "--scores",
    "score_files",
    multiple=True,
    metavar="FILE",
    help="Per-query scores instead of runs and judgments: a matrix, or what trec_eval -q or ir_measures -q printed, in "
    "files, folders or patterns; repeat it for more.",
)
"""Scores that somebody computed; `Reading.scores` reads them."""


def files_of_scores(scores: tuple[str, ...], runs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files of scores, and runs: behind --scores all are scores, as where the shell makes many files of a pattern."""
    return ((*scores, *runs), ()) if scores else ((), runs)


files_option = partial(click.option, multiple=True, type=FILE, metavar="FILE")
"""One file or several, the option repeated for each."""
file_option = partial(click.option, type=FILE, metavar="FILE")
"""A file that is read or written."""
folder_option = partial(click.option, type=FOLDER, metavar="DIR")
"""A folder that is written to."""
exit_code_option = partial(click.option, "--exit-code", is_flag=True)
"""The answer as the exit status, for scripts."""


def _checked_figure(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is None:
        return None
    if value.suffix.lower() not in FIGURE_SUFFIXES:
        expected = f"expected a name that ends in {', '.join(FIGURE_SUFFIXES)}"
        raise click.BadParameter(f"'{value}' is not a picture that can be drawn; {expected}", ctx=ctx, param=param)
    from runoff.display.charts import start_drawing

    start_drawing()
    return value


def output_options(
    *, seed: bool = True, figure: bool = False, parquet: bool = False, formats: Sequence[str] = ()
) -> OptionGroup:
    """What every command has that prints results: it gets the argument `out`, and `seed` where something is random.

    figure   the result can be drawn too
    parquet  scores can be written to a folder of Parquet files too
    formats  what only this command writes
    """
    figure_options = (
        click.option(
            "--figure",
            type=FILE,
            callback=_checked_figure,
            metavar="FILE",
            help="Also draw the result into FILE (.svg, .png or .pdf).",
        ),
        click.option("--chart", metavar="NAME", help="The chart that --figure draws, if not the main one."),
    )
    return OptionGroup(
        *(figure_options if figure else ()),
        choice_option(
            "--format",
            "format_name",
            choices=(*FORMATS, *formats, PARQUET) if parquet else (*FORMATS, *formats),
            help="How to write the result; by default as the ending of --output says, else a table"
            + ("; parquet needs --per-query and --output DIR." if parquet else "."),
        ),
        click.option(
            "-o",
            "--output",
            "file",
            type=click.Path(path_type=Path) if parquet else FILE,
            metavar="FILE",
            help="Write the result to FILE instead of the screen (-)"
            + ("; for parquet, a new folder." if parquet else "."),
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            expose_value=seed,
            help="Seed for everything random.",
        ),
        click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
        argument="out",
        kind=Output,
    )


def comparison_options(*, board: bool = False) -> OptionGroup:
    """What comparisons of runs look at; None where nothing was asked. On a board they overrule its board.toml."""
    own = "; a board.toml names its own." if board else "."
    return OptionGroup(
        count_option(
            "--depth", f"Ranks used for outcomes and IPSO; by default the measure's cutoff, or 100{own}", metavar="K"
        ),
        count_option("--level", f"The lowest relevant grade; by default the measure's own{own}", metavar="GRADE"),
        gains_option,
    )


gains_option: Final = click.option(
    "--gains",
    callback=partial(number_list, _finite, "a number; expected one gain per grade, such as 0,0.5,1"),
    metavar="G0,G1,...",
    help="The gain of each grade from 0, for IPSO with graded labels: 0,0.2,0.8,1",
)
qrels_option: Final = click.option("--qrels", metavar="FILE", help="The relevance judgments.")
board_qrels_option: Final = click.option(
    "--qrels", metavar="FILE", help="The relevance judgments; a board.toml names its own."
)
trials_option: Final = count_option("--trials", "Bootstrap samples of the queries.", default=1000)
exclude_option: Final = choice_option(
    "--exclude",
    choices=EXCLUDE,
    default="task",
    help="What a failed test pair discards: that task's judgments, or all of the assessor's.",
)
queries_option: Final = click.option(
    "--queries",
    "query_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Use only the queries in FILE, one id per line.",
)
"""Look at some of the queries only; `Reading.query_list` reads them."""

board_set_options: Final = OptionGroup(
    click.option("--labels", metavar="NAME", help="The label set of board.toml; by default the first."),
    click.option(
        "--query-set", metavar="NAME", help="The query set of board.toml; by default public, else all but development."
    ),
)
"""Which of the sets of a board.toml; `check_board_sets` refuses them without one."""

resolution_options: Final = OptionGroup(
    click.option(
        "--resolution", is_flag=True, help="Print the smallest detectable difference by measure and test instead."
    ),
    click.option(
        "--difference",
        type=click.FloatRange(min=0, min_open=True),
        metavar="DIFFERENCE",
        help="With --resolution: how many queries this difference needs, instead of the observed one.",
    ),
)
"""What these queries can show; `check_resolution` refuses what does not go with it."""

site_options: Final = OptionGroup(
    click.option(
        "--config",
        type=PRESENT_FILE,
        metavar="FILE",
        help="Settings of the server in TOML; variables such as RUNOFF_TITLE overrule them.",
    ),
    click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://PERSON@HOST/NAME."),
    folder_option("--folder", help="Where uploaded files are kept."),
)
"""Which server."""


def settings_of(config: Path | None, **options: object) -> SiteSettings:
    """The settings of a server: those of a file, overruled by the environment, and that by options."""
    from runoff.server.site import read_site_settings

    return read_site_settings(config, environment=os.environ, options=options)


def is_board_file(runs: Sequence[str]) -> bool:
    """Whether a board.toml is named instead of runs."""
    return len(runs) == 1 and runs[0].endswith(".toml")


def check_that_runs_are_no_measures(runs: Sequence[str]) -> None:
    """Explain `-m RR@10 nDCG@10`, where the second measure is taken for a run."""
    for run in runs:
        if "@" in run and "://" not in run and not Path(run).exists():
            raise UsageError(f"{run}: no such file; expected a run; if it is a measure, write -m {run}")


def check_board_sets(
    runs: Sequence[str], labels: str | None, query_set: str | None, qrels: str | None, query_file: Path | None
) -> None:
    """Refuse names of sets without a board.toml, and a file and a name for the same."""
    if (labels or query_set) and not is_board_file(runs):
        raise click.UsageError("--labels and --query-set go with a board.toml; leave them out")
    if (labels and qrels) or (query_set and query_file):
        raise click.UsageError("--labels and --qrels, or --query-set and --queries, name the same; leave one out")


def check_resolution(*, resolution: bool, difference: float | None, **others: object) -> None:
    """Refuse what cannot be asked for together; `others` are the options that print something else instead."""
    if difference is not None and not resolution:
        raise click.UsageError("--difference goes with --resolution; add it")
    for name, value in others.items():
        if resolution and value:
            raise click.UsageError(
                f"--resolution and --{name.replace('_', '-')} both print a table of their own; choose one"
            )
