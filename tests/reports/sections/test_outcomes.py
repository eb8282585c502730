import numpy as np

from runoff.reports.sections.outcomes import OUTCOMES
from runoff.verbs._comparing import multi_comparison
from runoff.verbs.board import board
from tests.reports.sections.made import content_of, inputs_of


def comparisons():
    """Three runs of equal worth: each finds the document in three of four queries, at any of three ranks."""
    rng = np.random.default_rng(0)
    qrels = {f"q{place}": {"d": 1} for place in range(30)}

    def found():
        score = float(rng.integers(0, 4))
        return {"d": score} if score else {}

    runs = [{q: {"x": 2.5, "y": 1.5, **found()} for q in qrels} for _ in range(3)]
    return board(runs, qrels, trials=20).comparisons


def test_who_finds_more_than_the_next_best_run_is_in_the_sentence():
    found = comparisons()
    content = content_of(OUTCOMES, inputs_of(3, comparisons=found, multi_comparison=multi_comparison(found)))
    first = found[0].outcomes
    more, fewer = first.champion_only, first.challenger_only  # of one document per query
    assert more != fewer
    assert content.sentence == (
        f"{found[0].champion} finds more relevant documents than {found[0].challenger}, the run with the next best "
        f"mean, on {more} of 30 queries, and fewer on {fewer}."
    )
    assert content.first_chart is not None
    assert content.first_chart.name == "outcome_bars"
    assert content.charts == ()
    assert content.answer.startswith("2 challengers: ")
    assert content.paragraphs == (found[0].verdict.sentence,)


def test_a_full_report_has_every_difference_and_the_tables_of_papers():
    found = comparisons()
    parts = {"comparisons": found, "multi_comparison": multi_comparison(found)}
    short, full = (content_of(OUTCOMES, inputs_of(3, full=full, **parts)) for full in (False, True))
    assert [chart.name for chart in full.charts] == ["differences"]
    assert full.tables[: len(short.tables)] == short.tables
    assert len(full.tables) > len(short.tables) == 1


def test_without_a_second_run_there_is_none():
    assert OUTCOMES.content(inputs_of(1)) is None
