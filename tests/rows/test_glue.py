"""What joins C and Python: buffers are released once, nothing is left behind, interpreters and threads do not mix."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import weakref
from array import array
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.rows.implementations import compiled, judged_of, needs_compiled, parsed, ranked_outcome
from tests.rows.samples import PADDING, SHORT, TREC, column, random_lines

pytestmark = needs_compiled
TEXT = b"q d 1\nq e 2\nr d 3\n"


class Source(array):  # type: ignore[type-arg]
    """A buffer that can be watched."""


def source(content: bytes) -> Source:
    return Source("B", content + bytes(PADDING))


def is_locked(buffer: Source) -> bool:
    """Whether somebody looks into the buffer: then it cannot grow."""
    try:
        buffer.append(0)
    except BufferError:
        return True
    buffer.pop()
    return False


def test_a_text_is_held_as_long_as_it_is_needed():
    text = source(TEXT)
    batch = compiled.parse_rows(text, 0, len(TEXT), SHORT, False)
    lists = compiled.group([batch])
    del batch
    assert is_locked(text)
    lists.rank(0, 2, (), -1, -1, 0, 0)
    del lists
    assert not is_locked(text)


def test_kept_rows_let_the_text_go():
    text = source(TEXT)
    batch = compiled.parse_rows(text, 0, len(TEXT), SHORT, True)
    assert not is_locked(text)
    gone = weakref.ref(text)
    del text
    gc.collect()
    assert gone() is None
    assert compiled.group([batch]).rank(0, 2, (), -1, -1, 0, 0).docs_text.strip(b"\0") == b"edd"


@pytest.mark.parametrize(
    "call",
    [
        lambda text: compiled.parse_rows(text, 0, len(TEXT) - 1, SHORT, False),
        lambda text: compiled.parse_rows(text, 0, len(TEXT), (3, 0, 3, 1, 2, 0), False),
        lambda text: compiled.parse_rows(text, 0, "x", SHORT, False),
        lambda text: compiled.split_fields(text, 0, len(TEXT), 0, False),
        lambda text: compiled.block_start(text, 5, 4, 0),
        lambda text: compiled.parse_decimals(text, np.zeros(1, dtype=np.int64), np.zeros(2, dtype=np.int64)),
        lambda text: compiled.columns_batch(text, np.zeros(0, dtype=np.int64), text, text, text),
        lambda text: compiled.columns_batch(text, text, text, text, None),
        lambda text: compiled.Judged(text, np.zeros(0, dtype=np.int64), text, text, text),
        lambda text: compiled.Judged(text, text, text, text, "x"),
        lambda text: judged_of(compiled, ([b"q"], [])).find(np.zeros(1, dtype=np.int64), text, text),
    ],
)
def test_an_error_releases_all_buffers(call):
    text = source(TEXT)
    with pytest.raises((TypeError, ValueError)):
        call(text)
    assert not is_locked(text)


def test_judgments_hold_their_columns():
    text = source(b"q")
    bounds = np.array([0, 1], dtype=np.int64)
    judged = compiled.Judged(text, bounds, np.zeros(1, dtype=np.int64), text, bounds)
    assert is_locked(text)
    del judged
    assert not is_locked(text)


def test_nothing_is_left_behind():
    """The references to what is passed in, and to the types, are as many after a thousand calls as before."""
    judgments = judged_of(compiled, ([b"q", b"r"], [(0, b"d"), (1, b"d")]))
    words, bounds = column([b"q", b"r"])
    shared = (words, bounds, judgments, compiled.Batch, compiled.Lists, compiled.Ranked)

    def work() -> None:
        batch = parsed(compiled, TEXT + b"q d 1\nq f x\nq g 9007199254740993.000000000000000000001\n", SHORT)
        assert batch.faults[0] is not None
        both = compiled.group([batch, compiled.columns_batch(words, bounds, words, bounds, np.zeros(2))])
        both.rank(0, both.queries, (judgments, judgments), 1, 1, 0, 0)
        both.query_ids()
        for wrong in (lambda: compiled.group([batch, None]), lambda: both.rank(0, 1, (judgments, None), 1, 1, 0, 0)):
            with pytest.raises(TypeError):
                wrong()

    work()
    before = [sys.getrefcount(one) for one in shared]
    for _ in range(1000):
        work()
    assert [sys.getrefcount(one) for one in shared] == before


def test_threads_rank_the_same_lists_at_a_time():
    rng = np.random.default_rng(5)
    text = random_lines(rng, 5_000)
    lists = compiled.group([parsed(compiled, text, TREC, keep=False), parsed(compiled, text, TREC)])
    judged = judged_of(compiled, ([b"q1"], [(0, b"doc1"), (0, b"doc2")]))
    expected = ranked_outcome(lists.rank(0, lists.queries, (judged,), 10, 5, 0, 2))

    def rank(_):
        return ranked_outcome(lists.rank(0, lists.queries, (judged,), 10, 5, 0, 2))

    with ThreadPoolExecutor(8) as pool:
        for outcome in pool.map(rank, range(64)):
            for name, value in expected.items():
                np.testing.assert_array_equal(outcome[name], value, err_msg=name)


def test_the_module_can_be_loaded_and_dropped_many_times():
    """Each load makes types of its own, which go with it, and all share one secret, so that old tables stay right."""
    script = """
        import gc, importlib.util, sys, weakref
        from runoff.rows import _compiled as first
        table = first.Judged(bytes(9), bytes(8) + (1).to_bytes(8, "little"), bytes(8), b"d" + bytes(8),
                             bytes(8) + (1).to_bytes(8, "little"))
        types = []
        for _ in range(20):
            spec = importlib.util.spec_from_file_location("runoff.rows._compiled", first.__file__)
            again = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(again)
            assert again.Batch is not first.Batch
            try:
                first.group([again.parse_rows(b"q d 1\\n" + bytes(64), 0, 6, (3, 0, 0, 1, 2, 0), True)])
                raise SystemExit("a batch of another module was taken")
            except TypeError:
                pass
            types.append(weakref.ref(again.Batch))
            del again, spec
        gc.collect()
        assert sum(one() is not None for one in types) == 0, types
        found = table.find(bytes(8), b"d" + bytes(8), bytes(8) + (1).to_bytes(8, "little"))
        assert found == bytes(8), found
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)


def test_memory_that_runs_out_is_a_memory_error():
    """Every allocation of Python fails once: all that was made so far is released, and no buffer twice."""
    pytest.importorskip("_testcapi", reason="this Python cannot let its allocations fail")
    script = """
        import sys
        import _testcapi
        import numpy as np
        from runoff.rows import _compiled as rows

        padding = bytes(64)
        text = b"q d 1\\nq e 2\\nr d x\\nq d 3\\nr h 9007199254740993.000000000000000000001\\n"
        padded, form = text + padding, (3, False, 0, 1, 2, 0)
        ids, bounds, zeros, scores = b"qr" + padding, np.array([0, 1, 2]), np.zeros(2, dtype=np.int64), np.zeros(2)
        batch = rows.parse_rows(padded, 0, len(text), form, True)
        judged = rows.Judged(ids, bounds, zeros, ids, bounds)
        lists = rows.group([batch, batch])
        calls = [
            lambda: rows.parse_rows(padded, 0, len(text), form, True),
            lambda: rows.parse_rows(padded, 0, len(text), form, False),
            lambda: rows.split_fields(padded, 0, len(text), 2, False),
            lambda: rows.parse_decimals(padded, zeros, zeros),
            lambda: rows.columns_batch(ids, bounds, ids, bounds, scores),
            lambda: rows.Judged(ids, bounds, zeros, ids, bounds),
            lambda: judged.find(zeros, ids, bounds),
            lambda: rows.group([batch, batch]),
            lambda: lists.query_ids(),
            lambda: lists.rank(0, 2, (judged, judged), 1, -1, 0, 0),
        ]
        shared = [padded, ids, bounds, zeros, batch, judged, lists, rows.Batch, rows.Lists, rows.Ranked]
        for number, call in enumerate(calls):
            counts, failures = [], 0
            for _ in range(3):
                for start in range(40):
                    for stop in (start + 1, 0):
                        answer = None
                        _testcapi.set_nomemory(start, stop)
                        try:
                            answer = call()
                        except MemoryError:
                            pass
                        finally:
                            _testcapi.remove_mem_hooks()
                        failures += answer is None
                answer = None
                counts.append([sys.getrefcount(one) for one in shared])
            assert failures > 0, number
            assert counts[1] == counts[2], (number, counts)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
