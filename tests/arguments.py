"""Good calls of every verb and reader, and values that are wrong for them, for tests of arguments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import runoff

QRELS = {f"q{place}": {"d": 1, "x": 0} for place in range(12)}
LATE = {query: {"x": 3.0, "y": 2.0, "d": 1.0} for query in QRELS}
EARLY = {query: {"d": 2.0, "x": 1.0} for query in QRELS}
RUNS = {"late": LATE, "early": EARLY}

FILES = {
    "qrels.txt": "".join(f"{query} 0 d 1\n" for query in QRELS),
    "run.txt": "".join(f"{query} Q0 d 1 1 r\n" for query in QRELS),
    "queries.txt": "q1\nq2\n",
    "texts.tsv": "d\tsome text\n",
    "scores.csv": "query,a,b\nq1,1,0\nq2,0,1\n",
    "judged.csv": "topic,left,right,preferred\nq1,d,x,left\n",
    "tasks.csv": "task,query,left,right\nt1,q1,d,x\n",
    "board.toml": 'title="t"\nmeasure="RR@10"\n[labels.l]\npath="qrels.txt"\n[[runs]]\npath="run.txt"\nname="r"\n',
}

GOOD: dict[str, dict[str, Any]] = {
    "audit": {"source": "board.toml"},
    "board": {"source": RUNS, "qrels": QRELS, "trials": 20},
    "calibrate": {"source": RUNS, "qrels": QRELS},
    "check": {"runs": RUNS, "qrels": QRELS},
    "compare": {"champion": LATE, "challenger": EARLY, "qrels": QRELS},
    "demo": {"folder": "demo"},
    "evaluate": {"runs": RUNS, "qrels": QRELS},
    "ipso": {"source": RUNS, "qrels": QRELS},
    "maintain": {"runs": RUNS, "labels": QRELS},
    "parse_measure": {"text": "RR@10"},
    "pool": {"source": RUNS, "qrels": QRELS},
    "read_judgments": {"source": "judged.csv"},
    "read_qrels": {"source": "qrels.txt"},
    "read_query_list": {"source": "queries.txt"},
    "read_run": {"source": "run.txt"},
    "read_scores": {"source": "scores.csv"},
    "read_tasks": {"source": "tasks.csv"},
    "read_texts": {"source": "texts.tsv", "ids": ["d"]},
    "reliability": {"source": RUNS, "qrels": QRELS, "splits": 4},
    "report": {"source": RUNS, "qrels": QRELS},
    "scale": {"measure": "RR@3"},
    "schema": {"command": "compare"},
    "submit": {"path": "run.txt", "board": "http://127.0.0.1:9/board", "token": "x"},
    "tally": {"judgments": "judged.csv"},
    "tasks": {"runs": RUNS, "qrels": QRELS},
}
"""Arguments that every verb and reader can work with, in a folder with FILES."""


class Thing:
    """Nothing that runoff knows."""


WRONG: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a number": lambda: 3,
    "a negative number": lambda: -1,
    "a fraction": lambda: 2.5,
    "nan": lambda: float("nan"),
    "a huge number": lambda: 10**30,
    "True": lambda: True,
    "an empty text": str,
    "a misspelled name": lambda: "nosuch",
    "bytes": lambda: b"\x00x",
    "a folder": lambda: ".",
    "a path": lambda: Path("nosuch"),
    "an empty list": list,
    "an empty dict": dict,
    "a list of None": lambda: [None],
    "a list of numbers": lambda: [3],
    "a list of lists": lambda: [["a"]],
    "a list of empty lists": lambda: [[]],
    "a dict of numbers": lambda: {"a": 3},
    "a dict of None": lambda: {"a": None},
    "a dict of texts": lambda: {"q": {"d": "x"}},
    "a dict of Nones": lambda: {"q": {"d": None}},
    "a generator of numbers": lambda: iter([1, 2]),
    "a generator of texts": lambda: iter(["nosuch"]),
    "an array": lambda: np.arange(3),
    "a table of numbers": lambda: np.zeros((2, 3)),
    "a frame with other columns": lambda: pl.DataFrame({"u": [1], "v": [2]}),
    "a date": lambda: date(2020, 1, 1),
    "an object": Thing,
    "a class": lambda: Thing,
    "a set": lambda: {"nosuch"},
    "qrels": lambda: runoff.read_qrels(b"q1 0 d 1\n"),
    "a run": lambda: runoff.read_run(b"q1 Q0 d 1 1 r\n"),
    "scores": lambda: runoff.read_scores(b"query,a,b\nq1,1,0\nq2,0,1\n"),
    "a policy": runoff.Policy,
    "reading": runoff.ReadOptions,
}
"""Made anew for every call, since an iterator can be read once."""
