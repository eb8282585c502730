"""Tables of the page: text for people, values for sorting and CSV."""

from runoff.display import Column, Grid
from runoff.reports.page.tables import FILTER_FROM, MOST_NOTES, table


def grid(rows, notes=()):
    columns = [Column("run", "Run"), Column("d", "Δ", "number", signed=True, best="high", help="The difference.")]
    return Grid(title="T", columns=columns, rows=rows, notes=notes)


def test_a_cell_keeps_the_whole_value():
    made = table(grid([["a\x1b", -0.123456789], ["b", None]]), "k")
    first, second = made.rows
    assert (first[0].text, first[0].value, first[0].is_head) == ("a\\x1b", "a\x1b", True)
    assert (first[1].text, first[1].value) == ("−0.1235", "-0.123456789")
    assert (second[1].text, second[1].value) == ("–", "")
    assert second[0].value is None


def test_the_best_is_marked():
    made = table(grid([["a", 1.0], ["b", 2.0]]), "k")
    assert [row[1].is_best for row in made.rows] == [False, True]


def test_many_rows_can_be_searched_and_many_notes_are_folded():
    many = table(grid([[str(place), 0.5] for place in range(FILTER_FROM + 1)], notes=list("abcdef")), "k")
    assert many.has_filter
    assert len(many.notes) == MOST_NOTES - 1
    assert many.notes + many.more_notes == tuple("abcdef")
    assert not table(grid([]), "k").has_filter


def test_help_that_a_note_says_already_is_left_out():
    assert [one.text for one in table(grid([]), "k").helps] == ["Δ"]
    assert table(grid([], notes=["Δ: the difference."]), "k").helps == ()


def test_marks_and_spreads_are_part_of_their_cell():
    columns = [
        Column("run", "Run"),
        Column("ap", "AP", "number"),
        Column("ap_sd", "sd", "number", digits=2, attached="spread", to="ap"),
        Column("ap_marks", "marks", attached="mark", to="ap"),
    ]
    shown = table(Grid(title="T", columns=columns, rows=[["a", 0.25, 0.01, "b"]], legend="Marks."), "k")
    assert [heading.name for heading in shown.headings] == ["run", "ap"]
    assert (shown.rows[0][1].text, shown.rows[0][1].value) == ("0.2500ᵇ ±0.01", "0.25")
    assert shown.notes == ("Marks.",)
