"""The table of a paper by PyTerrier, its runs being files: QRELS RUN..."""

import sys

import pandas as pd
import pyterrier as pt
from ir_measures import AP, RR, nDCG

qrels = pt.io.read_qrels(sys.argv[1])
topics = pd.DataFrame({"qid": qrels["qid"].unique()})
runs = [pt.io.read_results(path) for path in sys.argv[2:]]
measures = [nDCG @ 10, AP, RR @ 10]
table = pt.Experiment(runs, topics, qrels, measures, names=sys.argv[2:], baseline=0, correction="holm", round=4)
print(table.to_latex(index=False))
