"""A report: the same numbers as the verbs give one by one, from every file read once."""

import itertools
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import runoff
from runoff import InputError, UsageError, audit, board
from runoff.reports.result import ReportResult
from runoff.results import AuditResult
from runoff.results.tally import TallyResult
from runoff.results.tally_tables import TallyOptions
from runoff.verbs.ipso import ipso
from runoff.verbs.report import PublishedReportResult, ReportOptions, report, report_of
from tests.reports.page.parsed import Page
from tests.verbs.audited import WITH_FIELD, write_audited
from tests.verbs.reported import write_reported
from tests.verbs.undrawn import undrawn_charts

QUICK = ReportOptions(trials=60, splits=4)


def report_of_file(path, **options) -> ReportResult:
    """The report of a `board.toml` that has run files."""
    result = report(path, **options)
    assert isinstance(result, ReportResult)
    return result


@pytest.fixture(scope="module")
def board_file(tmp_path_factory):
    return write_reported(tmp_path_factory.mktemp("reported"))


@pytest.fixture(scope="module")
def made(board_file):
    return report_of_file(board_file, options=QUICK)


def test_the_board_is_that_of_runoff_board(made, board_file):
    alone = board(board_file, trials=60)
    assert json.dumps(made.board.to_dict()) == json.dumps(alone.to_dict())
    assert made.board.grid() == alone.grid()


def test_the_audit_is_that_of_runoff_audit(made, board_file):
    from runoff.verbs.audit import AuditOptions

    alone = audit(board_file, options=AuditOptions(trials=60))
    assert json.dumps(made.inputs.audit.to_dict()) == json.dumps(alone.to_dict())


def test_ipso_is_that_of_runoff_ipso(made, board_file):
    alone = ipso(board_file)
    full = report_of_file(board_file, options=replace(QUICK, full=True))
    assert full.inputs.ipso is not None
    assert full.inputs.ipso.to_dict()["pairs"] == alone.to_dict()["pairs"]
    assert made.inputs.shares == full.inputs.shares == alone.shares[-1]


def test_a_full_report_has_more_of_the_same(made, board_file):
    full = report_of_file(board_file, options=replace(QUICK, full=True))
    names, all_names = ([section.name for section, _ in result.sections] for result in (made, full))
    assert [name for name in all_names if name not in names] == ["repeats"]
    assert {name for name, _ in made.latex_files()} < {name for name, _ in full.latex_files()}
    assert made.board.to_dict() == full.board.to_dict()
    assert made.inputs.doubts == full.inputs.doubts
    with undrawn_charts():
        page = Page(full.to_page())
    assert len(page.all("section")) == len(all_names)


def test_every_file_is_read_once_and_hashed(made, board_file, monkeypatch):
    import hashlib

    from runoff.files.streams import read_chunks

    opened = []

    def watched(path, **more):
        opened.append(path)
        return read_chunks(path, **more)

    monkeypatch.setattr("runoff.files.text.runs.read_chunks", watched)
    report_of_file(board_file, options=QUICK)
    assert len(opened) == len(set(opened)) == 6
    for file in made.inputs.origin.files:
        assert file.sha256 == hashlib.sha256((board_file.parent / file.path).read_bytes()).hexdigest()
        assert file.size == (board_file.parent / file.path).stat().st_size
    assert len(made.inputs.origin.files) == 1 + 2 + 2 + 6


def test_the_same_files_give_the_same_page(made, board_file):
    # That charts are drawn alike again: tests/display/charts/test_ids.py.
    with undrawn_charts():
        assert made.to_page() == report_of_file(board_file, options=QUICK).to_page()
    assert Page(made.to_page()).addresses == []


@pytest.fixture(scope="module")
def judged(board_file):
    """All pairs of the top documents of two runs and the label, judged once; the label wins."""
    folder = board_file.parent
    labels = {line.split()[0]: line.split()[2] for line in (folder / "sparse.txt").read_text().splitlines()}
    tops: dict[str, set[str]] = {}
    for name in ("birch", "elm"):
        for line in (folder / f"{name}.run").read_text().splitlines():
            query, _, document, rank, *_ = line.split()
            if rank == "1":
                tops.setdefault(query, {labels[query]}).add(document)
    file = folder / "judged.txt"
    with file.open("w") as lines:
        for query, docs in tops.items():
            for one, two in itertools.combinations(sorted(docs), 2):
                lines.write(f"{query} {one} {two} {two if two == labels[query] else one}\n")
    return file


def test_judgments_are_tallied_with_the_labels_and_all_runs(board_file, judged):
    from runoff import tally

    folder = board_file.parent
    found = report_of_file(board_file, options=QUICK, judgments=judged)
    runs = [folder / f"{run.name}.run" for run in found.inputs.runs]
    alone = tally(judged, runs=runs, qrels=folder / "sparse.txt", options=TallyOptions(trials=60))
    told, apart = found.inputs.preferences, alone.board
    assert isinstance(told, TallyResult)
    assert told.board
    assert told.board.impact
    assert apart
    assert apart.impact
    names = [name.removesuffix(".run") for name in apart.ratios.runs]
    assert list(told.board.ratios.runs) == names
    np.testing.assert_array_equal(told.board.ratios.ratios, apart.ratios.ratios)
    assert told.board.impact.preference.means.tolist() == apart.impact.preference.means.tolist()
    labels = next(content for section, content in found.sections if section.name == "labels")
    assert [chart.name for chart in labels.charts] == ["unjudged", "win_ratio_matrix", "label_impact", "pool_sizes"]
    assert any("4 of 7 were not pooled" in paragraph for paragraph in labels.paragraphs)
    assert not any("No judgments of pairs" in paragraph for paragraph in labels.paragraphs)
    (file,) = [file for file in found.inputs.origin.files if file.role == "judgments"]
    assert file.path == "judged.txt"


def test_judgments_and_tasks_that_do_not_fit_are_refused(board_file, judged, made):
    with pytest.raises(UsageError, match="judgments and a tally of them"):
        report_of(board_file, judgments=judged, preferences=made.board)
    with pytest.raises(UsageError, match="tasks without judgments"):
        report_of_file(board_file, tasks=judged)


def test_a_lead_from_overfitting_is_doubted(tmp_path):
    lead = report_of_file(write_audited(tmp_path, runs=WITH_FIELD), options=QUICK).inputs.lead
    assert (lead.leader, lead.kind, lead.alarm, lead.led) == ("tuned 3", "clear", True, (1, 3))


@pytest.mark.parametrize("runs", [1, 2])
def test_few_runs(tmp_path, runs):
    made = report_of_file(write_reported(tmp_path, runs=runs, queries=30), options=QUICK)
    assert made.inputs.lead.others == runs - 1
    page = Page(made.to_page())
    assert len(page.all("section")) == len(made.sections)


def test_runs_and_qrels_without_a_board(board_file):
    folder = board_file.parent
    made = report(
        sorted(folder.glob("*.run")),
        folder / "sparse.txt",
        measures=["nDCG@10", "RR@10"],
        options=ReportOptions(trials=30, splits=2, title="Mine"),
    )
    assert made.inputs.title == "Mine"
    assert made.inputs.ranks.measure == "nDCG@10"
    assert isinstance(made.inputs.audit, AuditResult)
    assert [one.measure for one in made.inputs.audit.scored.conditions] == ["nDCG@10", "RR@10"]


def test_a_measure_of_ir_measures_has_no_lists(board_file):
    pytest.importorskip("ir_measures")
    folder = board_file.parent
    runs = sorted(folder.glob("*.run"))[:3]
    made = report(runs, folder / "sparse.txt", measures="infAP", options=QUICK)
    assert made.inputs.ipso is None
    assert "ir_measures" in made.inputs.missing["outcomes"]
    with undrawn_charts():
        assert re.search("computed by ir_measures", made.to_page())


def test_runs_in_memory_give_the_report_of_their_files(board_file):
    folder = board_file.parent
    files = sorted(folder.glob("*.run"))[:3]
    qrels = runoff.read_qrels(folder / "sparse.txt")
    made = report({file.stem: runoff.read_run(file) for file in files}, qrels, options=QUICK)
    expected = report({file.stem: file for file in files}, folder / "sparse.txt", options=QUICK)
    for (section, ours), (_, theirs) in zip(made.sections, expected.sections, strict=True):
        if section.name != "origin":  # it lists files
            assert (ours.answer, ours.sentence, ours.paragraphs) == (theirs.answer, theirs.sentence, theirs.paragraphs)
    assert made.board.to_dict() == expected.board.to_dict()
    assert made.inputs.origin.files == ()
    assert len(expected.inputs.origin.files) == 4


def test_the_result_of_a_board_gives_the_report_of_its_runs(board_file, made):
    qrels = {f"q{place}": {"d": 1} for place in range(6)}
    runs = {
        name: {query: {"d": 1.0, "x": float((place + at) % 3)} for at, query in enumerate(qrels)}
        for place, name in enumerate(("ash", "oak"))
    }
    ranked = board(runs, qrels, measures="P@1", trials=60)
    of_runs = report(runs, qrels, measures="P@1", options=QUICK)
    assert report(ranked, qrels, options=QUICK).to_dict() == of_runs.to_dict()
    policy, reading = runoff.Policy(alpha=0.2, correction="none"), runoff.ReadOptions(tie_rule="file")
    rules: dict[str, Any] = {
        "queries": ["q0", "q1", "q2", "q3"],
        "policy": policy,
        "reading": reading,
        "trials": 70,
        "seed": 7,
    }
    ruled = board(runs, qrels, measures=["P@1", "RR@3"], **rules)
    made_of_it = report(ruled, qrels)
    assert (made_of_it.board.to_dict(), made_of_it.board.data.policy) == (ruled.to_dict(), ruled.data.policy)
    noted = board(runs, qrels, trials=60)
    assert report(noted, qrels).board.measure_note == noted.measure_note != ""
    with pytest.raises(UsageError, match="decided by a policy of its own"):
        report(board(runs, qrels, trials=60, policy=runoff.Policy(measure_test="sign")), qrels)
    described = report_of_file(board(board_file, trials=60), options=QUICK)
    assert json.dumps(described.board.to_dict()) == json.dumps(made.board.to_dict())
    with pytest.raises(UsageError, match="a board of scores alone; expected one of runs"):
        report(board(ranked.data.scores), options=QUICK)
    with pytest.raises(UsageError, match="runs without qrels"):
        report(ranked, options=QUICK)


def test_a_board_of_means_alone(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores.public = 0.5\n')
    assert isinstance(report(file), PublishedReportResult)
    with pytest.raises(UsageError, match="this board has published means alone; measures, judgments and tasks need"):
        report(file, measures="AP")
    with pytest.raises(UsageError, match="no run of the board has a file"):
        report_of(file)
    with pytest.raises(UsageError, match="no runs; expected one or more"):
        report([], "qrels.txt")
    with pytest.raises(UsageError, match=r"a board\.toml and qrels; expected one of the two"):
        report(file, "qrels.txt")


def test_a_broken_run_is_an_error_and_not_a_report(tmp_path):
    file = write_reported(tmp_path, runs=2, queries=30)
    (tmp_path / "birch.run").write_text("q Q0 d 1 x t\n")
    with pytest.raises(InputError, match=r"birch\.run:1"):
        report(file, options=QUICK)
