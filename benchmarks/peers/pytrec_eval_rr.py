"""Mean reciprocal ranks by pytrec_eval: QRELS RUN..."""

from __future__ import annotations

import sys
from pathlib import Path

import pytrec_eval


def main(qrels_path: str, *run_paths: str) -> None:
    with Path(qrels_path).open(encoding="utf-8") as file:
        qrels = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})
    for path in run_paths:
        print(total_of(evaluator, path) / len(qrels))


def total_of(evaluator: pytrec_eval.RelevanceEvaluator, path: str) -> float:
    """A function of its own, so that a run is dropped from memory before the next is read."""
    with Path(path).open(encoding="utf-8") as file:
        run = pytrec_eval.parse_run(file)
    return float(sum(value["recip_rank"] for value in evaluator.evaluate(run).values()))


if __name__ == "__main__":
    main(*sys.argv[1:])
