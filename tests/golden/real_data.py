"""The same verbs on real data, of which only digests and keys are stored: none of the data is in the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.golden.differences import difference
from tests.golden.program import Command
from tests.golden.stored import EXPECTED, REAL, digest, key_paths

FILE = EXPECTED / REAL
ROBUST = tuple(f"data/robust03/input.{name}.gz" for name in ("pircRBa1", "humR03dc", "uic0301", "SABIR03BASE"))
ROBUST_QRELS = ("--qrels", "data/robust03/qrels.txt.gz")
DL21 = tuple(f"data/dl21/runs/{name}.gz" for name in ("pash_f3", "p_bm25", "mono_d3", "TUW_DR_Base"))
DL21_QRELS = ("--qrels", "data/dl21/qrels.nist.txt.gz")
JUDGMENTS = "data/preferences/judgments.txt"
DOCUMENTS = ("early.run", "late.run")
DOCUMENT_QRELS = ("--qrels", "data/msmarco/qrels.msmarco-doc.dev.txt")
GAINS = ("--gains", "0,0.2,0.8,1")

COMMANDS = (
    Command("robust03-evaluate", ("evaluate", *ROBUST, *ROBUST_QRELS, "-m", "AP", "-m", "nDCG@10", "-m", "RR")),
    Command("robust03-compare", ("compare", *ROBUST, *ROBUST_QRELS, "-m", "AP", "--depth", "100", "--level", "1")),
    Command("robust03-board", ("board", "robust03.toml")),
    Command("robust03-audit", ("audit", "robust03.toml", "-m", "nDCG@10")),
    Command("robust03-reliability", ("reliability", *ROBUST, *ROBUST_QRELS, "-m", "AP", "--splits", "20")),
    Command("robust03-ipso", ("ipso", *ROBUST[:2], *ROBUST_QRELS, "--level", "1")),
    Command("robust03-ipso-runs", ("ipso", *ROBUST, *ROBUST_QRELS, "--level", "1", "--depth", "10,20", "-m", "AP")),
    Command("robust03-calibrate", ("calibrate", *ROBUST, *ROBUST_QRELS, "--boards", "2", "--queries", "50")),
    Command("robust03-pool", ("pool", *ROBUST, *ROBUST_QRELS, "--depth", "3")),
    Command("robust03-report", ("report", "robust03.toml", "--splits", "20")),
    Command("dl21-evaluate", ("evaluate", *DL21, *DL21_QRELS, "-m", "nDCG@10", "-m", "AP(rel=2)", "-m", "Judged@10")),
    Command("dl21-compare", ("compare", *DL21, *DL21_QRELS, "-m", "nDCG@10", "--level", "2")),
    Command("dl21-board", ("board", *DL21, *DL21_QRELS, "-m", "nDCG@10")),
    Command("dl21-reliability", ("reliability", *DL21, *DL21_QRELS, "-m", "nDCG@10", "--splits", "20")),
    Command("dl21-ipso", ("ipso", *DL21[:2], *DL21_QRELS, *GAINS)),
    Command("dl21-pool", ("pool", *DL21, *DL21_QRELS, "--sample", "20")),
    Command("dl21-tasks", ("tasks", *DL21, *DL21_QRELS, "--sample", "20")),
    Command("dl21-tally", ("tally", JUDGMENTS, *(word for run in DL21 for word in ("--runs", run)), *DL21_QRELS)),
    Command("dl21-maintain", ("maintain", *DL21, "--labels", DL21_QRELS[1], "--judgments", JUDGMENTS)),
    Command("dl21-report", ("report", *DL21, *DL21_QRELS, "-m", "nDCG@10", "--splits", "20")),
    Command(
        "msmarco-import",
        ("board", "--import", "data/msmarco/document-leaderboard.csv", "-o", "published.toml"),
        ("published.toml",),
        format="table",
    ),
    Command("msmarco-published", ("board", "published.toml"), after="msmarco-import"),
    Command("msmarco-published-report", ("report", "published.toml"), after="msmarco-import"),
    Command("msmarco-evaluate", ("evaluate", *DOCUMENTS, *DOCUMENT_QRELS)),
    Command("msmarco-compare", ("compare", *DOCUMENTS, *DOCUMENT_QRELS)),
    Command("msmarco-board", ("board", *DOCUMENTS, *DOCUMENT_QRELS, "-m", "RR@100")),
    Command("msmarco-ipso", ("ipso", *DOCUMENTS, *DOCUMENT_QRELS)),
    Command("msmarco-pool", ("pool", *DOCUMENTS, *DOCUMENT_QRELS, "--sample", "100")),
)
BY_NAME = {command.name: command for command in COMMANDS}


class RealOutputs:
    """Makes outputs on real data by name, in a temporary folder from which the data is reached by a relative path."""

    def __init__(self, folder: Path, data: Path) -> None:
        self.folder = folder
        self._made: dict[str, dict[str, bytes]] = {}
        (folder / "data").symlink_to(data.resolve(), target_is_directory=True)
        _write_robust_board(folder)
        _write_document_runs(folder)

    def of(self, name: str) -> dict[str, dict[str, object]]:
        """By file name, the digest of an output and its keys."""
        return {file: _summary(file, content) for file, content in self._outputs(name).items()}

    def close(self) -> None:
        """Nothing is open."""

    def _outputs(self, name: str) -> dict[str, bytes]:
        if name not in self._made:
            command = BY_NAME[name]
            if command.after:
                self._outputs(command.after)
            self._made[name] = command.outputs(self.folder)
        return self._made[name]


def read_summaries() -> dict[str, dict[str, object]]:
    """The golden file, by the name of an output's file."""
    found: dict[str, dict[str, object]] = json.loads(FILE.read_bytes()) if FILE.exists() else {}
    return found


def write_summaries(summaries: dict[str, dict[str, object]]) -> None:
    """Replace the golden file."""
    FILE.write_bytes(_rendered(summaries))


def summary_difference(expected: dict[str, dict[str, object]], actual: dict[str, dict[str, object]]) -> str:
    """What changed, of all files or of some."""
    return difference(FILE.name, _rendered(expected), _rendered(actual))


def _rendered(summaries: dict[str, dict[str, object]]) -> bytes:
    return (json.dumps(summaries, indent=1) + "\n").encode()


def _summary(file: str, content: bytes) -> dict[str, object]:
    keys = sorted(key_paths(json.loads(content))) if file.endswith(".json") else []
    return {"sha256": digest(content), "bytes": len(content), "keys": keys}


def _write_robust_board(folder: Path) -> None:
    """A board.toml of four runs; every other query is private."""
    from runoff.files import read_qrels

    query_ids = read_qrels(folder / ROBUST_QRELS[1]).query_ids
    for start, name in enumerate(("public", "private")):
        (folder / f"{name}.txt").write_text("".join(f"{query}\n" for query in query_ids[start::2]), encoding="utf-8")
    lines = ['title = "Robust 2003"', 'measure = "AP"', "depth = 100"]
    for name in ("public", "private"):
        lines += [f"[queries.{name}]", f'path = "{name}.txt"']
    lines += ["[labels.nist]", f'path = "{ROBUST_QRELS[1]}"']
    for number, run in enumerate(ROBUST):
        lines += ["[[runs]]", f'name = "run {number}"', f'path = "{run}"']
        lines += [f'team = "team {number % 2}"', f"date = 2003-06-{number + 1:02d}"]
    (folder / "robust03.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_document_runs(folder: Path) -> None:
    """Two runs for the document-dev queries, of which there are no real ones: the label among labels of other queries.

    The second has it later on most queries, and not at all on some.
    """
    from runoff.files import read_qrels

    labels = [(query, document) for query, document, _ in read_qrels(folder / DOCUMENT_QRELS[1])]

    def lines(place: int, rank: int) -> Iterator[str]:
        query, label = labels[place]
        near = (labels[(place + step) % len(labels)][1] for step in range(1, 31))
        others = [document for document in dict.fromkeys(near) if document != label]
        ranked = [*others[: rank - 1], label, *others[rank - 1 :]][:10]
        return (f"{query} Q0 {document} {at} {100 - at} made\n" for at, document in enumerate(ranked, start=1))

    for name, ranks in (("early.run", (1, 2, 1, 5, 11)), ("late.run", (2, 1, 3, 11, 4, 11, 6))):
        text = "".join(line for place in range(len(labels)) for line in lines(place, ranks[place % len(ranks)]))
        (folder / name).write_text(text, encoding="utf-8")
