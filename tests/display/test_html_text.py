from __future__ import annotations

from html.parser import HTMLParser

from runoff.display.grid import Column, Grid
from runoff.display.html_text import render_html, render_html_page, render_paragraphs

GOLDEN = """\
<table class="runoff">
<caption>Runs</caption>
<thead>
<tr><th scope="col" title="Name of the run.">Run</th>\
<th scope="col" class="number" title="Mean reciprocal rank.">RR@10</th>\
<th scope="col" class="number">Difference</th><th scope="col" class="number">Queries</th>\
<th scope="col" class="number">Answered</th><th scope="col" class="number">p</th></tr>
</thead>
<tbody>
<tr><th scope="row">birch</th><td class="number"><strong>0.4123</strong></td><td class="number">+0.1000</td>\
<td class="number">6,980</td><td class="number"><strong>90.0%</strong></td>\
<td class="number"><strong>&lt;0.0001</strong></td></tr>
<tr><th scope="row">bm25_v2</th><td class="number">0.3123</td><td class="number">−0.0500</td>\
<td class="number">1,200</td><td class="number">65.7%</td><td class="number">0.0499</td></tr>
<tr><th scope="row">empty</th><td class="number">–</td><td class="number">–</td><td class="number">0</td>\
<td class="number">–</td><td class="number">–</td></tr>
</tbody>
<tfoot>
<tr><td colspan="6"><div>All 6,980 queries.</div></td></tr>
</tfoot>
</table>
"""


class Reader(HTMLParser):
    """Collects the tags of a document, and fails where they do not nest."""

    EMPTY = frozenset({"meta"})

    def __init__(self, text):
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_golden(board):
    assert render_html(board) == GOLDEN


def test_hostile_names_are_text(hostile):
    reader = Reader(render_html(hostile))
    assert "script" not in reader.seen
    assert "b" not in reader.seen
    assert '<script>alert("x")</script>' in reader.texts
    assert "Names </caption> & 100%" in reader.texts
    assert reader.seen.count("tr") == 1 + len(hostile.rows) + len(hostile.notes)


def test_hostile_help_and_titles_stay_in_their_attributes():
    trap = '"><script>x</script>'
    grid = Grid(title=trap, columns=[Column("a", trap, help=trap)], rows=[[trap]], notes=[trap])
    reader = Reader(render_html_page([grid], title=trap))
    assert "script" not in reader.seen
    assert ("title", trap) in reader.attributes
    assert ("aria-label", trap) in reader.attributes


def test_the_page_needs_nothing_else(board, hostile):
    page = render_html_page([board, hostile])
    reader = Reader(page)
    assert page.startswith("<!doctype html>\n")
    assert "<title>Runs</title>" in page
    assert reader.seen.count("table") == 2
    assert not {"script", "link", "img", "iframe"} & set(reader.seen)
    assert "http" not in page
    assert "@media (prefers-color-scheme: dark)" in page
    assert 'name="viewport"' in page


def test_the_page_has_a_title_in_any_case():
    assert "<title>runoff</title>" in render_html_page([])
    assert "<title>Mine</title>" in render_html_page([], title="Mine")


def test_a_bare_table():
    text = render_html(Grid(title="", columns=[Column("a", "A", "count")], rows=[[1]], notes=["n"]))
    assert "caption" not in text
    assert "<tr><td><div>n</div></td></tr>" in text
    assert '<tbody>\n<tr><td class="number">1</td></tr>' in text


def test_paragraphs_are_escaped_and_come_first_on_a_page(board):
    assert render_paragraphs(["a < b & <i>c</i>", "\x1b"]) == (
        "<p>a &lt; b &amp; &lt;i&gt;c&lt;/i&gt;</p>\n<p>\\x1b</p>\n"
    )
    assert render_paragraphs([]) == ""
    page = render_html_page([board], opening=["First <b>.", "Second."])
    assert "<main>\n<p>First &lt;b&gt;.</p>\n<p>Second.</p>\n<div" in page
    assert "<p>" not in render_html_page([board])
