import json

import pytest

from tests.verbs.audited import WITH_FIELD, write_audited


@pytest.fixture
def file(tmp_path):
    return write_audited(tmp_path)


def test_the_audit_of_a_board(call, tmp_path):
    done = call("audit", str(write_audited(tmp_path, runs=WITH_FIELD)), "--trials", "50")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Audit of Small board: 11 runs under 3 conditions")
    assert "Overfitting alarm for 1 of 4 teams" in done.stdout
    assert "different teams" in done.stdout


def test_options_reach_the_question(call, file):
    options = [
        "--window",
        "5",
        "--most",
        "1",
        "--variants",
        "2",
        "--overlap",
        "0.9999",
        "--seed",
        "4",
        "--trials",
        "20",
    ]
    done = call("audit", str(file), "-m", "P@3", "--show", "base", *options, "--format", "json")
    content = json.loads(done.stdout)
    assert content["submissions"]["rule"] == {"days": 5, "most": 1, "variants": 2}
    assert content["near_duplicates"] | {"runs": 0} == {"depth": 10, "threshold": 0.9999, "runs": 0, "pairs": []}
    assert (content["violations"], content["seed"], content["trials"]) == ([], 4, 20)
    assert {one["measure"] for one in content["conditions"]} == {"RR@10", "P@3"}
    assert [run["run"] for run in content["runs"] if run["shown"]] == ["base"]


def test_public_and_private_can_be_named(call, file):
    done = call("audit", str(file), "--public", "private", "--private", "public", "--trials", "20", "--format", "json")
    assert json.loads(done.stdout)["overfitting"]["public_queries"] == 100


@pytest.mark.parametrize("options, status", [([], 0), (["--exit-code"], 1)])
def test_the_exit_code(call, file, options, status):
    assert call("audit", str(file), "--trials", "20", *options).returncode == status


def test_the_exit_code_without_findings(call, tmp_path):
    file = write_audited(tmp_path, runs=("fair 1", "fair 2"))
    assert call("audit", str(file), "--trials", "20", "--exit-code").returncode == 0


def test_errors_are_explained(call, file, tmp_path):
    done = call("audit", str(file), "--show", "nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no run 'nobody' on this board" in done.stderr
    done = call("audit", str(tmp_path / "none.toml"))
    assert done.returncode == 2
    assert "none.toml" in done.stderr
