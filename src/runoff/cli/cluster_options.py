"""Options for runs that are too many or too large for one process: a cluster, and a folder to go on from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runoff.cli.options import Command, size_of

if TYPE_CHECKING:
    from runoff.workflows.engines import Engine
    from runoff.workflows.inputs import Reading


def cluster_options(command: Command) -> Command:
    """`--cluster`, `--cluster-tls`, `--resume`, `--part-rows`, `--at-once`: where and how runs are scored."""
    for option in reversed((
        click.option("--cluster", metavar="ADDRESS",
                     help="Score on a Dask cluster: the scheduler's address, such as tcp://HOST:8786, or local or "
                          "local:4 for worker processes here."),
        click.option("--cluster-tls", nargs=3, metavar="CA CERT KEY", default=None,
                     help="Certificate files for an address with tls://."),
        click.option("--resume", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
                     help="Keep finished parts in DIR, and go on from them after an interruption."),
        click.option("--part-rows", type=click.IntRange(min=1), default=1 << 20, show_default=True,
                     help="Rows of a run in Parquet that are one piece of work; more take more memory."),
        click.option("--at-once", type=size_of, default="4G", show_default=True, metavar="SIZE",
                     help="Memory for the scores and lists of a board; those of a larger one lie in files, in the "
                          "folder of --resume or TMPDIR."),
    )):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def opened_reading(
    *,
    tie_rule: str,
    max_bytes: int,
    cluster: str | None,
    cluster_tls: tuple[str, str, str] | None,
    resume: Path | None,
    part_rows: int,
    at_once: int,
) -> Iterator[Reading]:
    """How runs are read, with the engine that these options ask for; it is closed at the end."""
    from runoff.workflows.inputs import Reading

    with ExitStack() as stack:
        engine: Engine | None = None
        if cluster is not None:
            from runoff.workflows.cluster import Cluster, ClusterEngine

            engine = stack.enter_context(ClusterEngine(Cluster(address=cluster, tls=cluster_tls)))
        elif cluster_tls is not None:
            raise click.UsageError("--cluster-tls goes with --cluster tls://HOST:PORT; give that too")
        if resume is not None:
            from runoff.workflows.engines import HereEngine, ResumedEngine

            engine = ResumedEngine(engine or HereEngine(), resume)
        yield Reading(
            tie_rule=tie_rule, max_bytes=max_bytes, engine=engine, part_rows=part_rows, at_once=at_once, scratch=resume
        )
