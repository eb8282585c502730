"""SERPs as their parts come: the same as from all parts at once, in memory and in files."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.files import read_qrels, read_run
from runoff.tables.ranked_lists import ListRequest
from runoff.tables.serp_assembly import SerpAssembly
from runoff.tables.serp_parts import part_of_lists, serps_of_labelled_parts, with_own_labels
from runoff.tables.spill import Scratch, in_file

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
