"""The table of a paper by ranx: QRELS RUN..."""

import sys

from ranx import Qrels, Run, compare

qrels = Qrels.from_file(sys.argv[1], kind="trec")
runs = [Run.from_file(path, kind="trec") for path in sys.argv[2:]]
report = compare(qrels, runs, metrics=["ndcg@10", "map", "mrr@10"], stat_test="student", max_p=0.05)
print(report.to_latex())
