"""Options for how runs are read, one or too many for one process: a cluster, and a folder to go on from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, Final

import click

from runoff.cli.options import OptionGroup, reading_options, size_of

if TYPE_CHECKING:
    from runoff.reading.sources import ReadOptions
    from runoff.reading.units import Engine


@dataclass(frozen=True, kw_only=True)
class ReadingChoice:
    """What the options say of how runs are read, and where."""

    tie_rule: str
    duplicates: str
    max_bytes: int
    cluster: str | None
    cluster_tls: tuple[str, str, str] | None
    resume: Path | None
    part_rows: int
    at_once: int

    @contextmanager
    def opened(self, *, quiet: bool) -> Iterator[ReadOptions]:
        """How runs are read, with the engine that these options ask for; it is closed at the end."""
        from runoff.reading.sources import ReadOptions

        with ExitStack() as stack:
            engine: Engine | None = None
            if self.cluster is not None:
                from runoff.reading.cluster import Cluster, ClusterEngine

                with _told_if_slow(f"waiting for the cluster {self.cluster} and a worker of it", quiet=quiet):
                    opened = ClusterEngine(Cluster(address=self.cluster, tls=self.cluster_tls))
                engine = stack.enter_context(opened)
            elif self.cluster_tls is not None:
                raise click.UsageError("--cluster-tls goes with --cluster tls://HOST:PORT; give that too")
            if self.resume is not None:
                from runoff.reading.units import HereEngine, ResumedEngine

                engine = ResumedEngine(engine or HereEngine(), self.resume)
            try:
                yield ReadOptions(
                    tie_rule=self.tie_rule,
                    duplicates=self.duplicates,
                    max_bytes=self.max_bytes,
                    engine=engine,
                    part_rows=self.part_rows,
                    at_once=self.at_once,
                    scratch=self.resume,
                )
            except KeyboardInterrupt:
                if self.resume is None:
                    raise
                kept = f"finished parts are kept in {self.resume}; the same command goes on from there"
                raise KeyboardInterrupt(kept) from None

    def opened_here(self) -> ReadOptions:
        """How runs are read by this process alone."""
        from runoff.reading.sources import ReadOptions

        return ReadOptions(tie_rule=self.tie_rule, duplicates=self.duplicates, max_bytes=self.max_bytes)


@contextmanager
def _told_if_slow(what: str, *, quiet: bool) -> Iterator[None]:
    """Say on a terminal what is going on if it takes more than two seconds."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    later = Timer(2.0, partial(click.echo, what, err=True))
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()


_CLUSTER_OPTIONS: Final = OptionGroup(
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Score on a Dask cluster: the scheduler's address, such as tcp://HOST:8786, or local or "
        "local:4 for worker processes here.",
    ),
    click.option(
        "--cluster-tls",
        nargs=3,
        metavar="CA CERT KEY",
        default=None,
        help="Certificate files for an address with tls://.",
    ),
    click.option(
        "--resume",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Keep finished parts in DIR, and go on from them after an interruption.",
    ),
    click.option(
        "--part-rows",
        type=click.IntRange(min=1),
        default=1 << 20,
        show_default=True,
        help="Rows of a run in Parquet that are one piece of work; more take more memory.",
    ),
    click.option(
        "--at-once",
        type=size_of,
        default="4G",
        show_default=True,
        metavar="SIZE",
        help="Memory for the scores and lists of a board; those of a larger one are in files, in the "
        "folder of --resume or TMPDIR.",
    ),
)
"""Where and how runs are scored."""


def reading_choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """All options of `ReadingChoice`, which the command gets as one argument `choice`."""
    names = [field.name for field in fields(ReadingChoice)]

    @wraps(command)
    def gathered(**options: Any) -> Any:
        choice = ReadingChoice(**{name: options.pop(name) for name in names})
        return command(choice=choice, **options)

    return reading_options(_CLUSTER_OPTIONS(gathered))
