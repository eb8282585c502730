"""See that an installed wheel has the compiled reader and reads a run; cibuildwheel calls this on each wheel."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

RUN = "q1 Q0 d1 1 2.0 sample\nq1 Q0 d2 2 1.0 sample\nq2 Q0 d3 1 2.0 sample\n"
QRELS = "q1 0 d2 1\nq2 0 d3 1\n"
MEAN = 0.75


def main() -> None:
    """Import the module, then score a run of three lines."""
    compiled = importlib.import_module("runoff.rows._compiled")
    from runoff import evaluate

    with tempfile.TemporaryDirectory() as folder:
        run, qrels = Path(folder, "sample.run"), Path(folder, "qrels.txt")
        run.write_text(RUN, encoding="utf-8")
        qrels.write_text(QRELS, encoding="utf-8")
        result = evaluate(run, qrels, measures=["RR@10"])
        mean = result.mean(result.runs[0], "RR@10")
    if mean != MEAN:
        sys.exit(f"RR@10 of the sample is {mean}; expected {MEAN}")
    print(f"{compiled.__file__}: fine")


if __name__ == "__main__":
    main()
