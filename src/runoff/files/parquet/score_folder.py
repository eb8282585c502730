"""A folder of Parquet files with a row for every run, query and measure, written as scores are computed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError, needs_extra

FILE_QUERIES: Final = 1 << 18
"""Queries in a file; so the files do not depend on the parts in which the scores were found."""


class ScoreFolder:
    """Takes scores run by run and query by query; the folder appears, in the order of the runs, when all is there.

    Use it in a `with` statement: `add` the scores of one run after another, then `finish`. The columns are run, query,
    measure and value; the value is null where the measure is undefined. The runs are in folders called 1, 2, ..., so
    that a reader of the whole folder finds them in their order.
    """

    def __init__(self, folder: Path, measures: Sequence[str], *, file_queries: int = FILE_QUERIES) -> None:
        with needs_extra("a folder of Parquet files", "polars"):
            import polars  # noqa: F401, ICN001  # before the work, not behind it
        self.folder = folder
        self.measures = tuple(measures)
        self.file_queries = file_queries
        self._runs: list[str] = []
        self._files = 0
        self._queries: list[str] = []
        self._values: list[NDArray[np.float64]] = []
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise UsageError(f"{folder}: is there already; expected a new or empty folder; name another")
            self._beside = Path(tempfile.mkdtemp(dir=folder.resolve().parent, prefix=f".{folder.name[:99]}."))
        except OSError as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        shutil.rmtree(self._beside, ignore_errors=True)

    def add(self, run: str, query_ids: Sequence[str], values: NDArray[np.float64]) -> None:
        """Scores of the next queries of a run, queries x measures; all queries of a run come before the next run."""
        if not self._runs or self._runs[-1] != run:
            self._flush(all_of_it=True)
            self._runs.append(run)
            self._files = 0
        self._queries += query_ids
        self._values.append(values)
        self._flush(all_of_it=False)

    def finish(self, runs: Sequence[str]) -> None:
        """Put the folder into its place; `runs` are those that were added, in the order wished."""
        self._flush(all_of_it=True)
        try:
            ready = self._beside / "ready"
            ready.mkdir()
            for place, run in enumerate(runs, start=1):
                (self._beside / f"run-{self._runs.index(run)}").rename(ready / str(place))
            ready.chmod(0o755)
            ready.replace(self.folder.resolve())
        except OSError as error:
            raise self._unwritable(error) from None

    def _flush(self, *, all_of_it: bool) -> None:
        while len(self._queries) >= self.file_queries or (all_of_it and self._queries):
            held = np.concatenate(self._values)
            self._write(self._queries[: self.file_queries], held[: self.file_queries])
            self._queries = self._queries[self.file_queries :]
            self._values = [held[self.file_queries :]]

    def _write(self, query_ids: Sequence[str], values: NDArray[np.float64]) -> None:
        import polars as pl

        count = len(self.measures)
        frame = pl.DataFrame(
            {
                "run": pl.repeat(self._runs[-1], len(query_ids) * count, eager=True),
                "query": pl.Series(query_ids, dtype=pl.String).gather(np.repeat(np.arange(len(query_ids)), count)),
                "measure": pl.Series(self.measures, dtype=pl.String).gather(np.tile(np.arange(count), len(query_ids))),
                "value": pl.Series(values.ravel(), dtype=pl.Float64).fill_nan(None),
            }
        )
        try:
            folder = self._beside / f"run-{len(self._runs) - 1}"
            folder.mkdir(exist_ok=True)
            frame.write_parquet(folder / f"part-{self._files}.parquet")
        except OSError as error:
            raise self._unwritable(error) from None
        self._files += 1

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(
            f"{self.folder}: cannot be written ({error.strerror}); expected a folder with room; name another"
        )
