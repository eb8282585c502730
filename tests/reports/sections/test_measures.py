import pytest

from runoff.comparisons import relations_of_all
from runoff.display.charts import Hasse, RelationGrid
from runoff.reports.page import render_page
from runoff.reports.sections.measures import MEASURES
from tests.reports.sections.made import Part, content_of, inputs_of, shares_of


def test_both_shares_are_in_the_sentence():
    content = content_of(MEASURES, inputs_of(2))
    assert "must agree which list is better for 75.0% of the pairs" in content.sentence
    assert "may disagree about 25.0%." in content.sentence
    assert (content.paragraphs, content.tables) == ((), ())


@pytest.mark.parametrize(
    "free, sentence, answer",
    [
        (
            0.0,
            "must agree which of two ranked lists is better. They",
            "must agree about every",
        ),
        (
            0.0004,
            "for more than 99.9% of the pairs of ranked lists; measures may disagree",
            "less than 0.1%",
        ),
    ],
)
def test_a_small_share_is_no_zero(free, sentence, answer):
    content = content_of(MEASURES, inputs_of(2, shares=shares_of(free)))
    assert sentence in content.sentence
    assert answer in content.answer


def test_a_full_report_shows_all_of_ipso():
    drawn = RelationGrid(relations_of_all(2)), Hasse(relations_of_all(2))
    content = content_of(MEASURES, inputs_of(2, full=True, ipso=Part(("Many pairs.",), drawn=drawn)))
    assert content.charts == drawn
    assert content.paragraphs == ("Many pairs.",)
    assert len(content.tables) == 1


def test_lists_of_four_explain_the_orderings_inside_the_fold():
    grid, hasse = MEASURES.drawings()
    assert isinstance(grid, RelationGrid)
    assert isinstance(hasse, Hasse)
    assert len(hasse.all_serps.serps) == 16
    sections = [(MEASURES, content_of(MEASURES, inputs_of(2)))]
    page = render_page("T", "about", sections, full=True)
    fold = page[page.index('<details class="method"') : page.index("How much freedom")]
    assert 'id="measures-m1"' in fold
    assert 'id="measures-m2"' in fold
    assert "measures-m1" not in render_page("T", "about", sections)


def test_without_ranked_lists_there_is_none():
    assert MEASURES.content(inputs_of(1)) is None
