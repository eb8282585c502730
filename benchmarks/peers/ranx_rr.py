"""The mean reciprocal rank at 10 by ranx: QRELS RUN."""

from __future__ import annotations

import sys

import ranx


def main(qrels_path: str, run_path: str) -> None:
    qrels = ranx.Qrels.from_file(qrels_path, kind="trec")
    run = ranx.Run.from_file(run_path, kind="trec")
    print(ranx.evaluate(qrels, run, "mrr@10"))


if __name__ == "__main__":
    main(*sys.argv[1:])
