"""Mean reciprocal ranks by pytrec_eval: CUTOFF QRELS RUN...

pytrec_eval has no cutoff for them, but a value tells its rank: one below 1/CUTOFF counts as 0. A CUTOFF of 0 is none.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytrec_eval


def main(cutoff: str, qrels_path: str, *run_paths: str) -> None:
    least = 1 / int(cutoff) if int(cutoff) else 0.0
    with Path(qrels_path).open(encoding="utf-8") as file:
        qrels = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})
    for path in run_paths:
        print(total_of(evaluator, path, least) / len(qrels))


def total_of(evaluator: pytrec_eval.RelevanceEvaluator, path: str, least: float) -> float:
    """A function of its own, so that a run is dropped from memory before the next is read."""
    with Path(path).open(encoding="utf-8") as file:
        run = pytrec_eval.parse_run(file)
    values = [scores["recip_rank"] for scores in evaluator.evaluate(run).values()]
    return float(sum(value for value in values if value >= least))


if __name__ == "__main__":
    main(*sys.argv[1:])
