"""The run of a sample in the forms that run files have: other ids, scores, orders, separators and compressions.

Every form holds the same lists as the sample's own run, except where ties let the ids decide. The files are kept
beside the sample and written by a process of their own, for the reason that `benchmarks.data` gives.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from benchmarks.data import DEPTH, ROOT, VERSION, Sample, bench_folder, read_through

if TYPE_CHECKING:
    import polars as pl

TIED: Final = 7
"""So many documents in a row have the same score in the form with ties."""
ZSTD: Final = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


def kind_path(sample: Sample, kind: str) -> Path:
    """Where the run in one of the forms is kept."""
    if kind in COMPRESSED:
        return sample.run.with_suffix(f".run{COMPRESSED[kind]}")
    return sample.run.with_suffix(".tsv" if kind == "msmarco" else f".{kind}.run")


def long_qrels_path(sample: Sample) -> Path:
    """Where the labels with long document ids are kept."""
    return sample.qrels.with_suffix(".long.qrels")


def several_paths(sample: Sample, count: int) -> list[Path]:
    """Where the runs of a track are kept."""
    folder = sample.folder / f"several-v{VERSION}-{sample.queries}"
    return [folder / f"system{number:02}.run" for number in range(1, count + 1)]


def kind_files(sample: Sample, kinds: Sequence[str]) -> dict[str, Path]:
    """The run in some forms, made unless they are there already, and read once."""
    paths = {kind: kind_path(sample, kind) for kind in kinds}
    missing = [kind for kind, path in paths.items() if not path.is_file()]
    if missing:
        _write_elsewhere(sample, *missing)
    for path in paths.values():
        read_through(path)
    return paths


def long_qrels(sample: Sample) -> Path:
    """The labels with long document ids."""
    path = long_qrels_path(sample)
    if not path.is_file():
        _write_elsewhere(sample, "qrels")
    return path


def several_runs(sample: Sample, count: int) -> list[Path]:
    """As many different runs of the same queries as a track has: long ids, tabs, scores with all digits."""
    paths = several_paths(sample, count)
    if not all(path.is_file() for path in paths):
        _write_elsewhere(sample, "several", str(count))
    for path in paths:
        read_through(path)
    return paths


@dataclass(frozen=True)
class RealRuns:
    """Runs of TREC DL 2021 as they were kept, and decompressed; the judgments are decompressed."""

    qrels: Path
    runs: list[Path]
    plain: list[Path]


def real_runs() -> RealRuns | None:
    """The real runs, if they are here: in `dl21` of $RUNOFF_TEST_DATA, the folder of the tests."""
    source = Path(os.environ.get("RUNOFF_TEST_DATA", ROOT.parent / "shared" / "data")) / "dl21"
    qrels, runs = source / "qrels.nist.txt.gz", sorted((source / "runs").glob("*.gz"))
    if not runs or not qrels.is_file():
        return None
    folder = bench_folder() / "dl21"
    folder.mkdir(parents=True, exist_ok=True)
    plain = []
    for path in [qrels, *runs]:
        plain.append(folder / path.stem)
        with gzip.open(path) as stream, plain[-1].open("wb") as file:
            shutil.copyfileobj(stream, file)
    return RealRuns(plain[0], runs, plain[1:])


def _write_elsewhere(sample: Sample, *arguments: str) -> None:
    print(f"writing a run of {sample.lines:,} lines: {', '.join(arguments)}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.kind_files", str(sample.queries), *arguments]
    subprocess.run(command, cwd=ROOT, check=True)


def _frame(sample: Sample) -> pl.DataFrame:
    """The columns of the sample's run; scores are whole millionths."""
    import polars as pl

    names = ["query", "iteration", "doc", "rank", "score", "tag"]
    frame = pl.read_csv(sample.run, has_header=False, separator=" ", new_columns=names)
    return frame.with_columns(score=(pl.col("score") * 1e6).round().cast(pl.Int64))


def _six_decimals() -> pl.Expr:
    import polars as pl

    return _decimals(pl.col("score"))


def _decimals(millionths: pl.Expr) -> pl.Expr:
    import polars as pl

    fraction = (millionths % 1_000_000).cast(pl.String).str.zfill(6)
    return pl.concat_str((millionths // 1_000_000).cast(pl.String), pl.lit("."), fraction)


def _long_id() -> pl.Expr:
    """A document's number as an id of MS MARCO's second version: a file of 70, and a position of up to nine digits."""
    import polars as pl

    file = (pl.col("doc") % 70).cast(pl.String).str.zfill(2)
    return pl.concat_str(pl.lit("msmarco_passage_"), file, pl.lit("_"), (pl.col("doc") * 97 + 101).cast(pl.String))


def _float32() -> pl.Expr:
    """The score as programs print it that keep float32 and print float64: up to 17 digits that matter."""
    import polars as pl

    return (pl.col("score") / 1e6).cast(pl.Float32).cast(pl.Float64)


def _msmarco(frame: pl.DataFrame, file: BinaryIO) -> None:
    frame.select("query", "doc", "rank").write_csv(file, include_header=False, separator="\t")


def _all_digits(frame: pl.DataFrame, file: BinaryIO) -> None:
    frame.with_columns(score=_float32()).write_csv(file, include_header=False, separator="\t")


def _long(frame: pl.DataFrame, file: BinaryIO) -> None:
    """Long ids and 15 decimals; the last nine are noise that changes no order."""
    import numpy as np
    import polars as pl

    noise = np.random.default_rng([VERSION, len(frame)]).random(len(frame))
    score = (pl.col("score") + pl.Series(noise)) / 1e6
    columns = frame.with_columns(doc=_long_id(), score=score)
    columns.write_csv(file, include_header=False, separator=" ", float_precision=15)


def _tied(frame: pl.DataFrame, file: BinaryIO) -> None:
    import polars as pl

    first = pl.int_range(pl.len()) - (pl.col("rank") - 1) % TIED
    tied = frame.with_columns(score=pl.col("score").gather(first)).with_columns(score=_six_decimals())
    tied.write_csv(file, include_header=False, separator=" ")


def _one_decimal(frame: pl.DataFrame, file: BinaryIO) -> None:
    import polars as pl

    rounded = frame.with_columns(score=pl.col("score") / 1e6)
    rounded.write_csv(file, include_header=False, separator=" ", float_precision=1)


def _shuffled(frame: pl.DataFrame, file: BinaryIO) -> None:
    import numpy as np

    order = np.random.default_rng([VERSION, len(frame)]).permutation(len(frame))
    frame[order].with_columns(score=_six_decimals()).write_csv(file, include_header=False, separator=" ")


def _crlf(frame: pl.DataFrame, file: BinaryIO) -> None:
    """Columns one below the other, two or more blanks between them, and the line ends of Windows."""
    import polars as pl

    padded = [
        pl.col("query").cast(pl.String).str.pad_end(7),
        pl.col("iteration"),
        pl.col("doc").cast(pl.String).str.pad_end(8),
        pl.col("rank").cast(pl.String).str.pad_start(4),
        _six_decimals().str.pad_start(9),
        pl.col("tag"),
    ]
    lines = frame.select(pl.concat_str(padded, separator="  "))
    lines.write_csv(file, include_header=False, line_terminator="\r\n", quote_style="never")


def _exponents(frame: pl.DataFrame, file: BinaryIO) -> None:
    """Scores as `%e` prints them, 1.234567e+01; all of them are below 100 and nearly all above 1."""
    import polars as pl

    score = pl.col("score")
    printed = (
        pl.when(score >= 10_000_000)
        .then(pl.concat_str(_decimals(score // 10), pl.lit("e+01")))
        .otherwise(pl.concat_str(_decimals(score), pl.lit("e+00")))
    )
    frame.with_columns(score=printed).write_csv(file, include_header=False, separator=" ")


WRITERS: Final[dict[str, Callable[[pl.DataFrame, BinaryIO], None]]] = {
    "msmarco": _msmarco,
    "digits": _all_digits,
    "long": _long,
    "tied": _tied,
    "one_decimal": _one_decimal,
    "shuffled": _shuffled,
    "crlf": _crlf,
    "exponents": _exponents,
}
COMPRESSED: Final = {"gzip": ".gz", "zstd": ".zst", "bzip2": ".bz2", "xz": ".xz"}
"""Compressions and the ends of their files' names."""


def _compress(plain: Path, kind: str, file: BinaryIO) -> None:
    """Compress a file at the level that the program of this name takes by default."""
    libraries: dict[str, Callable[[], Any]] = {
        "gzip": partial(gzip.GzipFile, "", "wb", 6, file, mtime=0),
        "zstd": lambda: import_module(ZSTD).open(file, "wb"),
        "bzip2": partial(bz2.open, file, "wb"),
        "xz": partial(lzma.open, file, "wb"),
    }
    with plain.open("rb") as source, libraries[kind]() as stream:
        shutil.copyfileobj(source, stream, 1 << 20)


def _write(path: Path, fill: Callable[[BinaryIO], None]) -> None:
    """Write a file under another name first, so that where it is, it is whole."""
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        fill(file)
    part.replace(path)


def write_kind(sample: Sample, kind: str) -> None:
    """Write the run in one form."""
    if kind in COMPRESSED:
        _write(kind_path(sample, kind), lambda file: _compress(sample.run, kind, file))
    else:
        _write(kind_path(sample, kind), lambda file: WRITERS[kind](_frame(sample), file))


def write_long_qrels(sample: Sample) -> None:
    """Write the labels with long document ids."""
    import polars as pl

    names = ["query", "zero", "doc", "relevance"]
    labels = pl.read_csv(sample.qrels, has_header=False, separator=" ", new_columns=names)
    path = long_qrels_path(sample)
    _write(path, lambda file: labels.with_columns(doc=_long_id()).write_csv(file, include_header=False, separator=" "))


def write_several(sample: Sample, count: int) -> None:
    """Write runs that hold the documents of the sample's in orders of their own, each with scores of its own."""
    import numpy as np
    import polars as pl

    frame = _frame(sample).with_columns(doc=_long_id())
    docs, scores = (frame[name].to_numpy().reshape(-1, DEPTH) for name in ("doc", "score"))
    paths = several_paths(sample, count)
    paths[0].parent.mkdir(exist_ok=True)
    for number, path in enumerate(paths, 1):
        rng = np.random.default_rng([VERSION, sample.queries, number])
        moved = np.argsort(np.arange(DEPTH) + rng.normal(0, 20, size=docs.shape), axis=1)
        run = frame.with_columns(
            doc=pl.Series(np.take_along_axis(docs, moved, axis=1).ravel(), dtype=pl.String),
            score=scores.ravel() * rng.uniform(0.2, 5),
            tag=pl.lit(path.stem),
        )
        _write(path, partial(_all_digits, run))


def main(arguments: Sequence[str]) -> None:
    sample = Sample(bench_folder(), int(arguments[0]))
    if arguments[1] == "qrels":
        write_long_qrels(sample)
    elif arguments[1] == "several":
        write_several(sample, int(arguments[2]))
    else:
        for kind in arguments[1:]:
            write_kind(sample, kind)


if __name__ == "__main__":
    main(sys.argv[1:])
