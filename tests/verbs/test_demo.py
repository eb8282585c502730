"""The demo for one seed: the page, its keys, its tables and the report; in `make check` also at its full size.

`make proof` asks how often each planted thing is found: tests/verbs/test_demo_findings.py.
"""

import json

import pytest

from runoff.verbs.demo import DemoResult
from runoff.verbs.demo import demo as run_demo
from tests.verbs.demos import longer_demo

KEYS = ["lucky", "overfitted", "trade_off", "better_than_labels", "one_too_many", "copy", "careless"]


@pytest.fixture(scope="module", params=["short", pytest.param("full", marks=pytest.mark.program)])
def demo(request, tmp_path_factory) -> DemoResult:
    if request.param == "full":
        return run_demo(tmp_path_factory.mktemp("demo") / "full")
    return longer_demo(tmp_path_factory)


def test_everything_that_was_planted_is_found(demo):
    assert [one.key for one in demo.planted] == KEYS
    assert {one.key: one.found for one in demo.planted} == dict.fromkeys(KEYS, True)


def test_the_report_is_in_the_folder_and_says_so_too(demo):
    page = (demo.folder / "report.html").read_text(encoding="utf-8")
    assert 'There is no clear winner: <span class="nb">douro-3</span> has the best mean' in page
    assert "Clyde" in page
    assert "gambia-2" in page
    assert len(page) < 3_000_000


def test_the_page_says_what_was_planted_and_what_was_found(demo):
    text = demo.to_text(100)
    flat = " ".join(text.split())
    config = demo.year.config
    queries = f"{config.public:,} public and {config.private:,} private queries"
    assert f"40 runs of 12 teams and the organisers, on {queries}." in flat
    assert "7 things were planted in it; runoff found 7 of them." in flat
    for one in demo.planted:
        assert one.story in flat
        assert one.evidence in flat
        assert one.shown in flat


def test_its_keys_and_tables(demo):
    content = json.loads(demo.to_json())
    assert content.keys() == {
        "folder", "seed", "public_queries", "private_queries", "planted", "besides", "labels", "runs",
    }  # fmt: skip
    assert content["planted"][0].keys() == {"key", "who", "story", "found", "evidence", "numbers"}
    assert [row["rank"] for row in content["runs"]] == list(range(1, 41))
    assert {row["rank_private"] for row in content["runs"]} == set(range(1, 41))
    planted, top = demo.grids()
    assert planted.values("found") == ("yes",) * 7
    assert top.values("run")[0] == "douro-3"
    assert {"lucky", "champion", "trade off", "better than labels", "copy", "one too many"} <= set(top.values("role"))


def test_the_measured_means_are_near_the_truth(demo):
    """But for what was planted: 5,000 queries have a standard error of 0.006, and fewer a larger one."""
    near = 0.025 * (5000 / demo.year.config.public) ** 0.5
    spoilt = {plan.name for plan in demo.year.cast if plan.role in {"overfitted", "lucky"}}
    for row in demo.to_dict()["runs"]:
        if row["run"] not in spoilt:
            assert abs(row["mean"] - row["true_mean"]) < near


def test_new_labels_are_better_than_the_old(demo):
    labels = demo.analysis.labels
    assert labels.label_best < 0.35
    assert labels.winner_best > 0.5
