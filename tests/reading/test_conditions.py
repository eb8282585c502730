"""Every query set, label set and measure, scored as if each were scored alone."""

import numpy as np
import pytest

from runoff import UsageError, evaluate, parse_measure
from runoff.files import read_board, read_qrels
from runoff.reading.conditions import read_conditions
from tests.verbs.audited import JUDGED, PRIVATE, PUBLIC, RUNS, lines_of, rr_scores, write_audited

MEASURES = [parse_measure("RR@10"), parse_measure("P@3")]


def score_conditions(board, measures):
    return read_conditions(board, measures, top=3)[0]


def scored_in(folder, measures=MEASURES, **parts):
    return score_conditions(read_board(write_audited(folder, **parts)), measures)


def test_every_condition_has_the_scores_of_an_evaluation_of_its_own(tmp_path):
    scored = scored_in(tmp_path)
    names = [(one.query_set, one.labels, one.measure) for one in scored.conditions]
    assert names == [
        (queries, labels, measure)
        for queries, labels in [("public", "sparse"), ("private", "sparse"), ("private", "deep")]
        for measure in ("RR@10", "P@3")
    ]
    assert scored.left_out == (("public", "deep"),)
    sets = {"public": PUBLIC, "private": PRIVATE}
    for one in scored.conditions:
        shared = [query for query in JUDGED[one.labels] if query in sets[one.query_set]]
        assert (one.scores.query_ids, one.scores.runs) == (tuple(shared), tuple(RUNS))
        assert one.set_queries == len(sets[one.query_set])
        qrels = read_qrels(tmp_path / f"{one.labels}.txt")
        paths = [tmp_path / f"{run}.run" for run in RUNS]
        alone = evaluate(paths, qrels, measures=[one.measure], queries=shared)
        for run in RUNS:
            np.testing.assert_array_equal(one.scores.of(run), alone.scores[0].of(f"{run}.run"))


def test_scores_are_those_by_hand(tmp_path):
    scored = scored_in(tmp_path)
    for query_set, queries in (("public", PUBLIC), ("private", PRIVATE)):
        found = scored.find(query_set, "sparse", "RR@10")
        np.testing.assert_allclose(found.scores.values, rr_scores(queries).values, rtol=1e-12)
    assert scored.find("public", "deep", "RR@10") is None


def test_a_condition_is_named_by_what_differs(tmp_path):
    assert [one.name for one in scored_in(tmp_path, MEASURES[:1]).conditions] == [
        "public, sparse", "private, sparse", "private, deep",
    ]  # fmt: skip
    assert [one.name for one in scored_in(tmp_path, queries=("public",), labels=("sparse",)).conditions] == [
        "RR@10", "P@3",
    ]  # fmt: skip
    alone = scored_in(tmp_path, MEASURES[:1], queries=("public",), labels=("sparse",))
    assert [one.name for one in alone.conditions] == ["public, sparse, RR@10"]


def test_names_that_read_alike_are_told_apart(tmp_path):
    file = write_audited(tmp_path, queries=(), labels=())
    sets = '[queries."a, b"]\npath = "public.txt"\n[queries.a]\npath = "private.txt"\n'
    labels = '[labels.c]\npath = "sparse.txt"\n[labels."b, c"]\npath = "sparse.txt"\n'
    file.write_text(file.read_text().replace("[[runs]]", f"{sets}{labels}[[runs]]", 1))
    names = [one.name for one in score_conditions(read_board(file), MEASURES[:1]).conditions]
    assert len(set(names)) == 4


def test_without_query_sets_all_queries_of_the_labels_count(tmp_path):
    scored = scored_in(tmp_path, MEASURES[:1], queries=())
    assert [(one.name, len(one.scores.query_ids), one.set_queries) for one in scored.conditions] == [
        ("sparse", 220, 220),
        ("deep", 60, 60),
    ]
    assert {one.query_set for one in scored.conditions} == {"all"}


def test_nothing_left_is_an_error(tmp_path):
    message = "no query of public has labels in deep; expected query sets and label sets that share queries"
    with pytest.raises(UsageError, match=message):
        scored_in(tmp_path, queries=("public",), labels=("deep",))


def test_an_undefined_measure_is_an_error(tmp_path):
    message = r"ESL@3 is undefined for \d+ of 120 queries \(query set public, labels sparse\); expected a measure"
    with pytest.raises(UsageError, match=message):
        scored_in(tmp_path, [*MEASURES, parse_measure("ESL@3")])


def test_runs_that_lack_queries_are_told_and_score_0(tmp_path):
    file = write_audited(tmp_path)
    path = tmp_path / "fair 1.run"
    kept = [line for line in path.read_text().splitlines(keepends=True) if not line.startswith("b1")]
    path.write_text("".join(kept))
    scored = score_conditions(read_board(file), MEASURES)
    lost = [query for query in PRIVATE if query.startswith("b1")]
    assert scored.missing_queries == {
        "sparse": {"fair 1": len(lost)},
        "deep": {"fair 1": len(set(lost) & set(JUDGED["deep"]))},
    }
    private = scored.find("private", "sparse", "RR@10")
    assert private is not None
    found = private.scores
    assert not found.of("fair 1")[[found.query_ids.index(query) for query in lost]].any()


def test_two_runs_of_one_file_and_two_files_of_one_name(tmp_path):
    file = write_audited(tmp_path, runs=("base",))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "base.run").write_text("".join(lines_of("fair 2")))
    more = '[[runs]]\npath = "base.run"\nname = "again"\n[[runs]]\npath = "other/base.run"\nname = "other"\n'
    file.write_text(file.read_text() + more)
    found = score_conditions(read_board(file), MEASURES[:1]).conditions[0].scores
    assert found.runs == ("base", "again", "other")
    np.testing.assert_allclose(found.values, rr_scores(PUBLIC, ["base", "base", "fair 2"]).values, rtol=1e-12)


def test_a_board_without_files_has_no_conditions(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores.private = 0.4\n')
    scored = score_conditions(read_board(file), MEASURES)
    assert (scored.conditions, scored.runs, scored.missing_queries) == ((), (), {})


def test_every_run_is_read_once(tmp_path):
    calls = []
    board = read_board(write_audited(tmp_path))
    _, tops = read_conditions(board, MEASURES, top=3, progress=lambda *done: calls.append(done))
    assert calls == [(done, 7) for done in range(1, 8)]
    assert [top.name for top in tops] == [run.name for run in board.runs]
