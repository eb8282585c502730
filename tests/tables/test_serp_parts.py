"""Parts of SERPs: joined they are what the whole run earns; extra queries count once."""

import numpy as np
import pytest

from runoff.files import read_qrels, read_run
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_parts import (
    PART_ARRAYS,
    SpreadQueryError,
    joined_serps,
    part_of_lists,
    serps_of_part,
    with_own_labels,
)

QRELS = read_qrels(b"1 0 a 1\n2 0 c 2\n3 0 x 0\n")


def part_of(text, depth=None, duplicates="error"):
    request = ListRequest(labels=(QRELS,), depth=depth)
    return part_of_lists(read_run(text, duplicates=duplicates).lists(request), request)


FIRST = b"1 Q0 b 1 3 t\n1 Q0 a 2 3 t\n9 Q0 a 1 1 t\n"
SECOND = b"2 Q0 c 1 3 t\n8 Q0 a 1 1 t\n"


@pytest.mark.parametrize("depth", [1, 2, 5, None])
def test_joined(depth):
    whole = read_run(FIRST + SECOND).serps(QRELS, depth=depth)
    for parts in ([FIRST, SECOND], [SECOND, FIRST], [FIRST + SECOND]):
        request = ListRequest(labels=(QRELS,), depth=depth)
        found = joined_serps([part_of(text, depth) for text in parts], run="r", request=request)
        for name in ("grades", "retrieved", "judged", "depth_tied"):
            assert np.array_equal(getattr(found, name), getattr(whole, name))
        assert found.extra_queries == whole.extra_queries == 2


def test_a_query_in_two_parts():
    with pytest.raises(SpreadQueryError) as caught:
        joined_serps(
            [part_of(SECOND), part_of(FIRST), part_of(b"2 Q0 d 1 1 t\n")],
            run="r",
            request=ListRequest(labels=(QRELS,), depth=1),
        )
    assert (caught.value.query_id, caught.value.parts) == ("2", (0, 2))


def test_an_extra_query_in_two_parts_counts_once():
    parts = [part_of(FIRST), part_of(b"9 Q0 z 1 1 t\n")]
    assert joined_serps(parts, run="r", request=ListRequest(labels=(QRELS,))).extra_queries == 1


def test_dropped_rows_of_all_parts():
    request = ListRequest(labels=(QRELS,), duplicates="best")
    texts = (FIRST + b"1 Q0 b 1 2 t\n9 Q0 a 1 2 t\n", SECOND, b"3 Q0 x 1 1 t\n3 Q0 x 2 2 t\n")
    parts = [part_of(text, duplicates="best") for text in texts]
    assert [part.dropped.tolist() for part in parts] == [[2], [0], [1]]
    found, whole = (
        joined_serps(parts, run="r", request=request),
        read_run(b"".join(texts), duplicates="best").serps(QRELS),
    )
    assert (found.dropped, found.duplicates) == (whole.dropped, whole.duplicates) == (3, "best")
    assert found.at_level(2).only(found.retrieved > 0).dropped == 3  # of the whole run, whatever is looked at


def test_fractions():
    qrels = read_qrels(b"1 0 a 0.5\n2 0 c 1.8\n3 0 x 0\n")
    request = ListRequest(labels=(qrels,), depth=2)
    parts = [part_of_lists(read_run(text).lists(request), request) for text in (FIRST, SECOND)]
    found = joined_serps(parts, run="r", request=request)
    assert (found.values, found.grades.tolist()) == ((0.5, 1.8), [[-1, 1], [2, -2], [-2, -2]])
    alone = with_own_labels(parts[0], qrels)
    assert serps_of_part(alone, run="r", request=request).values == (0.5, 1.8)


def test_size():
    part = part_of(FIRST)
    assert part.size == sum(getattr(part, name).nbytes for name in PART_ARRAYS) > 0
