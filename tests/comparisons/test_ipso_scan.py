"""The scan: the paper's Figure 4, the plain algorithm, and the laws of relations."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runoff.comparisons.ipso_scan import EQUAL, NI, NONSEPARABLE, NS, SYMBOLS, gains_of, scan, whole_type
from tests.comparisons.reference import CODES, pairs, plain_scan

BINARY = np.array([0, 1])


def relations_of(first, second, table=BINARY):
    arrays = [np.array(one, dtype=np.int8) for one in (first, second)]
    return scan(*(gains_of(one, table, one.shape[1]) for one in arrays))


def bits(text):
    return [[int(bit) for bit in text]]


def test_figure_4():
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
    assert [whole_type(largest) for largest in (127, 128, 2**15, 2**40)] == [np.int8, np.int16, np.int32, np.int64]
    deep = np.ones((1, 200), dtype=np.int8)
    assert scan(gains_of(deep, BINARY, 200), gains_of(-deep, BINARY, 200)).tolist() == [[NI] * 200]


def test_the_graded_example_of_section_3_8():
    # Gains 0, 0.2, 0.8, 1 as whole numbers; grades for S1, S2, S3 of the paper.
    table = np.array([0, 1, 4, 5])
    one, two, three = [[3, 2, 0, 1, 3]], [[2, 2, 0, 1, 2]], [[3, 1, 0, 2, 3]]
    assert relations_of(one, two, table)[0, -1] == NI
    assert relations_of(one, three, table)[0, -1] == NI
    assert relations_of(two, three, table)[0, -1] == NONSEPARABLE
