"""The analysis of the demo says what the verbs say about its files."""

import pytest

from runoff.preferences import PERFECT
from runoff.simulation.year import YearConfig, simulate_year
from runoff.workflows.audit import AuditQuestion, audit
from runoff.workflows.board import board_from_file
from runoff.workflows.demo_analysis import analyse_demo
from runoff.workflows.demo_files import write_demo


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    year = simulate_year(YearConfig(public=300, private=80, deep=10, judged=50, seed=2))
    files = write_demo(year, tmp_path_factory.mktemp("demo"))
    seen: list[tuple[int, int]] = []
    found = analyse_demo(year, files, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 40) for done in range(1, 41)], "progress counts the runs"
    return year, files, found


def test_board_and_audit_are_those_of_the_verbs(made):
    _, files, found = made
    assert found.board.to_dict() == board_from_file(files.board, seed=2).to_dict()
    asked = AuditQuestion(measures=["nDCG@10"], seed=2)
    assert found.audit.to_dict() == audit(files.board, question=asked).to_dict()


def test_the_contest_is_on_the_public_queries(made):
    _, _, found = made
    assert [duel.challenger for duel in found.contest.duels] == ["douro-3.run", "forth-3.run"]
    assert {duel.champion for duel in found.contest.duels} == {"ebro-3.run"}
    assert {duel.queries for duel in found.contest.duels} == {300}


def test_every_pair_of_top_documents_was_judged_but_what_was_discarded(made):
    year, _, found = made
    ratios = found.labels.ratios
    assert ratios.runs[-1] == PERFECT
    judged = len(found.labels.winners.query_ids)  # a pool of one document has nothing to judge
    assert ratios.queries == judged <= 50
    assert not ratios.missing.any()
    assert not ratios.unjudged.any()
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
    assert found.labels.label_best == pytest.approx(labels / 50)
    assert found.labels.winner_best == pytest.approx(won / 50)
