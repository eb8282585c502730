from __future__ import annotations

import re

import pytest

from runoff.display.grid import Column, Grid
from runoff.display.latex_text import escape_latex, render_latex

GOLDEN = r"""% needs \usepackage{booktabs}
\begin{table}[tb]
\centering
\caption{Runs}
\smallskip
\begin{tabular}{lrrrrr}
\toprule
Run & RR@10 & Difference & Queries & Answered & p \\
\midrule
birch & \textbf{0.4123} & +0.1000 & 6,980 & \textbf{90.0\%} & \textbf{$<$0.0001} \\
bm25\_v2 & 0.3123 & $-$0.0500 & 1,200 & 65.7\% & 0.0499 \\
empty & -- & -- & 0 & -- & -- \\
\bottomrule
\end{tabular}
\par\smallskip
{\footnotesize\raggedright All 6,980 queries.\par}
\end{table}
"""


def test_golden(board):
    assert render_latex(board) == GOLDEN


@pytest.mark.parametrize(
    "char, command",
    [
        ("\\", r"\textbackslash{}"),
        ("&", r"\&"),
        ("%", r"\%"),
        ("$", r"\$"),
        ("#", r"\#"),
        ("_", r"\_"),
        ("{", r"\{"),
        ("}", r"\}"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("--", "-{}-"),
        ("---", "-{}-{}-"),
        ("a-b", "a-b"),
        ("a – b", "a -- b"),
        ("τ ≥ 0.9 †", r"$\tau$ $\geq$ 0.9 \textdagger{}"),
        ("søk 検索", "søk 検索"),
        ("\n", r"\textbackslash{}n"),
    ],
)
def test_escapes(char, command):
    assert escape_latex(char) == command


def test_hostile_names_stay_in_their_cells(hostile):
    body = render_latex(hostile).split(r"\midrule")[1].split(r"\bottomrule")[0]
    lines = body.strip().split("\n")
    assert len(lines) == len(hostile.rows)
    for line in lines:
        assert line.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", line)) == len(hostile.columns) - 1
        assert not re.search(r"(?<!\\)[%#_~^]", line)


def test_a_line_cannot_become_an_argument_of_the_line_end(hostile):
    text = render_latex(hostile)
    assert "\n{}[1] first & " in text
    assert "\n{}* starred -{}-flag & " in text
    assert "\n[" not in text
    assert "\n*" not in text


def test_title_and_notes_are_optional():
    text = render_latex(Grid(title="", columns=[Column("a", "A")], rows=[]))
    assert "caption" not in text
    assert "footnotesize" not in text
    assert "\\midrule\n\\bottomrule" in text


@pytest.mark.parametrize("columns, environment", [(8, "table"), (9, "table*")])
def test_a_table_of_many_columns_is_set_small_across_the_page(columns, environment):
    grid = Grid(title="Wide", columns=[Column(f"c{at}", "C") for at in range(columns)], rows=[["x"] * columns])
    text = render_latex(grid)
    assert f"\\begin{{{environment}}}[tb]" in text
    assert text.endswith(f"\\end{{{environment}}}\n")
    assert (r"\footnotesize\setlength{\tabcolsep}{3pt}" in text) == (columns > 8)


def test_marks_of_verdicts():
    assert escape_latex("†‡ Δ") == r"\textdagger{}\textdaggerdbl{} $\Delta$"


def test_p_values_and_t_tests_in_sentences_are_mathematics():
    grid = Grid(title="p < 0.05", columns=[Column("a", "A")], rows=[], notes=["Paired t test, p < 0.0001. at test <"])
    text = render_latex(grid)
    assert r"\caption{$p < 0.05$}" in text
    assert "Paired $t$ test, $p < 0.0001$. at test $<$" in text
