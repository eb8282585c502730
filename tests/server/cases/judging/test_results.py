"""Live results are the numbers of `runoff tally` on the export, to the last digit."""

import pytest

from runoff.errors import NotAllowedError
from runoff.files.runs import read_run
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.results import load_figures, load_results, results_key
from runoff.server.cases.judging.votes import export_campaign
from runoff.verbs.tally import tally
from tests.server.store.backends import both_databases

COUNTED = ("files",)


def results(campaigned, campaign):
    return campaigned.read(load_results, campaigned.files, campaign, actor=campaigned.organiser)


def test_live_results_equal_the_tally_of_the_exported_files(campaigned, tmp_path):
    campaign = campaigned.opened(judgments_per_pair=2)
    assert results(campaigned, campaign).tally is None
    actors = [campaigned.assessor(campaign) for _ in range(3)]
    campaigned.do(campaign, campaigned.assessor(campaign), wrong=True)
    campaigned.judge_all(campaign, actors)
    live = results(campaigned, campaign)
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    for name, lines in export.files().items():
        (tmp_path / name).write_text("".join(lines))
    runs = [read_run(tmp_path / "described" / f"run{one}.txt", name=f"run {one}") for one in range(3)]
    filed = tally(
        tmp_path / "judgments.csv", runs=runs, qrels=tmp_path / "described" / "qrels.txt", tasks=tmp_path / "tasks.csv"
    )
    ours, theirs = live.tally.to_dict(), filed.to_dict()
    assert ours.keys() == theirs.keys()
    assert len(ours) > 5
    for key in ours.keys() - set(COUNTED):
        assert repr(ours[key]) == repr(theirs[key]), key
    assert live.tally.quality.excluded == filed.quality.excluded != ()
    assert (tmp_path / "preference.qrels").read_text() == "".join(filed.qrels_lines())
    assert dict(live.best)["q0"] == filed.tournament.winners[filed.tournament.query_ids.index("q0")]


@both_databases
def test_figures_of_progress_money_and_time(campaigned):
    campaign = campaigned.opened()
    before = campaigned.read(load_figures, campaign)
    assert (before.share_done, before.spent, before.saved_judgments) == (0.0, 0.0, 0)
    assert before.expected_judgments == before.full_judgments == before.progress.judgments_open > 0
    assert before.seconds_per_pair == campaign.seconds_per_pair
    assert before.expected_cost == round(before.progress.tasks * 2.4, 2)
    key = campaigned.read(results_key, campaign)
    assert key == campaigned.read(results_key, campaign)
    campaigned.do(campaign, campaigned.assessor(campaign))
    after = campaigned.read(load_figures, campaign)
    assert after.spent == 2.4
    assert 0 < after.share_done < 1
    assert after.hours_left < before.hours_left
    assert key != campaigned.read(results_key, campaign)


def test_results_are_for_organisers(campaigned):
    campaign = campaigned.draft()
    with pytest.raises(NotAllowedError):
        campaigned.read(load_results, campaigned.files, campaign, actor=Actor(id=1, role="assessor"))
