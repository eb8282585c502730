"""Tables of systems in LaTeX itself: they compile in `article`, and fit one column of a two-column page."""

import subprocess

import numpy as np
import pytest

import runoff
from runoff.verbs.compare import compare
from tests.programs import required

pytestmark = pytest.mark.proof

PAGE = r"""\documentclass[%s]{article}
\usepackage{booktabs}
\usepackage[T1]{fontenc}
\begin{document}
%s
\end{document}
"""
LONG = "uniCOIL-noexp_msmarco-passage_rerank_monoT5-3b-10k.trec"
NAMES = {
    "short": ["bm25", "dense", "late"],
    "long": ["bm25", LONG, f"{LONG}.gz", "my system with a name of several words"],
    "seeds": ["bm25", "dense#1", "dense#2", "late"],
    "signs": ["50% & more_of#x", r"$x^2 #{~}\\ \input{a}", "[1]", "--flag", "<a>|b`'\"", "üßøé", "λ-Δ ±≤†"],
    "eight": [f"system-{letter}" for letter in "abcdefgh"],
    "capitals": ["BM25", "SPLADE", "ColBERTv2", "monoT5-3B", "RankZephyr", "TAS-B", "uniCOIL", "TCT-ColBERT-v2"],
    "underscores": ["Fast_ForwardP_5", "NLE_P_V1andV2", "TUW_TAS-B_768", "bl_bcai_p_nn_rt", "WLUPassage1"],
    "many": [f"run_{place}" for place in range(30)],
}
MEASURES = ["nDCG@10", "AP", "RR@10"]


def compiled(tmp_path, source, columns="twocolumn"):
    """The log of pdflatex and the text of the page."""
    (tmp_path / "page.tex").write_text(PAGE % (columns, source), encoding="utf-8")
    run = [required("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    finished = subprocess.run(run, cwd=tmp_path, capture_output=True, check=False)
    log = (tmp_path / "page.log").read_text(encoding="latin-1")
    assert finished.returncode == 0, log[-2000:]
    text = subprocess.run(
        [required("pdftotext"), "-layout", "page.pdf", "-"], cwd=tmp_path, capture_output=True, check=True
    )
    return log, text.stdout.decode()


def table_of(names, measures):
    rng = np.random.default_rng(3)
    queries = tuple(map(str, range(40)))
    steps = 0.05 * np.arange(len(names))
    scores = [
        runoff.Scores(
            measure=measure, query_ids=queries, runs=tuple(names),
            values=np.clip(0.2 + 0.3 * rng.random((40, 1)) + steps + 0.05 * rng.random((40, len(names))), 0, 1),
        )
        for measure in measures
    ]  # fmt: skip
    table = compare(names[0], names[1:], scores=scores).table
    assert table is not None
    return table


@pytest.mark.parametrize("kind", NAMES)
def test_three_measures_fit_one_column(tmp_path, kind):
    table = table_of(NAMES[kind], MEASURES)
    log, text = compiled(tmp_path, table.to_latex())
    assert "Overfull" not in log
    assert r"\begin{table}" in table.to_latex()
    for mean in table.measures[1].means:
        assert f"{mean:.4f}" in text
    assert "Overfull" not in compiled(tmp_path, table.to_latex(), "onecolumn")[0]


@pytest.mark.parametrize("kind", ["eight", "capitals", "underscores", "many"])
@pytest.mark.parametrize("columns", ["onecolumn", "twocolumn"])
def test_four_measures_fit_one_column_or_both(tmp_path, kind, columns):
    latex = table_of(NAMES[kind], [*MEASURES, "R@100"]).to_latex()
    assert "Overfull" not in compiled(tmp_path, latex, columns)[0]


def test_what_does_not_fit_takes_both_columns(tmp_path):
    table = table_of(NAMES["long"], [f"nDCG@{cutoff}" for cutoff in (1, 3, 5, 10, 20, 100)])
    log, _ = compiled(tmp_path, table.to_latex())
    assert r"\begin{table*}" in table.to_latex()
    assert "Overfull" not in log
