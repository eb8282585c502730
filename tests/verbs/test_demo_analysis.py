"""The analysis of the demo says what the verbs say about its files."""

import numpy as np
import pytest

from runoff.preferences import PERFECT
from runoff.simulation.year.judging import pooled_runs
from runoff.verbs.audit import AuditOptions, audit
from runoff.verbs.board import board
from tests.verbs.demos import SHORTER, shorter_demo


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    demo, seen = shorter_demo(tmp_path_factory)
    assert seen == [(done, 40) for done in range(1, 41)], "progress counts the runs"
    return demo.year, demo.files, demo.analysis


def test_board_and_audit_are_those_of_the_verbs(made):
    _, files, found = made
    assert found.board.to_dict() == board(files.board, seed=SHORTER.seed).to_dict()
    asked = AuditOptions(measures=["nDCG@10"], seed=SHORTER.seed)
    assert found.audit.to_dict() == audit(files.board, options=asked).to_dict()


def test_the_contest_is_on_the_public_queries(made):
    _, _, found = made
    assert [comparison.challenger for comparison in found.multi_comparison.comparisons] == [
        "douro-3.run",
        "forth-3.run",
    ]
    assert {comparison.champion for comparison in found.multi_comparison.comparisons} == {"ebro-3.run"}
    assert {comparison.queries for comparison in found.multi_comparison.comparisons} == {SHORTER.public}


def test_every_pair_of_top_documents_was_judged_but_what_was_discarded(made):
    year, _, found = made
    ratios = found.labels.ratios
    assert ratios.runs[-1] == PERFECT
    judged = len(found.labels.winners.query_ids)  # a pool of one document has nothing to judge
    assert ratios.queries == judged <= SHORTER.judged
    assert not ratios.missing.any()
    pooled = [ratios.runs.index(name) for name in (*pooled_runs(year), PERFECT)]
    assert ratios.is_pooled[pooled].all()
    assert not ratios.unjudged[np.ix_(pooled, pooled)].any()
    assert len(ratios.runs) == len(year.ranked) + 1
    assert found.labels.differs.run == year.plan("better_than_labels").name
    assert found.labels.differs.differs.queries + found.labels.differs.agrees.queries == judged


def test_shares_of_the_best_by_hand(made):
    year, _, found = made
    winners = dict(zip(found.labels.winners.query_ids, found.labels.winners.winners, strict=True))
    roles = ("champion", "lucky", "trade_off", "better_than_labels", "overfitted")
    labels, won = 0, 0.0
    for row in year.judged.tolist():
        value, documents = year.questions.value[row], year.questions.documents[row]
        pool = {int(year.documents(year.plan(role).name)[row, 0]) for role in roles}
        label = int(documents[year.questions.label[row]])
        best = max(pool | {label}, key=lambda one: value[documents.tolist().index(one)])
        labels += best == label
        names = winners[year.questions.query_ids[row]] if len(pool | {label}) > 1 else (f"D{label}",)
        won += (f"D{best}" in names) / len(names)
    assert found.labels.label_best == pytest.approx(labels / SHORTER.judged)
    assert found.labels.winner_best == pytest.approx(won / SHORTER.judged)
