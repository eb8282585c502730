"""Whether runs and labels belong together, and what is said if they do not."""

from dataclasses import asdict, replace

import pytest

import runoff
from runoff.errors import InputError
from runoff.files import read_board
from runoff.reading.sources import as_qrels, as_run
from runoff.results.fit import Fit, check_fit, check_labels, dropped_notes, fit_notes, fits_of_runs, missing_of
from runoff.tables.serps import UNJUDGED
from runoff.verbs.audit import AuditOptions
from runoff.verbs.pool import PoolOptions
from tests.verbs.audited import write_audited

GOOD, LACKING = Fit(run="good", missing_queries=0), Fit(run="lacking", missing_queries=3)
FOREIGN, UNKNOWN = Fit(run="foreign", missing_queries=9), Fit(run="unknown", missing_queries=0, is_judged=False)


def refused(fits, **options):
    with pytest.raises(InputError) as caught:
        check_fit(fits, 9, "q1", "qrels.txt", **options)
    return str(caught.value)


def test_runs_that_fit_pass():
    check_fit([GOOD, LACKING], 9, "q1", "qrels.txt")
    check_fit([GOOD, UNKNOWN], 9, "q1", "qrels.txt")
    check_fit([GOOD, UNKNOWN], 9, "q1", "qrels.txt", each=True)  # on nine lists it may have failed


def test_a_run_of_other_queries_is_refused_beside_others():
    assert refused([GOOD, FOREIGN]) == (
        "foreign: no query in common with qrels.txt, which has 9; expected query ids such as 'q1'; check that runs and "
        "labels belong together"
    )


def test_one_of_several_may_lack_all_of_a_choice_of_queries():
    check_fit([GOOD, FOREIGN], 9, "q1", "qrels.txt", is_part=True)
    assert refused([FOREIGN], is_part=True).startswith("foreign: no query in common")
    qrels = as_qrels({"a": {"d": 1}, "b": {"d": 1}})
    assert not qrels.only(["a", "b"]).is_part
    runs = [{"a": {"d": 1.0}, "b": {"d": 1.0}}, {"b": {"d": 1.0}}]
    found = runoff.evaluate(runs, qrels, measures=["RR@10"], queries=["a"])
    assert "Missing queries, which score 0: run 2 1 (of 1)." in found.grid().notes


def test_documents_that_nobody_judged_are_refused():
    assert refused([UNKNOWN]) == (
        "unknown: no document in the lists is judged in qrels.txt, so all scores would be 0; expected runs and labels "
        "of the same documents; check that document ids are spelled alike"
    )
    assert "to rank 10 of the lists" in refused([UNKNOWN, UNKNOWN], depth=10)
    with pytest.raises(InputError, match="unknown: no document"):
        check_fit([GOOD, UNKNOWN], 50, "q1", "qrels.txt", each=True)


def test_the_first_ranks_of_a_few_lists_may_have_no_judged_document():
    cut = replace(UNKNOWN, is_whole=False)
    check_fit([cut], 49, "q1", "qrels.txt", depth=10)
    with pytest.raises(InputError, match="unknown: no document to rank 10 of the lists"):
        check_fit([cut], 50, "q1", "qrels.txt", depth=10)


def test_notes():
    assert list(fit_notes([GOOD], 9)) == []
    assert list(fit_notes([GOOD, LACKING, UNKNOWN], 9)) == [
        "Missing queries, which score 0: lacking 3 (of 9).",
        (
            "No document of unknown is judged, to the depth that was read, so all scores are 0: check that document "
            "ids are spelled as in the labels."
        ),
    ]
    assert missing_of([GOOD, LACKING]) == {"lacking": 3}
    many = [Fit(run=f"r{place}", missing_queries=1) for place in range(14)]
    assert next(fit_notes(many, 9)).endswith("r11 1 and 2 more (of 9).")


def test_from_lists_and_from_scores_alike():
    qrels = as_qrels({"a": {"d": 1}, "b": {"d": 0}, "c": {"e": 2}})
    for table, missing, is_judged in (
        ({"a": {"x": 1.0}, "b": {"x": 2.0, "d": 1.0}}, 1, True),
        ({"a": {"x": 1.0}, "b": {"x": 1.0}, "c": {"d": 1.0}}, 0, False),
    ):
        run = as_run(table, name="one")
        serps = run.serps(qrels)
        assert Fit.of_serps(serps) == Fit(run="one", missing_queries=missing, is_judged=is_judged)
        assert Fit.of_serps(serps).is_judged == bool((serps.grades > UNJUDGED).any())
        assert Fit.of_run(run, qrels.query_ids).missing_queries == missing
        good = as_run({query: {"d": 1.0} for query in "abc"}, name="good")
        facts = runoff.evaluate([run, good], qrels, measures=["P@5"]).facts
        assert asdict(Fit.of_serps(serps)).items() <= asdict(next(one for one in facts if one.run == "one")).items()


def test_serps_and_runs_are_checked_too():
    qrels = as_qrels({"a": {"d": 1}})
    other = as_run({"z": {"d": 1.0}}, name="other")
    with pytest.raises(InputError, match="no query in common with qrels, which has 1"):
        check_labels([Fit.of_serps(other.serps(qrels))], qrels.query_ids, qrels, depth=None)
    with pytest.raises(InputError, match="no query in common with the judgments"):
        fits_of_runs([other], ["a"], "the judgments")


def lacking_board(folder):
    """The run `base` lacks the first ten queries, and `fair 1` all private ones."""
    file = write_audited(folder)
    for name, gone in (
        ("base", {f"a{place}" for place in range(10)}),
        ("fair 1", {f"b{place}" for place in range(100)}),
    ):
        lines = (folder / f"{name}.run").read_text().splitlines(keepends=True)
        (folder / f"{name}.run").write_text("".join(line for line in lines if line.split()[0] not in gone))
    return file


def test_an_audit_names_what_is_missing_by_label_set(tmp_path):
    found = runoff.audit(lacking_board(tmp_path), options=AuditOptions(trials=10))
    assert found.scored.missing_queries == {"sparse": {"base": 10, "fair 1": 100}, "deep": {"fair 1": 60}}
    assert found.notes[-2:] == (
        "Missing queries in labels sparse, which score 0: base 10, fair 1 100 (of 220).",
        "Missing queries in labels deep, which score 0: fair 1 60 (of 60).",
    )
    runs = {run["run"]: run["missing_queries"] for run in found.to_dict()["runs"]}  # type: ignore[attr-defined]
    assert runs["fair 1"] == {"sparse": 100, "deep": 60}


def test_an_audit_refuses_a_run_of_no_label_set(tmp_path):
    file = write_audited(tmp_path)
    (tmp_path / "base.run").write_text("elsewhere Q0 d 1 1 t\n")
    with pytest.raises(InputError, match=r"base: no query in common with sparse\.txt, which has 220"):
        runoff.audit(file, options=AuditOptions(trials=10))


def as_listed(file):
    """The runs of a board under its names, and its labels of the public queries."""
    runs = [as_run(run.path, name=run.name) for run in read_board(file).runs]
    return runs, runoff.read_qrels(file.parent / "sparse.txt").only([f"a{place}" for place in range(120)])


def test_reliability_of_a_board_is_that_of_its_files(tmp_path):
    file = lacking_board(tmp_path)
    found, expected = runoff.reliability(file, splits=5), runoff.reliability(*as_listed(file), splits=5)
    assert found.reliability.tests == expected.reliability.tests
    assert found.to_dict()["missing_queries"] == expected.to_dict()["missing_queries"] == {"base": 10}
    assert "Missing queries, which score 0: base 10 (of 120)." in found.grid().notes
    other = runoff.reliability(write_audited(tmp_path), query_set="private", splits=2, alpha=0.01)
    assert (other.reliability.queries, other.reliability.level) == (100, 0.01)


def test_a_pool_of_a_board_is_that_of_its_files(tmp_path):
    file = lacking_board(tmp_path)
    question = PoolOptions(sample=20)
    found, expected = runoff.pool(file, options=question), runoff.pool(*as_listed(file), options=question)
    assert found.to_dict() == expected.to_dict()
    assert found.to_dict()["missing_queries"] == {"base": 10}
    assert found.opening(80)[-1] == "Missing queries, to whose pools a run adds nothing: base 10 (of 120)."


def test_notes_on_dropped_rows():
    assert list(dropped_notes([GOOD, Fit(run="kept", missing_queries=0, duplicates="first")])) == []
    many = [Fit(run=f"r{place}", missing_queries=0, dropped=1000 + place, duplicates="best") for place in range(14)]
    first = Fit(run="other", missing_queries=0, dropped=1, duplicates="first")
    told = "Rows dropped, whose documents are listed more than once for a query"
    one, other = dropped_notes([*many, GOOD, first])
    assert one == f"{told}: other 1; the first row of each was kept."
    assert other.startswith(f"{told}: r0 1,000, r1 1,001, ")
    assert other.endswith(", r11 1,011 and 2 more; the best-scored row of each was kept.")
    run = as_run([("q", "d", 1.0), ("q", "d", 1.0)], name="r", reading=runoff.ReadOptions(duplicates="best"))
    (fit,) = fits_of_runs([run], ["q"], "labels")
    assert (
        fit
        == Fit.of_serps(run.serps(as_qrels({"q": {"d": 1}})))
        == Fit(run="r", missing_queries=0, dropped=1, duplicates="best")
    )
