"""Ids that collide in the hash tables: the answers stay right, and nobody can prepare ids that collide.

The secret of the hashes belongs to the process, so every test starts one of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.rows.implementations import compiled, needs_compiled

pytestmark = needs_compiled
ROOT = Path(__file__).resolve().parents[2]
MASK = (1 << 64) - 1
FACTOR = 0x9E3779B97F4A7C15
SECRET = (0x0123456789ABCDEF, 0x1122334455667788, 0x99AABBCCDDEEFF01, 0x0F1E2D3C4B5A6978)


def hashed(token: bytes, secret: tuple[int, ...] = SECRET) -> int:
    """The hash of an id of 1 to 8 bytes, as `bytes.h` has it."""
    start = secret[0] ^ (len(token) * FACTOR & MASK)
    product = (int.from_bytes(token, "little") ^ secret[3]) * (start ^ secret[2])
    return (product >> 64) ^ (product & MASK)


def run_in_a_process(script: str, given: object = None) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=False, env=environment, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


SAME_AS_REFERENCE = """
import json, struct, sys
from itertools import product
import numpy as np
from tests.rows.implementations import (
    assert_same, compiled, judged_of, judged_outcome, lists_outcome, parsed, ranked_outcome)

compiled._set_hash_secret(struct.pack("<4Q", *json.load(sys.stdin)))
names = [bytes(some) for some in product(b"abcdef", repeat=4)][:300]
rng = np.random.default_rng(1)
queries, docs = ([names[at] for at in rng.integers(0, 300, 1500)] for _ in range(2))
texts = [b"".join(b"%s %s %d\\n" % (query, doc, at % 7) for at, (query, doc) in enumerate(zip(*half)))
         for half in ((queries[:700], docs[:700]), (queries[700:], docs[700:]))]
crowded = b"".join(b"query %s 1\\n" % doc for doc in docs)
pairs = list(dict.fromkeys((int(place), doc) for place, doc in zip(rng.integers(0, 300, 900), docs)))
for duplicates in range(3):
    def outcome(module):
        judged = judged_of(module, (names, pairs))
        lists = module.group([parsed(module, text, (3, 0, 0, 1, 2, 0)) for text in (*texts, crowded)])
        ranked = lists.rank(0, lists.queries, (judged,), 2, 3, 0, duplicates)
        return {**judged_outcome(judged, pairs), **lists_outcome(lists), **ranked_outcome(ranked)}
    assert_same(outcome)
print("same")
"""


def test_ids_that_all_collide_are_told_apart():
    """With this secret every id of four bytes has the same hash."""
    secret = (SECRET[0], SECRET[1], SECRET[0] ^ (4 * FACTOR & MASK), SECRET[3])
    assert len({hashed(bytes(some), secret) for some in product(b"abcdef", repeat=4)}) == 1
    assert run_in_a_process(SAME_AS_REFERENCE, secret) == "same\n"
    assert run_in_a_process(SAME_AS_REFERENCE, SECRET) == "same\n"


def colliding_ids(count: int, bits: int) -> list[str]:
    """Ids of eight letters whose hashes end, under the known secret, with the same bits: one place in the tables."""
    start = SECRET[0] ^ (8 * FACTOR & MASK) ^ SECRET[2]
    numbers = np.arange(count << bits, dtype=np.uint64) * np.uint64(FACTOR)
    letters = [numbers >> np.uint64(5 * place) & np.uint64(31) for place in range(8)]
    tokens = np.stack([letter.astype(np.uint8) + np.uint8(64) for letter in letters], axis=1).view("<u8").ravel()
    words = tokens ^ np.uint64(SECRET[3])
    # the product of two words, of which the lowest bits of the high and of the low one are needed
    low, high = words & np.uint64(0xFFFFFFFF), words >> np.uint64(32)
    start_low, start_high = np.uint64(start & 0xFFFFFFFF), np.uint64(start >> 32)
    middle = high * start_low + (low * start_low >> np.uint64(32))
    other = low * start_high + (middle & np.uint64(0xFFFFFFFF))
    top = high * start_high + (middle >> np.uint64(32)) + (other >> np.uint64(32))
    hashes = top ^ words * np.uint64(start)
    found = tokens[hashes & np.uint64((1 << bits) - 1) == 0]
    return [int(token).to_bytes(8, "little").decode() for token in found]


TIMES = """
import json, struct, sys, time
from runoff.rows import _compiled as rows

ids, secret = json.load(sys.stdin)
if secret:
    rows._set_hash_secret(struct.pack("<4Q", *secret))


def seconds(names):
    docs = "".join(f"q {name} 1\\n" for name in names).encode()
    queries = "".join(f"{name} d 1\\n" for name in names).encode()
    best = []
    for _ in range(3):
        start = time.process_time()
        for text in (docs, queries):
            batch = rows.parse_rows(text + bytes(64), 0, len(text), (3, 0, 0, 1, 2, 0), True)
            lists = rows.group([batch])
            lists.rank(0, lists.queries, (), -1, 0, rows.FILE, rows.ERROR)
        best.append(time.process_time() - start)
    return min(best)


crafted, usual = (min(seconds(some) for _ in range(2)) for some in ids)
print(crafted / usual)
"""


def test_crafted_ids_are_slow_only_for_who_knows_the_secret():
    """Ids in one place of a table take time that grows with the square; under another secret they are as others."""
    crafted = colliding_ids(4_000, 10)
    assert len(crafted) > 3_000
    assert {hashed(token.encode()) & 1023 for token in crafted} == {0}
    usual = [f"{number:08d}" for number in range(len(crafted))]
    assert float(run_in_a_process(TIMES, [[crafted, usual], SECRET])) > 5
    assert float(run_in_a_process(TIMES, [[crafted, usual], None])) < 2.5


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_has_32_bytes(size):
    with pytest.raises(ValueError, match=f"{size} bytes; expected 32"):
        compiled._set_hash_secret(bytes(size))
