"""IPSO of two runs: groups, counts, p at every depth, order of the lines, graded labels, refused input."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from runoff.comparisons import GROUPS, ipso
from runoff.comparisons.ipso import (
    EQUAL,
    NI,
    NONSEPARABLE,
    NS,
    SYMBOLS,
    gains_of,
    highest_vote_p,
    scan,
    vote_ends,
)
from runoff.errors import UsageError
from runoff.measures import RR
from runoff.measures._example import serps_from, serps_of
from runoff.significance import BY_NAME, binomial_p
from tests.comparisons.reference import CODES, pairs, plain_scan, ranked


def vote_p_range(ns, ni, nonseparable):
    return tuple(end.p for end in vote_ends(ns, ni, nonseparable))


def ipso_of(pair, **options):
    first, second = (ranked(lists, run=run) for lists, run in zip(pair, "AB", strict=True))
    return ipso(first, second, depth=len(pair[0][0]), **options)


def plain_group(relations):
    sides = [relation for relation in relations if relation in {"ns", "ni"}]
    if not sides:
        return "equal"
    return f"nonseparable_{sides[0]}" if relations[-1] == "**" else sides[0]


def test_figure_4():
    result = ipso(serps_from("1011001000", run="S1"), serps_from("1010011011", run="S2"), depth=10)
    (topic,) = result.per_topic
    assert (topic.first, topic.second) == ("1011001000", "1010011011")
    assert topic.relations == "==" * 3 + "ni" * 5 + "**" * 2
    assert (topic.group, topic.onset, topic.nonseparable_at) == ("nonseparable_ni", 4, 9)
    assert [at.ni for at in result.by_depth] == [0] * 3 + [1] * 5 + [0] * 2
    assert [at.nonseparable for at in result.by_depth] == [0] * 8 + [1] * 2
    assert (result.first, result.second, result.topics, result.depth) == ("S1", "S2", 1, 10)


@given(pairs())
def test_groups_and_relations_are_those_of_the_plain_scan(pair):
    result = ipso_of(pair)
    expected = [plain_scan(*([max(bit, 0) for bit in serp] for serp in serps)) for serps in zip(*pair, strict=True)]
    assert [GROUPS[place] for place in result.group] == [plain_group(relations) for relations in expected]
    lines = {topic.query_id: topic for topic in result.per_topic}
    assert [lines[query].relations for query in result.query_ids] == ["".join(line) for line in expected]
    for at in result.by_depth:
        column = [line[at.depth - 1] for line in expected]
        found = (at.ns, at.equal, at.ni, at.nonseparable)
        assert found == tuple(column.count(symbol) for symbol in ("ns", "==", "ni", "**"))


@given(pairs())
def test_counts_add_to_the_queries(pair):
    result = ipso_of(pair)
    assert sum(result.groups.values()) == result.topics
    assert {at.ns + at.equal + at.ni + at.nonseparable for at in result.by_depth} == {result.topics}
    assert result.at_depth.nonseparable == result.groups["nonseparable_ns"] + result.groups["nonseparable_ni"]
    assert sorted(result.order.tolist()) == list(range(result.topics))


@given(pairs())
def test_swapping_the_runs_mirrors_everything(pair):
    there, back = ipso_of(pair), ipso_of(pair[::-1])
    assert list(there.groups.values()) == list(back.groups.values())[::-1]
    assert [(at.ns, at.equal, at.ni, at.nonseparable) for at in there.by_depth] == [
        (at.ni, at.equal, at.ns, at.nonseparable) for at in back.by_depth
    ]
    assert [at.sign_p for at in there.by_depth] == [at.sign_p for at in back.by_depth]
    assert there.sign_p_range == back.sign_p_range
    assert there.highest_sign_p == back.highest_sign_p


@given(pairs())
def test_a_smaller_depth_is_a_prefix(pair):
    whole = ipso_of(pair)
    runs = [ranked(lists) for lists in pair]
    for depth in range(1, whole.depth + 1):
        assert ipso(*runs, depth=depth).by_depth == whole.by_depth[:depth]


def test_lines_are_sorted_so_that_like_stands_beside_like():
    rows = {
        "ahead at once": ("1000", "0100", "nininini"),
        "ahead, soon apart": ("1000", "0111", "nini****"),
        "behind at once": ("0100", "1000", "nsnsnsns"),
        "behind late": ("0001", "0010", "====nsns"),
        "behind, soon apart": ("0111", "1000", "nsns****"),
        "behind at once, late apart": ("0101", "1000", "nsnsns**"),
        "behind later, late apart": ("0011", "0100", "==nsns**"),
        "ahead later, late apart": ("0100", "0011", "==nini**"),
        "ahead at once, late apart": ("1000", "0101", "ninini**"),
        "ahead later": ("0100", "0010", "==ninini"),
        "level": ("0110", "0110", "========"),
    }
    first, second = (
        replace(serps_from(*(row[side] for row in rows.values())), query_ids=tuple(rows)) for side in (0, 1)
    )
    lines = ipso(first, second, depth=4).per_topic
    assert {line.query_id: line.relations for line in lines} == {name: row[2] for name, row in rows.items()}
    assert [line.query_id for line in lines] == [
        "behind, soon apart",
        "behind at once, late apart",
        "behind later, late apart",
        "behind at once",
        "behind late",
        "level",
        "ahead later",
        "ahead at once",
        "ahead later, late apart",
        "ahead at once, late apart",
        "ahead, soon apart",
    ]


def test_sign_test_of_the_counts():
    first = serps_from(*["10"] * 109, *["01"] * 81, *["00"] * 23)
    second = serps_from(*["01"] * 109, *["10"] * 81, *["00"] * 23)
    result = ipso(first, second, depth=2)
    assert result.groups == {"nonseparable_ns": 0, "ns": 81, "equal": 23, "ni": 109, "nonseparable_ni": 0}
    assert result.sign_p == pytest.approx(0.0499, abs=5e-5)
    assert result.sign_p_range == (result.sign_p, result.sign_p)


def test_the_counts_of_figure_6():
    # 20, 81, 23, 109 and 16 queries in the five groups.
    shapes = [("011", "100"), ("010", "100"), ("010", "010"), ("100", "010"), ("100", "011")]
    rows = [shape for shape, count in zip(shapes, (20, 81, 23, 109, 16), strict=True) for _ in range(count)]
    result = ipso(*(serps_from(*(row[side] for row in rows), run="AB"[side]) for side in (0, 1)), depth=3)
    assert list(result.groups.values()) == [20, 81, 23, 109, 16]
    assert result.sign_p == pytest.approx(0.0499, abs=5e-5)
    assert [f"{p:.2g}" for p in result.sign_p_range] == ["2.5e-05", "0.64"]
    # The paper: from 81 against 109 + 36 to 81 + 36 against 109. The first run has the ni queries.
    ends = [(end.first, end.second, f"{end.p:.2g}", end.favours) for end in result.sign_p_ends]
    assert ends == [(145, 81, "2.5e-05", "A"), (109, 117, "0.64", "B")]
    assert result.highest_sign_p == 1.0


@given(pairs())
def test_the_ends_are_those_of_the_range_and_mirror(pair):
    there, back = ipso_of(pair), ipso_of(pair[::-1])
    assert tuple(end.p for end in there.sign_p_ends) == there.sign_p_range
    last = there.at_depth
    votes = {(last.ni + last.nonseparable, last.ns), (last.ni, last.ns + last.nonseparable)}
    assert {(end.first, end.second) for end in there.sign_p_ends} == votes
    assert {(end.second, end.first) for end in back.sign_p_ends} == votes
    for end in there.sign_p_ends:
        assert end.favours == {1: "A", 0: None, -1: "B"}[int(np.sign(end.first - end.second))]


def test_queries_without_a_relevant_document_are_left_out():
    judged = [[5, 1, 0], [5, 0, 0], [5, 0, 3], [5, 2, 0]]
    first = serps_of([1, 0], [0, -1], [2, 0], [0, 1], judged=judged)
    second = serps_of([0, 1], [0, 0], [0, 2], [0, 1], judged=judged)
    result = ipso(first, second, depth=2, level=1)
    assert (list(result.query_ids), result.topics, result.unanswerable) == (["q1", "q3", "q4"], 3, 1)
    assert (result.groups["equal"], result.groups["ni"], result.most_relevant) == (1, 2, 3)
    strict = ipso(first, second, depth=2, level=2)
    assert (list(strict.query_ids), strict.unanswerable) == (["q3"], 3)
    graded = ipso(first, second, depth=2, gains=[0, 0, 1])  # grade 1 has no gain
    assert (list(graded.query_ids), graded.unanswerable) == (["q3"], 3)
    assert ipso(first, second, depth=2, gains=[0, 0.5, 1]).unanswerable == 1
    assert [topic.query_id for topic in strict.per_topic] == ["q3"]
    nothing = ipso(first, second, depth=2, level=3)
    assert (nothing.topics, nothing.unanswerable, nothing.sign_p) == (0, 4, 1.0)


@given(pairs(highest=0, max_queries=20), st.data())
def test_with_one_relevant_document_the_vote_is_the_sign_test_of_rr(pair, data):
    depth, level = len(pair[0][0]), data.draw(st.sampled_from([1, 2]))
    for lists in pair:
        for serp in lists:
            rank = data.draw(st.integers(0, depth))
            if rank < depth:
                serp[rank] = level
    judged = [[50, *[0] * (level - 1), 1]] * len(pair[0])
    first, second = (serps_of(*lists, judged=judged) for lists in pair)
    result = ipso(first, second, depth=depth, level=level)
    assert result.is_sign_test_of_rr
    assert result.at_depth.nonseparable == 0
    rr = RR(rel=level, cutoff=depth)
    assert result.sign_p == BY_NAME["sign"].compare(rr.values(first), rr.values(second)).p


def test_with_several_relevant_documents_it_is_not():
    assert not ipso(serps_from("10", relevant=2), serps_from("01", relevant=2), depth=2).is_sign_test_of_rr
    assert not ipso(ranked([]), ranked([]), depth=3).is_sign_test_of_rr


def test_lists_shorter_than_the_depth_gain_nothing_more():
    result = ipso(serps_from("1", "1"), serps_from("011", "100"), depth=5)
    assert [topic.relations for topic in result.per_topic] == ["==" * 5, "nini" + "**" * 3]


def test_unjudged_counts_as_not_relevant():
    result = ipso_of(([[-1, 1]], [[0, 1]]))
    assert result.groups["equal"] == 1
    assert result.per_topic[0].first == "01"


def test_graded_labels_are_added_up_exactly():
    # 0.1 + 0.2 is more than 0.3 in floating point: that would be a false lead.
    first, second = (ranked([serp], highest=3) for serp in ([1, 2, 0], [0, 0, 3]))
    result = ipso(first, second, depth=3, gains=[0, 0.1, 0.2, 0.3])
    assert result.per_topic[0].relations == "ninini"
    back = ipso(ranked([[0, 0, 3, 0]], highest=3), ranked([[0, 0, 1, 2]], highest=3), depth=4, gains=[0, 0.1, 0.2, 0.3])
    assert back.per_topic[0].relations == "====nini"
    assert back.per_topic[0].second == "0012"


@given(pairs(highest=3))
def test_graded_scan_equals_the_plain_one(pair):
    gains = [0, 0.2, 0.8, 1]
    whole = [0, 1, 4, 5]
    result = ipso(*(ranked(lists, highest=3) for lists in pair), depth=len(pair[0][0]), gains=gains)
    lines = {topic.query_id: topic.relations for topic in result.per_topic}
    for query, one, other in zip(result.query_ids, *pair, strict=True):
        assert lines[query] == "".join(plain_scan(one, other, lambda grade: whole[max(grade, 0)]))


def test_a_level_makes_graded_labels_binary():
    first, second = (ranked([serp], highest=2) for serp in ([1, 2], [2, 0]))
    assert ipso(first, second, depth=2, level=1).per_topic[0].relations == "==ni"
    strict = ipso(first, second, depth=2, level=2).per_topic[0]
    assert (strict.first, strict.second, strict.relations) == ("01", "10", "nsns")


def test_grades_of_two_digits_are_kept_apart():
    first, second = (ranked([serp], highest=12) for serp in ([12, 0], [0, 1]))
    result = ipso(first, second, depth=2, gains=range(13))
    assert result.per_topic[0].first == "12,0"


def test_graded_labels_without_gains_are_refused():
    with pytest.raises(UsageError, match="--gains"):
        ipso(ranked([[1]], highest=3), ranked([[1]], highest=3), depth=1)


def test_different_queries_are_refused():
    other = replace(serps_from("1"), query_ids=("q9",))
    with pytest.raises(UsageError, match="different queries"):
        ipso(serps_from("1"), other, depth=1)
    with pytest.raises(UsageError, match="expected the same labels"):
        ipso(serps_from("1"), serps_from("1", relevant=2), depth=1)


def test_a_depth_beyond_the_kept_ranks_is_refused():
    longer = replace(serps_from("10"), retrieved=np.array([5]))
    with pytest.raises(UsageError, match="keep 2 ranks and 1 of its lists are longer"):
        ipso(longer, serps_from("10"), depth=3)
    with pytest.raises(UsageError, match="depth 0 cannot be used"):
        ipso(serps_from("10"), serps_from("10"), depth=0)


def test_no_queries():
    result = ipso(ranked([]), ranked([]), depth=3)
    assert sum(result.groups.values()) == 0
    assert (result.sign_p, result.per_topic) == (1.0, ())


small = st.integers(0, 40)


def test_the_counts_of_figure_6_ipso_vote():
    assert vote_p_range(81, 109, 0)[0] == pytest.approx(0.0499, abs=5e-5)
    low, high = vote_p_range(81, 109, 36)
    assert low == pytest.approx(2.5e-5, rel=0.02)
    assert high == pytest.approx(0.64, abs=0.005)  # the paper prints 0.25, for 117 against 109
    assert highest_vote_p(81, 109, 36) == 1.0
    assert [(end.ns, end.ni) for end in vote_ends(81, 109, 36)] == [(81, 145), (117, 109)]


def test_nobody_votes():
    assert vote_p_range(0, 0, 0) == (1.0, 1.0)


@given(small, small)
def test_without_non_separable_queries_there_is_no_range(ns, ni):
    p = binomtest(ns, ns + ni).pvalue if ns + ni else 1.0
    assert vote_p_range(ns, ni, 0) == pytest.approx((p, p), rel=1e-9)
    assert highest_vote_p(ns, ni, 0) == pytest.approx(p, rel=1e-9)


@given(small, small, small)
def test_the_range_and_the_highest_hold_every_split(ns, ni, apart):
    splits = np.arange(apart + 1)
    all_p = binomial_p(ns + splits, ni + apart - splits)
    low, high = vote_p_range(ns, ni, apart)
    assert low == all_p.min()
    assert high == max(all_p[0], all_p[-1])
    assert highest_vote_p(ns, ni, apart) == all_p.max()


BINARY = np.array([0, 1])


def relations_of(first, second, table=BINARY):
    arrays = [np.array(one, dtype=np.int8) for one in (first, second)]
    return scan(*(gains_of(one, table, one.shape[1]) for one in arrays))


def bits(text):
    return [[int(bit) for bit in text]]


def test_figure_4_ipso_scan():
    relations = relations_of(bits("1011001000"), bits("1010011011"))[0].tolist()
    assert relations == [EQUAL] * 3 + [NI] * 5 + [NONSEPARABLE] * 2


def test_codes_have_their_symbols():
    assert {symbol: code for code, symbol in SYMBOLS.items()} == CODES
    assert [NS, EQUAL, NI, NONSEPARABLE] == [-1, 0, 1, 2]


@given(pairs(highest=3))
def test_equals_the_plain_scan(pair):
    gain = [0, 1, 4, 5]
    found = relations_of(pair[0], pair[1], np.array(gain))
    for row, one, other in zip(found.tolist(), *pair, strict=True):
        assert [SYMBOLS[code] for code in row] == plain_scan(one, other, lambda grade: gain[max(grade, 0)])


@given(pairs())
def test_swapping_mirrors(pair):
    there, back = relations_of(*pair), relations_of(*reversed(pair))
    assert (np.where(there == NONSEPARABLE, there, -there) == back).all()


@given(pairs())
def test_non_separable_stays_so_and_equal_comes_first(pair):
    relations = relations_of(*pair)
    apart, equal = relations == NONSEPARABLE, relations == EQUAL
    assert (apart[:, 1:] >= apart[:, :-1]).all()
    assert (equal[:, 1:] <= equal[:, :-1]).all()
    assert not apart[:, 0].any()


@given(pairs(), st.lists(st.integers(0, 1), max_size=5))
def test_an_equal_prefix_shifts_and_an_equal_suffix_repeats(pair, same):
    plain = relations_of(*pair)
    before = relations_of(*([same + serp for serp in run] for run in pair))
    behind = relations_of(*([serp + same for serp in run] for run in pair))
    assert (before[:, : len(same)] == EQUAL).all()
    assert (before[:, len(same) :] == plain).all()
    assert (behind[:, plain.shape[1] :] == plain[:, -1:]).all()


@given(pairs())
def test_a_run_equals_itself(pair):
    assert (relations_of(pair[0], pair[0]) == EQUAL).all()


def test_unjudged_and_empty_ranks_gain_nothing():
    gains = gains_of(np.array([[-1, 1, -2]], dtype=np.int8), BINARY, 5)
    assert gains.tolist() == [[0, 1, 0, 0, 0]]


def test_the_type_grows_with_the_gain():
    nothing = np.zeros((1, 1), dtype=np.int8)
    types = [gains_of(nothing, np.array([0, largest]), 1).dtype for largest in (1, 127, 128, 2**15, 2**40, 2**63 - 1)]
    assert types == [np.int8, np.int8, np.int16, np.int32, np.int64, np.int64]
    deep = np.ones((1, 200), dtype=np.int8)
    assert scan(gains_of(deep, BINARY, 200), gains_of(-deep, BINARY, 200)).tolist() == [[NI] * 200]


def test_the_graded_example_of_section_3_8():
    # Gains 0, 0.2, 0.8, 1 as whole numbers; grades for S1, S2, S3 of the paper.
    table = np.array([0, 1, 4, 5])
    one, two, three = [[3, 2, 0, 1, 3]], [[2, 2, 0, 1, 2]], [[3, 1, 0, 2, 3]]
    assert relations_of(one, two, table)[0, -1] == NI
    assert relations_of(one, three, table)[0, -1] == NI
    assert relations_of(two, three, table)[0, -1] == NONSEPARABLE
