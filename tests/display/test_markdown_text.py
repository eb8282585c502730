"""Markdown: tables that a forge shows, and names that stay names."""

from __future__ import annotations

import pytest

from runoff.display import render, render_markdown
from runoff.display.markdown_text import escape_markdown, render_paragraph

GOLDEN = """\
**Runs**

| Run | RR@10 | Difference | Queries | Answered | p |
| --- | ---: | ---: | ---: | ---: | ---: |
| birch | **0.4123** | +0.1000 | 6,980 | **90.0%** | **&lt;0.0001** |
| bm25\\_v2 | 0.3123 | −0.0500 | 1,200 | 65.7% | 0.0499 |
| empty | – | – | 0 | – | – |

All 6,980 queries.
"""


def test_a_table(board):
    assert render_markdown(board) == GOLDEN


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a|b", "a\\|b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("[x](y) `c` *d* _e_ ~f~ $g$", "\\[x\\](y) \\`c\\` \\*d\\* \\_e\\_ \\~f\\~ \\$g\\$"),
        ("@you and RR@10", "@<!-- -->you and RR@10"),
        ("see #12", "see #<!-- -->12"),
        ("https://x.y www.x.y", "https:<!-- -->//x.y www<!-- -->.x.y"),
        ("two\nlines", "two\\\\nlines"),
    ],
)
def test_nothing_becomes_markup_or_calls_anybody(text, shown):
    assert escape_markdown(text) == shown


@pytest.mark.parametrize(
    "text, shown", [("- a", "\\- a"), ("# a", "\\# a"), ("1. a", "1\\. a"), ("12) a", "12\\) a"), ("a - b", "a - b")]
)
def test_a_paragraph_starts_no_list_and_no_heading(text, shown):
    assert render_paragraph(text) == shown


def test_every_row_of_hostile_names_stays_one_row(result_of, hostile):
    lines = render(result_of(hostile), "markdown").splitlines()
    assert sum(line.startswith("| ") for line in lines) == len(hostile.rows) + 2
    assert not [line for line in lines if "<script" in line]
