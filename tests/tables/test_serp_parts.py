"""Parts of SERPs: joined they are what the whole run earns; extra queries count once."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.files import read_qrels, read_run
from runoff.tables.memory import Scratch, in_file
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_parts import (
    PART_ARRAYS,
    SerpAssembly,
    SpreadQueryError,
    joined_serps,
    part_of_lists,
    serps_of_labelled_parts,
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


LABELS = ["1 0 a 1\n1 0 b 3\n", "2 0 c 2\n", "3 0 x 0\n", "44 0 y 1\n44 0 z 1\n"]
LISTS = ["1 Q0 b 1 3 t\n1 Q0 a 2 3 t\n1 Q0 k 3 1 t\n", "2 Q0 c 1 3 t\n20 Q0 c 1 1 t\n", "", "44 Q0 z 1 2 t\n"]
OTHERS = ["1 Q0 k 1 3 t\n", "2 Q0 m 1 3 t\n2 Q0 c 2 1 t\n", "3 Q0 x 1 1 t\n", ""]


def parts_of(lists, cuts, labels=LABELS, depth=2):
    """The parts of a run, cut in front of some of the queries."""
    found = []
    for low, high in zip([0, *cuts], [*cuts, len(labels)], strict=True):
        qrels = read_qrels("".join(labels[low:high]).encode())
        request = ListRequest(labels=(qrels,), depth=depth)
        some = read_run("".join(lists[low:high]).encode() or b"9 Q0 a 1 1 t\n").lists(request)
        found.append(with_own_labels(part_of_lists(some, request, counted=("20",)), qrels))
    return found


@pytest.mark.parametrize("cuts", [[], [1], [2, 3], [1, 2, 3]])
@pytest.mark.parametrize("files", [False, True])
def test_the_same_serps(cuts, files, tmp_path):
    scratch = Scratch(tmp_path) if files else None
    assembly = SerpAssembly(ListRequest(depth=2), queries=4, scratch=scratch)
    whole = None
    for name, lists, some in (("one", LISTS, cuts), ("two", OTHERS, [2])):
        parts = parts_of(lists, some)
        found = assembly.serps(name, iter(parts))
        whole = serps_of_labelled_parts(parts, run=name, request=ListRequest(depth=2), like=whole)
        assert list(found.query_ids) == list(whole.query_ids) == ["1", "2", "3", "44"]
        for array in ("grades", "retrieved", "judged", "depth_tied"):
            assert np.array_equal(getattr(found, array), getattr(whole, array))
            assert in_file(getattr(found, array)) == files
        assert (found.run, found.extra_queries, found.tie_rule) == (name, whole.extra_queries, "trec_eval")
    assert whole is not None


FRACTIONS = ["1 0 a 1\n1 0 b 3\n", "2 0 c 1.8\n", "3 0 x 0\n3 0 y 0.5\n", "44 0 y 1.8\n44 0 z 2\n"]


@pytest.mark.parametrize("cuts", [[], [1], [2, 3], [1, 2, 3]])
@pytest.mark.parametrize("files", [False, True])
def test_parts_with_other_fractions(cuts, files, tmp_path):
    """A part of whole grades, and parts whose fractions differ, have the codes of all labels together."""
    whole = read_qrels("".join(FRACTIONS).encode())
    assembly = SerpAssembly(ListRequest(depth=2), queries=4, scratch=Scratch(tmp_path) if files else None)
    first = None
    for name, lists, some in (("one", LISTS, cuts), ("two", OTHERS, [2])):
        parts = parts_of(lists, some, FRACTIONS)
        expected = read_run("".join(lists).encode()).serps(whole, depth=2)
        first = serps_of_labelled_parts(parts, run=name, request=ListRequest(depth=2), like=first)
        for found in (assembly.serps(name, iter(parts)), first):
            assert found.values == expected.values == (0.5, 1.0, 1.8, 2.0, 3.0)
            for array in ("grades", "judged"):
                assert getattr(found, array).tolist() == getattr(expected, array).tolist()


def test_fractions_that_change_meanwhile():
    assembly = SerpAssembly(ListRequest(depth=2), queries=4)
    assembly.serps("first", parts_of(LISTS, [1], FRACTIONS))
    with pytest.raises(UsageError, match="run 'next' was scored on others of the same number queries"):
        assembly.serps("next", parts_of(LISTS, [1], LABELS))


def test_queries_and_judged_documents_are_held_once():
    assembly = SerpAssembly(ListRequest(depth=2), queries=4)
    first, second = (assembly.serps(name, parts_of(LISTS, cuts)) for name, cuts in (("a", [1]), ("b", [3])))
    assert first.query_ids is second.query_ids
    assert first.judged is second.judged


@pytest.mark.parametrize(
    "labels, told",
    [
        (LABELS[:3], "3 queries"),
        ([*LABELS, "5 0 a 1\n"], "5 or more queries"),
        ([*LABELS[:3], "45 0 y 1\n"], "others of the same number queries"),
        ([*LABELS[:2], "34 0 x 0\n", "4 0 y 1\n"], "others of the same number queries"),
    ],
)
def test_judgments_that_change_meanwhile(labels, told):
    assembly = SerpAssembly(ListRequest(depth=2), queries=4)
    assembly.serps("first", parts_of(LISTS, []))
    lists = [*LISTS, ""][: len(labels)]
    with pytest.raises(UsageError, match=f"run 'next' was scored on {told} and not on those"):
        assembly.serps("next", parts_of(lists, [], labels))
