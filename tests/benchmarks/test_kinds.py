"""The files of the main table hold the same lists in every form, and a tool that finds another mean ends it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks import kinds
from benchmarks.data import Sample, write_sample
from benchmarks.kind_files import (
    COMPRESSED,
    TIED,
    WRITERS,
    ZSTD,
    kind_path,
    long_qrels_path,
    several_paths,
    write_kind,
    write_long_qrels,
    write_several,
)
from benchmarks.kinds import FORMS, PLAIN, Kind, Row, best_and_worst, check_agreement, targets_of
from benchmarks.timing import Contender, Timed, TimedRun

QUERIES = 2


@pytest.fixture
def sample(tmp_path, monkeypatch) -> Sample:
    monkeypatch.setenv("RUNOFF_BENCH_DIR", str(tmp_path))
    return write_sample(QUERIES)


def content(path: Path) -> bytes:
    data = path.read_bytes()
    libraries: dict[str, Any] = {".gz": gzip, ".bz2": bz2, ".xz": lzma, ".zst": import_module(ZSTD)}
    return bytes(libraries[path.suffix].decompress(data)) if path.suffix in libraries else data


def lists(path: Path) -> dict[str, list[tuple[float, str]]]:
    """Scores and documents by query, the best first, ties by document descending."""
    found = defaultdict(list)
    for line in content(path).decode("ascii").splitlines():
        fields = line.split()
        query, doc = fields[0], fields[1 if len(fields) == 3 else 2]
        found[query].append((-float(fields[2]) if len(fields) == 3 else float(fields[4]), doc))
    return {query: sorted(documents, reverse=True) for query, documents in found.items()}


def docs(path: Path) -> dict[str, list[str]]:
    return {query: [doc for _, doc in documents] for query, documents in lists(path).items()}


def test_every_form_has_a_file():
    assert {PLAIN, *WRITERS, *COMPRESSED} == set(FORMS)


@pytest.mark.parametrize("kind", sorted({*WRITERS, *COMPRESSED} - {"long", "tied", "one_decimal"}))
def test_a_form_holds_the_lists_of_the_plain_run(sample, kind):
    write_kind(sample, kind)
    assert docs(kind_path(sample, kind)) == docs(sample.run)
    if kind in COMPRESSED:
        assert content(kind_path(sample, kind)) == sample.run.read_bytes()


def test_long_ids_keep_the_order_and_the_labels(sample):
    write_kind(sample, "long")
    write_long_qrels(sample)
    plain, long = docs(sample.run), docs(kind_path(sample, "long"))
    names = {(query, short): doc for query in plain for short, doc in zip(plain[query], long[query], strict=True)}
    assert all(20 <= len(doc) <= 28 for doc in names.values())
    labels = zip(*(path.read_text().splitlines() for path in (sample.qrels, long_qrels_path(sample))), strict=True)
    pairs = [(short.split(), long.split()) for short, long in labels]
    assert [names.get((query, doc), other[2]) for (query, _, doc, _), other in pairs] == [
        other[2] for _, other in pairs
    ]


@pytest.mark.parametrize("kind", ["tied", "one_decimal"])
def test_ties(sample, kind):
    write_kind(sample, kind)
    plain, tied = lists(sample.run), lists(kind_path(sample, kind))
    for query, documents in plain.items():
        if kind == "tied":
            scores = [documents[place - place % TIED][0] for place in range(len(documents))]
        else:
            scores = [round(score, 1) for score, _ in documents]
        assert [score for score, _ in tied[query]] == pytest.approx(scores, abs=1e-9)
        assert {doc for _, doc in tied[query]} == {doc for _, doc in documents}


@pytest.mark.parametrize(
    "kind, beginning",
    [
        ("digits", rb"\d+\tQ0\t\d+\t1\t37\.\d{12,16}\tmade-up\n"),
        ("long", rb"\d+ Q0 msmarco_passage_\d\d_\d+ 1 37\.\d{15} made-up\n"),
        ("crlf", rb"\d+ {2,}Q0 {2,}\d+ {2,}1 {2,}37\.\d{6} {2,}made-up\r\n"),
        ("exponents", rb"\d+ Q0 \d+ 1 3\.\d{6}e\+01 made-up\n"),
        ("msmarco", rb"\d+\t\d+\t1\n"),
        ("one_decimal", rb"\d+ Q0 \d+ 1 \d\d\.\d made-up\n"),
    ],
)
def test_how_a_line_looks(sample, kind, beginning):
    write_kind(sample, kind)
    assert re.match(beginning, kind_path(sample, kind).read_bytes())


def test_files_are_the_same_every_time(sample):
    paths = {kind: kind_path(sample, kind) for kind in (*WRITERS, *COMPRESSED)}
    for kind in paths:
        write_kind(sample, kind)
    before = {kind: path.read_bytes() for kind, path in paths.items()}
    for kind in paths:
        write_kind(sample, kind)
    assert {kind: path.read_bytes() for kind, path in paths.items()} == before


def test_several_runs_differ(sample):
    write_several(sample, 3)
    runs = [docs(path) for path in several_paths(sample, 3)]
    assert runs[0] != runs[1] != runs[2] != runs[0]
    assert all(set(run) == set(runs[0]) for run in runs)


def row(name: str, seconds: float, peers: dict[str, tuple[float, float]], least: float | None = 10) -> Row:
    """A row of 1 MB in which runoff finds a mean of 0.5; peers have their seconds and their means."""

    def timed(tool: str, seconds: float, mean: float) -> Timed:
        contender = Contender(tool, [], values=lambda _: [mean])
        return Timed(contender, [TimedRun(seconds, seconds, 10**8, 1, 1, "")])

    path = Path(name)
    kind = Kind(name, name, path, [path], [path], 10**6, least, name)
    return Row(
        kind, {kinds.RUNOFF: timed("runoff", seconds, 0.5)} | {peer: timed(peer, *it) for peer, it in peers.items()}
    )


def test_means_agree_within_what_a_tool_prints():
    assert "trec_eval to 5e-05" in check_agreement(
        [row("plain", 1, {"trec_eval": (20, 0.50005), "pytrec_eval": (9, 0.5)})]
    )


@pytest.mark.parametrize("peers", [{"trec_eval": (20, 0.5001)}, {"pytrec_eval": (9, 0.50001)}])
def test_a_tool_that_disagrees_ends_the_benchmark(peers):
    with pytest.raises(RuntimeError, match=r"ties in sevens: .* disagree"):
        check_agreement([row("plain", 1, {}), row("ties in sevens", 1, peers)])


def test_the_best_and_the_worst_row_are_named():
    rows = [row(name, seconds, {"trec_eval": (20, 0.5)}) for name, seconds in (("a", 2), ("b", 1), ("c", 4))]
    beside, by_bytes = best_and_worst(rows)
    assert beside == "Beside trec_eval, best: b, 20.0×; worst: c, 5.0×."
    assert by_bytes.startswith("By decompressed bytes, fastest: b, 1 MB/s; slowest: c,")


def test_targets():
    rows = [
        row("plain", 1, {"trec_eval": (20, 0.5)}, least=20),
        row("shuffled", 2, {"trec_eval": (10, 0.5)}, least=6),
        row("xz", 9, {"trec_eval": (20, 0.5), kinds.DECOMPRESSION: (8, 0.5)}, least=None),
    ]
    found = {target.what: (target.best, target.verdict) for target in targets_of(rows, [])}
    assert found == {
        "kinds: plain: trec_eval / runoff": (20, "met"),
        "kinds: shuffled: trec_eval / runoff": (5, "missed"),
        "kinds: xz: runoff / decompression alone": (9 / 8, "met"),
        "kinds: slowest / fastest form, time per byte without bzip2 and xz": (2, "met"),
        "kinds: memory, one run in order": (100, "met"),
        "kinds: memory, one run, shuffled": (100, "met"),
    }
