"""The `runoff` command: a short list of verbs, each loaded only when it is called."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys
import warnings
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from runoff.errors import RunoffError
from runoff.rows import IS_COMPILED

if TYPE_CHECKING:
    from collections.abc import Iterator

VERBS: Final[dict[str, str]] = {
    "demo": "Simulate a leaderboard with a known truth and find it again.",
    "check": "What is wrong with these files?",
    "evaluate": "Score runs.",
    "compare": "Is the challenger better, and how?",
    "board": "The leaderboard, and how sure its order is.",
    "audit": "Is the top there by luck or by overfitting?",
    "reliability": "Do the tests say the same on the other half of the queries?",
    "calibrate": "Do runoff's own statements hold on boards like this one?",
    "pool": "What is there to judge, and what does it cost?",
    "tasks": "Deal pairs of documents out to assessors.",
    "tally": "Are the labels still good enough? Count judgments of pairs.",
    "maintain": "Keep labels up to date as runs come in.",
    "ipso": "On which queries must every measure agree?",
    "report": "Everything about a board in one page.",
    "scale": "Is this measure an interval scale?",
    "schema": "What is in the JSON of a command?",
    "mcp": "The commands that read, as tools of an agent.",
    "serve": "The web leaderboard.",
    "admin": "Look after a server from its machine.",
    "submit": "Send a run to a server.",
}
"""Every verb with its job in a few words; verb `x` is the function `x` of `runoff.cli.x`."""

SLOW_READER: Final = (
    "note: files are read slowly here, because runoff was installed without its compiled reader; to have it, install a "
    "C compiler and run: pip install --force-reinstall --no-deps --no-cache-dir runoff"
)
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class _Verbs(click.Group):
    """A group that imports a verb's module when the verb is called, so that help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in VERBS:
            command: click.Command = getattr(importlib.import_module(f"runoff.cli.{cmd_name}"), cmd_name)
            return command
        if not cmd_name.startswith("-") and not ctx.resilient_parsing:
            import difflib

            near = difflib.get_close_matches(cmd_name, VERBS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"the verbs are {', '.join(VERBS)}"
            ctx.fail(f"there is no verb '{cmd_name}'; {hint}")
        return None  # an option, which click names in its error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: Any) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"runoff {version('runoff')}")
        if not IS_COMPILED:
            click.echo(SLOW_READER)
        ctx.exit()


@click.command(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Is the new run really better, in what way, and can the leaderboard that says so be trusted?",
    epilog="\b\nExample:\n  runoff evaluate bm25.run dense.run --qrels qrels.txt -m RR@10 -m nDCG@10",
    subcommand_metavar="VERB [ARGUMENTS]...",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Show the version."
)
def runoff() -> None:
    """The verbs together."""


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of our own as one line; those of others as Python does."""
    from runoff.files.run_paths import SkippedFilesWarning

    if not issubclass(category, SkippedFilesWarning):
        click.echo(warnings.formatwarning(message, category, filename, lineno, line), file or sys.stderr, nl=False)
    elif not {"-q", "--quiet"}.intersection(sys.argv):
        click.echo(str(message), err=True)


def main() -> None:
    """Run the command line; explained errors go to standard error with exit status 2."""
    # When Python ends it looks for cycles among all objects there are; memory goes back to the system without that.
    atexit.register(gc.freeze)
    if not IS_COMPILED and sys.stderr.isatty() and not {"-q", "--quiet"}.intersection(sys.argv):
        click.echo(SLOW_READER, err=True)
    warnings.showwarning = _show_warning
    try:
        with _interrupts_kept():
            status = runoff(prog_name="runoff", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(BAD_INPUT)
    except RunoffError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)
    except (click.Abort, KeyboardInterrupt) as error:
        said = str(error if isinstance(error, KeyboardInterrupt) else error.__cause__ or "")
        click.echo(f"interrupted; {said}" if said else "interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of our output, `head` perhaps, has seen enough
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        where = error.filename or "input or output"
        what = error.strerror or (str(error).splitlines() or [type(error).__name__])[0]
        click.echo(f"{where}: {what}; expected files that can be read and written; check them", err=True)
        sys.exit(BAD_INPUT)


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Let Ctrl-C end the command also if it comes in a destructor, where Python prints the exception and goes on."""
    before = sys.unraisablehook

    def raise_again(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            # A little later: raised in here it would be lost again.
            Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            before(unraisable)

    sys.unraisablehook = raise_again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _drop_output() -> None:
    """Send what waits to be printed nowhere, so that it does not fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
