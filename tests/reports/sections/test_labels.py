import numpy as np

from runoff.display.charts import Unjudged
from runoff.reports.sections.labels import LABELS
from runoff.reports.sections.leader import LEADER
from tests.reports.sections.made import Part, content_of, inputs_of


def test_the_share_of_unjudged_documents_is_the_answer():
    content = content_of(LABELS, inputs_of(2))
    assert content.answer == "50.0% of the top 10 documents are unjudged"
    assert content.sentence == "Half is unjudged."
    assert content.paragraphs == ()


def test_preferences_are_shown_beside_the_labels():
    content = content_of(LABELS, inputs_of(2, preferences=Part(("People preferred others.",))))
    assert content.paragraphs == ("People preferred others.",)
    assert len(content.tables) == 2


def test_what_nobody_judged_is_drawn_here():
    drawn = Unjudged(["a", "b"], np.array([[0.5, 0.75], [0.25, 0.5]]))
    inputs = inputs_of(2, board=Part(("It leads.",), drawn=(drawn,)))
    assert [chart.name for chart in content_of(LABELS, inputs).charts] == ["unjudged"]
    assert content_of(LEADER, inputs).charts == ()


def test_without_ranked_lists_there_is_none():
    assert LABELS.content(inputs_of(2, labels=None)) is None
