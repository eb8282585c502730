"""Equality with the trec_eval program, where it is installed."""

import re
import shutil
import subprocess

import pytest

import runoff
from tests.golden.files import HALF_DIGIT
from tests.golden.names import own_measure

pytestmark = pytest.mark.proof
PROGRAM = shutil.which("trec_eval")


@pytest.fixture(scope="module")
def reading() -> runoff.ReadOptions:
    """Its tie rule: trec_eval 9 holds scores as float32."""
    if PROGRAM is None:
        pytest.skip("trec_eval is not on the PATH")
    shown = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"(\d+)\.\d", shown.stdout + shown.stderr)
    return runoff.ReadOptions(tie_rule="float32" if version and int(version[1]) < 10 else "trec_eval")


@pytest.mark.parametrize("name", ["uic0301", "pircRBa1"])
def test_per_query_values(reading, shared_data, tmp_path, name):
    run = runoff.read_run(shared_data / "robust03" / f"input.{name}.gz")
    qrels = runoff.read_qrels(shared_data / "robust03" / "qrels.txt.gz")
    run_file, qrels_file = tmp_path / "run", tmp_path / "qrels"
    rows = [f"{query} Q0 {document} 0 {score!r} x\n" for query, document, score in run]
    run_file.write_text("".join(rows), encoding="utf-8")
    qrels_file.write_text("".join(f"{query} 0 {document} {grade}\n" for query, document, grade in qrels), "utf-8")
    command = [str(PROGRAM), "-q", "-c", "-m", "all_trec", str(qrels_file), str(run_file)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in printed.splitlines()]
    spelled = {line[0]: measure for line in lines if (measure := own_measure(line[0])) and line[0] != "rbp"}
    result = runoff.evaluate(run_file, qrels, measures=list(dict.fromkeys(spelled.values())), reading=reading)
    ours = {scores.measure: dict(zip(scores.query_ids, scores.values[:, 0], strict=True)) for scores in result.scores}
    compared = [(ours[spelled[line[0]]][line[1]], float(line[2])) for line in lines
                if line[0] in spelled and line[1] != "all"]  # fmt: skip
    assert len(compared) == len(spelled) * len(qrels.query_ids)
    assert all(abs(one - other) <= HALF_DIGIT for one, other in compared)
