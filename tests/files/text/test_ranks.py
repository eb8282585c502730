"""What is odd about ranks, scores and tags, against a slow and obvious version."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from runoff.files import streams
from runoff.files.text.formats import MSMARCO_RUN, TREC_RUN
from runoff.files.text.ranks import Oddity, rank_oddities

RANKS = ("0", "1", "2", "3", "4", "x", "-1", "1.5")
SCORES = ("1", "2", "2.0", "3", "-4", "nan")


def made_run(seed: int, *, is_sorted: bool) -> bytes:
    """Lines as people write them wrongly."""
    rng = random.Random(seed)
    lines = []
    for _ in range(rng.randrange(1, 60)):
        query, rank, score = rng.choice("abcde"), rng.choice(RANKS), rng.choice(SCORES)
        lines.append(f"{query} Q0 d{rng.randrange(99)} {rank} {score} {rng.choice(['t', 't', 't', 'u v'])}\n")
    if is_sorted:
        lines.sort()
    for place in range(0, len(lines), 7):
        lines[place] = rng.choice(["\n", "# note\n", "too few\n", lines[place]])
    return "".join(lines).encode()


def first(rows: list[tuple[int, str, str]]) -> Oddity:
    """As an oddity: rows of (line, query, value); several of a query count once if they have one."""
    rows = sorted(rows)
    if not rows:
        return Oddity()
    line, query, value = rows[0]
    return Oddity(len({query for _, query, _ in rows}) if query else len(rows), line, query, value)


Row = tuple[int, str, int | None, float]
Odd = dict[str, list[tuple[int, str, str]]]


def slow(content: bytes) -> dict[str, Oddity]:
    """The same in the words of the definition."""
    rows: list[Row] = []
    first_tag = None
    odd: Odd = {name: [] for name in ("bad_ranks", "other_tags", "from_one", "twice", "against", "flat")}
    for line, text in enumerate(content.decode().split("\n"), start=1):
        fields = [] if text.startswith("#") else text.split()
        first_tag = first_tag or (fields[5] if len(fields) > 5 else None)
        if len(fields) < 6:
            continue
        if fields[5] != first_tag:
            odd["other_tags"].append((line, "", fields[5]))
        is_rank = fields[3].isdecimal()
        if fields[4] != "nan":
            odd["bad_ranks"] += [] if is_rank else [(line, "", fields[3])]
            rows.append((line, fields[0], int(fields[3]) if is_rank else None, float(fields[4])))
    for query in {row[1] for row in rows}:
        note_query(query, [row for row in rows if row[1] == query], odd)
    return {name: first(rows) for name, rows in odd.items()}


def note_query(query: str, rows: list[Row], odd: Odd) -> None:
    if len({score for *_, score in rows}) == 1 and len(rows) > 1:
        odd["flat"].append((rows[0][0], query, ""))
    ranked = sorted(((rank, line, score) for line, _, rank, score in rows if rank is not None), key=lambda row: row[0])
    for (before, _, higher), (rank, line, score) in pairwise(ranked):
        if before == rank:
            odd["twice"].append((line, query, str(rank)))
        elif score > higher:
            odd["against"].append((line, query, str(rank)))
    if len(ranked) == len(rows) and ranked[0][0] != 1:
        odd["from_one"].append((ranked[0][1], query, str(ranked[0][0])))


@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize("chunk", [40, 1 << 20])
@pytest.mark.parametrize("seed", range(25))
def test_against_the_definition(monkeypatch, seed, chunk, is_sorted):
    content = made_run(seed, is_sorted=is_sorted)
    expected = slow(content)
    if not any(line and not line.startswith(b"#") for line in content.split(b"\n")):
        return
    first_line = next(line for line in content.split(b"\n") if line and not line.startswith(b"#"))
    if len(first_line.split()) < 6:
        return
    monkeypatch.setattr(streams, "CHUNK_BYTES", chunk)
    odd = rank_oddities(content, TREC_RUN)
    assert odd.lines == content.count(b"\n")
    assert (odd.bad_ranks, odd.other_tags) == (expected["bad_ranks"], expected["other_tags"])
    assert odd.not_from_one == expected["from_one"]
    assert odd.rank_twice == expected["twice"]
    assert odd.contradicted == expected["against"]
    assert odd.one_score.count == expected["flat"].count


def test_ms_marco_has_ranks_alone():
    odd = rank_oddities(b"q1\td1\t2\nq1\td2\t3\nq2\td1\t1\nq2\td2\t1\nq2\td3\tx\n", MSMARCO_RUN)
    assert (odd.lines, odd.queries) == (5, 2)
    assert odd.not_from_one == Oddity(1, 1, "q1", "2")
    assert odd.rank_twice == Oddity(1, 4, "q2", "1")
    assert [getattr(odd, name).count for name in ("bad_ranks", "contradicted", "one_score", "other_tags")] == [0] * 4
