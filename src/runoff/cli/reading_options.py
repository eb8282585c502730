"""Options for how runs and labels are read: here or on a cluster, and resumed after an interruption."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, Final

import click

from runoff.choices import DUPLICATE_RULES, TIE_RULES, DuplicateRule, TieRule
from runoff.cli.options import OptionGroup, choice_option, count_option, folder_option, size_of

if TYPE_CHECKING:
    from runoff.reading.sources import ReadOptions
    from runoff.reading.units import Engine
    from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What the options say about how runs are read, and where; commands without a cluster have the first three."""

    tie_rule: TieRule
    duplicates: DuplicateRule
    max_bytes: int
    cluster: str | None = None
    cluster_tls: tuple[str, str, str] | None = None
    resume: Path | None = None
    part_rows: int = 0
    at_once: int = 0

    def options(self, **more: Any) -> ReadOptions:
        """How this process reads runs."""
        from runoff.reading.sources import ReadOptions

        return ReadOptions(tie_rule=self.tie_rule, duplicates=self.duplicates, max_bytes=self.max_bytes, **more)

    @contextmanager
    def opened(self, *, quiet: bool) -> Iterator[ReadOptions]:
        """How runs are read, with the engine that these options ask for; it is closed at the end."""
        with ExitStack() as stack:
            engine: Engine | None = None
            if self.cluster is not None:
                from runoff.reading.cluster import Cluster, ClusterEngine

                with _announced_if_slow(f"waiting for the cluster {self.cluster} and one of its workers", quiet=quiet):
                    cluster = ClusterEngine(Cluster(address=self.cluster, tls=self.cluster_tls))
                engine = stack.enter_context(cluster)
            elif self.cluster_tls is not None:
                raise click.UsageError("--cluster-tls goes with --cluster tls://HOST:PORT; give that too")
            if self.resume is not None:
                from runoff.reading.units import HereEngine, ResumedEngine

                engine = ResumedEngine(engine or HereEngine(), self.resume)
            try:
                yield self.options(engine=engine, part_rows=self.part_rows, at_once=self.at_once, scratch=self.resume)
            except KeyboardInterrupt:
                if self.resume is None:
                    raise
                note = f"finished parts are kept in {self.resume}; the same command goes on from there"
                raise KeyboardInterrupt(note) from None

    def query_list(self, path: Path | None) -> tuple[str, ...] | None:
        """The query ids in a file; None without one."""
        from runoff.files.query_list import read_query_list

        return None if path is None else read_query_list(path, max_bytes=self.max_bytes)

    def scores(self, files: Sequence[str], measures: Sequence[str]) -> tuple[Scores, ...]:
        """The per-query scores in some files, a table for each measure; none without files."""
        from runoff.reading.scores import read_score_tables

        return read_score_tables(files, measures, max_bytes=self.max_bytes) if files else ()

    def score_table(self, files: Sequence[str], *measures: str) -> Scores | None:
        """The same where one measure alone can be used; None without files."""
        if files and len(measures) > 1:
            raise click.UsageError(
                "this takes --scores of one measure; name it with one -m, or score runs with --qrels"
            )
        return next(iter(self.scores(files, measures)), None)


@contextmanager
def _announced_if_slow(message: str, *, quiet: bool) -> Iterator[None]:
    """Print a message on a terminal if something takes more than two seconds."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    later = Timer(2.0, partial(click.echo, message, err=True))
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()


_FILES: Final = (
    choice_option(
        "--tie-rule",
        choices=list(TIE_RULES),
        default="trec_eval",
        help="How documents with equal scores are ordered: by document id, descending (trec_eval); the same with "
        "scores as float32, like pytrec_eval and ir_measures (float32); as in the file (file); by document id, "
        "ascending, like RR@k and Judged@k of ir_measures (doc_ascending).",
    ),
    choice_option(
        "--duplicates",
        choices=list(DUPLICATE_RULES),
        default="error",
        help="If a run lists a document more than once for a query: report an error, keep its first row (first), or "
        "keep its row with the highest score (best). Dropped rows are counted.",
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
_CLUSTER: Final = (
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Score on a Dask cluster: the scheduler's address, such as tls://HOST:8786, or local or local:4 for "
        "worker processes on this machine.",
    ),
    click.option(
        "--cluster-tls",
        nargs=3,
        metavar="CA CERT KEY",
        default=None,
        help="Certificate files for an address with tls://.",
    ),
    folder_option("--resume", help="Keep finished parts in DIR, and continue from them after an interruption."),
    count_option(
        "--part-rows",
        "Rows of a Parquet run that are scored at a time; more take more memory.",
        default=1 << 20,
    ),
    click.option(
        "--at-once",
        type=size_of,
        default="4G",
        show_default=True,
        metavar="SIZE",
        help="Memory for the scores and lists of a board; a larger board uses temporary files, in the folder of "
        "--resume or TMPDIR.",
    ),
)

reading_options: Final = OptionGroup(*_FILES, argument="reading", kind=Reading)
"""How run and qrels files are read; the command gets the argument `reading`."""
cluster_options: Final = OptionGroup(*_FILES, *_CLUSTER, argument="reading", kind=Reading)
"""The same with a cluster and a folder to continue from."""
