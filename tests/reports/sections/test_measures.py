import pytest

from runoff.comparisons import relations_of_all
from runoff.display.charts import Hasse, RelationGrid
from runoff.reports.page import render_page
from runoff.reports.sections.measures import MEASURES
from tests.reports.sections.made import Part, inputs_of


def test_both_shares_are_in_the_sentence():
    content = MEASURES.content(inputs_of(2))
    assert "75.0%" in content.sentence
    assert "25.0%" in content.sentence
    assert content.paragraphs == ("Many pairs.",)


@pytest.mark.parametrize(
    "free, sentence, answer",
    [
        (0.0, "on every pair of ranked lists. Measures may still differ", "free to disagree on none of the pairs"),
        (
            0.0004,
            "on more than 99.9% of the pairs of ranked lists; on the other less than 0.1%",
            "on less than 0.1% of",
        ),
    ],
)
def test_a_small_share_is_no_zero(free, sentence, answer):
    content = MEASURES.content(inputs_of(2, ipso=Part(("Many pairs.",), free_share=free)))
    assert sentence in content.sentence
    assert answer in content.answer


def test_charts_of_all_pairs_are_shown():
    drawn = RelationGrid(relations_of_all(2)), Hasse(relations_of_all(2))
    content = MEASURES.content(inputs_of(2, ipso=Part(("Many pairs.",), drawn=drawn)))
    assert content.charts == drawn


def test_lists_of_four_explain_the_orderings_inside_the_fold():
    grid, hasse = MEASURES.drawings()
    assert isinstance(grid, RelationGrid)
    assert isinstance(hasse, Hasse)
    assert len(hasse.all_serps.serps) == 16
    page = render_page("T", "about", [(MEASURES, MEASURES.content(inputs_of(1)))])
    fold = page[page.index('<details class="method">') : page.index("How much freedom")]
    assert 'id="measures-m1"' in fold
    assert 'id="measures-m2"' in fold


def test_the_reason_is_told():
    assert MEASURES.content(inputs_of(1)).answer == "not known"
    assert MEASURES.content(inputs_of(1, missing={"measures": "No gains."})).sentence == "No gains."
