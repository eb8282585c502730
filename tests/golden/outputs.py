"""Every output that has a golden file: the commands, in the order of the verbs, and the addresses of the server."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from tests.golden.demo_year import RUNS, demo_outputs, write_year
from tests.golden.program import Command
from tests.golden.served import ADDRESSES, Client, served_demo

QRELS = ("--qrels", "qrels-sparse.txt")
PAIR = RUNS[:2]
GRADED = (
    *("RR@10", "nDCG@10", "AP", "P@5", "R@20", "Success@5", "RBP(p=0.8)", "ERR@10", "Rprec", "Bpref", "Judged@10"),
    "RR(rel=2)@10",
)
MEASURES = ("-m", "nDCG@10", "-m", "AP", "-m", "RR@10")

COMMANDS = (
    Command("demo-small", ("demo", "small", "--small")),
    Command("evaluate", ("evaluate", *RUNS, *QRELS)),
    Command(
        "evaluate-graded",
        ("evaluate", *RUNS, "--qrels", "qrels-deep.txt", *(word for name in GRADED for word in ("-m", name))),
    ),
    Command(
        "evaluate-per-query",
        ("evaluate", *PAIR, *QRELS, "--queries", "private.txt", "--per-query", "--quiet"),
        format="csv",
    ),
    Command("compare", ("compare", *PAIR, *QRELS, "--queries", "public.txt", "--depth", "20")),
    Command("compare-table", ("compare", *PAIR, *QRELS), format="table"),
    Command("compare-latex", ("compare", *PAIR, *QRELS, "--quiet"), format="latex"),
    Command("compare-several", ("compare", *RUNS, *QRELS, "-m", "nDCG@10", "-m", "RR@10", "--margin", "0.05")),
    Command("compare-several-table", ("compare", *RUNS, *QRELS), format="table"),
    Command("compare-several-latex", ("compare", *RUNS, *QRELS, "--quiet"), format="latex"),
    Command("compare-systems", ("compare", *RUNS[:4], *QRELS, *MEASURES), format="table"),
    Command("compare-systems-latex", ("compare", *RUNS, *QRELS, *MEASURES, "--marks", "baseline"), format="latex"),
    Command("compare-systems-html", ("compare", *RUNS[:3], *QRELS, *MEASURES, "--baseline", RUNS[3]), format="html"),
    Command("compare-evidence", ("compare", *PAIR, *QRELS, "--quiet", "--evidence", "--judgments", "judgments.csv")),
    Command("compare-resolution", ("compare", *PAIR, *QRELS, "-m", "RR@10", "-m", "nDCG@10", "--resolution")),
    Command("compare-scores", ("compare", "ebro-3.run", "forth-3.run", "--scores", "matrix.csv")),
    Command("check", ("check", "board.toml")),
    Command("check-table", ("check", *RUNS, *QRELS), format="table"),
    Command("board", ("board", "board.toml")),
    Command("board-table", ("board", "board.toml"), format="table"),
    Command("board-private", ("board", "board.toml", "--query-set", "private", "--order", "verdict")),
    Command("board-runs", ("board", *RUNS, *QRELS, "-m", "nDCG@10")),
    Command("board-runs-table", ("board", *RUNS, *QRELS), format="table"),
    Command("board-rank-table", ("board", *RUNS, *QRELS, "--quiet", "--rank-table")),
    Command("board-interval-scaled", ("board", *RUNS, *QRELS, "--quiet", "--interval-scaled")),
    Command("board-evidence", ("board", *RUNS, *QRELS, "--quiet", "--evidence", "pairs")),
    Command("board-resolution", ("board", *RUNS, *QRELS, "--quiet", "--resolution", "--difference", "0.05")),
    Command("board-scores", ("board", "--scores", "matrix.csv", "-m", "RR@10")),
    # A table also with --format json, which this option does not look at.
    Command(
        "board-import",
        ("board", "--import", "leaderboard.csv", "-o", "imported.toml"),
        ("imported.toml",),
        format="table",
    ),
    Command("board-published", ("board", "imported.toml"), after="board-import"),
    Command("audit", ("audit", "board.toml", "-m", "nDCG@10")),
    Command("reliability", ("reliability", *RUNS, *QRELS)),
    Command("reliability-scores", ("reliability", "--scores", "matrix.csv", "--splits", "20")),
    Command("calibrate", ("calibrate", *RUNS, *QRELS, "--boards", "4", "--queries", "50", "--trials", "100")),
    Command(
        "pool",
        ("pool", *RUNS, *QRELS, "--sample", "20", "--queries-out", "sample.txt", "--pairs-out", "pairs.txt"),
        ("sample.txt", "pairs.txt"),
    ),
    Command("tasks", ("tasks", *RUNS, *QRELS, "--sample", "3", "--tasks-out", "tasks.csv"), ("tasks.csv",)),
    Command(
        "tasks-export",
        (
            *("tasks", "--from", "tasks.csv", "--query-texts", "queries.tsv", "--doc-texts", "documents.tsv"),
            *("--sheet", "sheet.csv", "--mturk", "batch.csv", "--label-studio", "studio.json"),
            *("--simulate-judgments", "0.1", "--judgments-out", "simulated.csv"),
        ),
        ("sheet.csv", "batch.csv", "batch.html", "studio.json", "studio.xml", "simulated.csv"),
        after="tasks",
    ),
    Command(
        "tally",
        (
            *("tally", "judgments.csv", "--runs", "runs/*.run.gz", *QRELS, "--bradley-terry"),
            *("--qrels-out", "preference.qrels", "--reissue-out", "reissue.csv"),
        ),
        ("preference.qrels", "reissue.csv"),
    ),
    Command(
        "maintain",
        ("maintain", *PAIR, "--labels", "qrels-sparse.txt", "--judgments", "judgments.csv", "--pairs-out", "more.txt"),
        ("more.txt",),
    ),
    Command(
        "maintain-labels",
        ("maintain", "--labels", "qrels-sparse.txt", "--judgments", "judgments.csv", "--labels-out", "labels-2.qrels"),
        ("labels-2.qrels",),
    ),
    Command(
        "maintain-sequential",
        ("maintain", *PAIR, "--labels", "qrels-sparse.txt", "--judgments", "judgments.csv", "--sequential"),
    ),
    Command(
        "maintain-versions",
        ("maintain", *RUNS, "--old", "qrels-sparse.txt", "--new", "labels-2.qrels"),
        after="maintain-labels",
    ),
    Command("ipso", ("ipso", *PAIR, *QRELS, "--queries", "private.txt", "--depth", "10")),
    Command("ipso-runs", ("ipso", *RUNS, *QRELS, "--depth", "5,10", "-m", "AP", "-m", "nDCG")),
    Command("ipso-board", ("ipso", "board.toml")),
    Command("ipso-theory", ("ipso", "--theory", "--depth", "20")),
    Command(
        "report",
        ("report", "board.toml", "-m", "nDCG@10", "--judgments", "judgments.csv", "--latex", "tables", "--full"),
        ("tables",),
    ),
    Command("report-runs", ("report", *RUNS, *QRELS)),
    Command("report-submission", ("report", "board.toml", "--submission", RUNS[1], "--name", "new", "--team", "Us")),
    Command("scale", ("scale", "RR@3")),
    Command("scale-graded", ("scale", "nDCG@3", "--highest", "2", "--relevant", "2,1")),
)
"""All but `runoff demo`, which makes three golden files in `demo_outputs`."""

LEFT_OUT = {
    "mcp": "answers a client; tests/cli/test_mcp.py",
    "schema": "prints a file of the package; tests/verbs/test_schema.py",
    "serve": "prints no results; its answers are golden files of the server",
    "admin": "changes a server; tests/cli/test_admin.py",
    "submit": "talks to a server; tests/cli/test_submit.py",
}
"""Verbs without a golden file, each with the reason."""


DEMO = "demo"
ACCESS = "access"
"""Who may do what: every address of the server, asked for by everybody."""
BY_NAME = {command.name: command for command in COMMANDS}
NAMES = (DEMO, *BY_NAME, *ADDRESSES, ACCESS)
"""Every output, in order."""


class Outputs:
    """Makes outputs by name, below a folder of its own; what several of them need is made once."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self._open = ExitStack()
        self._made: dict[str, dict[str, bytes]] = {}

    def close(self) -> None:
        """Stop the server, if there is one."""
        self._open.close()

    @cached_property
    def folder(self) -> Path:
        """The files of the short year."""
        return write_year(self.base)

    @cached_property
    def client(self) -> Client:
        """An anonymous visitor of a server that has the board of the short year."""
        return self._open.enter_context(served_demo(self.folder / "board.toml", self.base / "server"))

    def of(self, name: str) -> dict[str, bytes]:
        """By file name, the bytes of an output; most have one file, some commands write more."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> dict[str, bytes]:
        if name == DEMO:
            return demo_outputs(self.base / DEMO)
        if name == ACCESS:
            from tests.server.web.access import access_table

            return {f"{ACCESS}.md": access_table(self.base / ACCESS).encode()}
        if name in ADDRESSES:
            return {f"{name}.{ADDRESSES[name].suffix}": self.client(ADDRESSES[name])}
        command = BY_NAME[name]
        if command.after:
            self.of(command.after)
        return command.outputs(self.folder)
