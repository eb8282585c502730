"""The small demo: files that can be scored again, a truth to compare with, the same bytes for a seed."""

import json

import pytest

from runoff import UsageError, evaluate
from runoff.verbs._small_demo import MEASURE, run_small_demo


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return run_small_demo(tmp_path_factory.mktemp("demo") / "new" / "folder", queries=300, runs=4, seed=3)


def test_its_files_give_its_scores(demo):
    files = sorted(demo.folder.glob("*.run"))
    again = evaluate(files, demo.folder / "qrels.txt", measures=[MEASURE])
    assert len(files) == 4
    assert again.to_dict() == demo.evaluation.to_dict()


def test_the_truth_is_near_what_is_measured(demo):
    """300 queries: the standard error of a mean RR is below 0.03, so four of them are 0.12."""
    assert demo.truth.keys() == set(demo.evaluation.runs)
    for run, truth in demo.truth.items():
        assert abs(demo.evaluation.mean(run, MEASURE) - truth) < 0.12


def test_it_is_the_same_for_the_same_seed(demo, tmp_path):
    run_small_demo(tmp_path / "same", queries=300, runs=4, seed=3)
    run_small_demo(tmp_path / "other", queries=300, runs=4, seed=4)
    for file in demo.folder.iterdir():
        assert (tmp_path / "same" / file.name).read_bytes() == file.read_bytes()
    assert (tmp_path / "other" / "qrels.txt").read_bytes() != (demo.folder / "qrels.txt").read_bytes()


def test_its_table_and_keys(demo):
    content = json.loads(demo.to_json())
    assert {"folder", "seed", "truth", "queries", "runs"} <= content.keys()
    rows = demo.grid().rows
    assert [row[0] for row in rows] == [1, 2, 3, 4]
    by_truth = sorted(demo.truth.values(), reverse=True)
    assert {row[1]: row[4] for row in rows} == {run: by_truth.index(truth) + 1 for run, truth in demo.truth.items()}
    assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
    assert f"runoff evaluate {demo.folder}/*.run --qrels {demo.folder}/qrels.txt" in " ".join(demo.grid().notes)


def test_a_folder_that_cannot_be_written_is_explained(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"file: cannot be written to .*; name another folder"):
        run_small_demo(tmp_path / "file", queries=10, runs=4)


def test_files_of_others_are_not_replaced(tmp_path):
    (tmp_path / "qrels.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(UsageError, match=r"qrels\.txt: is there already, and not from an earlier demo"):
        run_small_demo(tmp_path, queries=10, runs=4)
    assert [file.name for file in tmp_path.iterdir()] == ["qrels.txt"]
    assert (tmp_path / "qrels.txt").read_text(encoding="utf-8") == "precious"


def test_an_earlier_demo_is_replaced(tmp_path):
    first, again = (run_small_demo(tmp_path, queries=10, runs=4, seed=seed) for seed in (0, 1))
    assert first.evaluation.to_dict() != again.evaluation.to_dict()
