"""trec_eval's preference files, beside trec_eval's own counts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import LimitError
from runoff.files import read_judgments, render_trec_prefs
from runoff.files.judging import trec_prefs
from runoff.tables import Preferences
from tests.files.samples import chunks_of, problems_of
from tests.preferences.judged import judgments

lines = st.dictionaries(
    st.tuples(st.sampled_from("qr"), st.sampled_from("01"), st.sampled_from("xy"), st.sampled_from("abcd")),
    st.sampled_from(["0", "1", "2.5", "2"]),
    min_size=1,
)


@given(lines, st.integers(16, 100))
def test_higher_levels_of_a_subgroup_are_preferred(levels, size):
    text = "".join(f"{' '.join(key)} {level}\n" for key, level in levels.items())
    with pytest.MonkeyPatch.context() as patch:
        chunks_of(patch, size)
        table = read_judgments(text.encode())
    expected = {
        (query, group, winner, loser)
        for (query, group, subgroup, winner), high in levels.items()
        for (other, its_group, its_subgroup, loser), low in levels.items()
        if (query, group, subgroup) == (other, its_group, its_subgroup) and float(high) > float(low)
    }
    found = [
        (row.query_id, row.assessor, row.preferred, row.right if row.preferred == row.left else row.left)
        for row in table
    ]
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_as_many_as_trec_eval_counts(shared_data):
    table = read_judgments(shared_data / "trec_eval" / "prefs.test")
    found = Counter(row.query_id for row in table)
    counted = {}
    for line in (shared_data / "trec_eval" / "out.test.prefs").read_text().splitlines():
        measure, query, value = line.split()
        if measure == "prefs_num_prefs_poss" and query != "all":
            counted[query] = int(value)
    different = {query for query in counted if counted[query] != found[query]}
    # trec_eval also counts what follows: a over b in one subgroup and b over c in another is a over c.
    assert different == {"40.PA.tran"}
    assert (found["40.PA.tran"], counted["40.PA.tran"]) == (18, 24)


@given(judgments(ties=False))
def test_written_preferences_read_the_same(rows):
    table = Preferences.of([(*row[:4], row[4] or f"n{place}") for place, row in enumerate(rows)])
    again = read_judgments("".join(render_trec_prefs(table)).encode())

    def said(one):
        return {(row.query_id, frozenset((row.left, row.right)), row.preferred, row.assessor) for row in one}

    assert said(again) == said(table)


def test_nameless_judgments_and_ties_are_groups_of_their_own():
    table = Preferences.of([("q", "a", "b", "a"), ("q", "a", "b", None, "ann b")])
    assert "".join(render_trec_prefs(table)) == (
        "q judgment-1 1 a 1\nq judgment-1 1 b 0\nq ann_b 2 a 1\nq ann_b 2 b 1\n"
    )


def test_faults():
    assert problems_of(read_judgments, b"q 0 0 a 1\nq 0 0 b x\nq 0 0 c\n") == [
        "<bytes>:2: level 'x' is not a finite number; expected one such as 1 or 0.5; fix or remove this line",
        "<bytes>:3: 4 fields; expected 5 (query_id group subgroup doc_id level); fix or remove this line",
    ]
    (problem,) = problems_of(read_judgments, b"q 0 0 a 1\n\nq 0 1 a 0\nq 0 0 a 0\n")
    assert problem.startswith("<bytes>:4: document 'a' is listed twice in one subgroup, first in line 1;")


def test_too_many_pairs(monkeypatch):
    monkeypatch.setattr(trec_prefs, "MOST_PAIRS", 2)
    with pytest.raises(LimitError, match="hold 3 pairs of documents, more than 2"):
        read_judgments(b"q 0 0 a 1\nq 0 0 b 1\nq 0 0 c 0\n")
