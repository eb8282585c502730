"""A board whose queries, private documents and private scores can be mistaken for nothing else."""

from __future__ import annotations

import random
from pathlib import Path

OPEN = [f"zzopenzz{number}" for number in range(30)]
SEALED = [f"zzsealedzz{number}" for number in range(24)]
DOCUMENT = "zzdoczz"
SCORES = ("0.1429", "0.14286", "0.1111", "0.11111")
"""What single private queries score, 1/7 and 1/9; no list has an open answer there."""


def private_mean(seed: int) -> float:
    """The mean on private queries of the run of a seed."""
    return sum(1 / rank for rank in _private_ranks(seed)) / len(SEALED)


def _private_ranks(seed: int) -> list[int]:
    draw = random.Random(f"private {seed}")
    return [draw.choice((7, 9)) for _ in SEALED]


def marked_run(seed: int, *, skill: float = 0.5, private: bool = True) -> str:
    """A run; open answers are at ranks 1 to 5 or not there, private ones at 7 or 9."""
    draw = random.Random(seed)
    lists = [(query, draw.randrange(5) if draw.random() < skill else None, "d") for query in OPEN]
    if private:
        ranks = zip(SEALED, _private_ranks(seed), strict=True)
        lists += [(query, rank - 1, f"{DOCUMENT}{query[-1]}") for query, rank in ranks]
    lines = []
    for query, place, answer in lists:
        docs = [answer if rank == place else f"x{seed}-{rank}" for rank in range(10)]
        lines += [f"{query} Q0 {doc} {rank + 1} {10 - rank} run{seed}\n" for rank, doc in enumerate(docs)]
    return "".join(lines)


def write_marked_board(folder: Path, *, runs: int = 3) -> Path:
    """A board.toml beside its files."""
    folder.mkdir(parents=True)
    (folder / "public.txt").write_text("\n".join(OPEN) + "\n")
    (folder / "private.txt").write_text("\n".join(SEALED) + "\n")
    labels = "".join(f"{query} 0 d 1\n" for query in OPEN)
    labels += "".join(f"{query} 0 {DOCUMENT}{query[-1]} 1\n" for query in SEALED)
    (folder / "qrels.txt").write_text(labels)
    text = 'title = "Marked"\nmeasure = "RR@10"\npublic_labels = "open"\n[labels.dev]\npath = "qrels.txt"\n'
    text += '[queries.public]\npath = "public.txt"\n[queries.private]\npath = "private.txt"\n'
    for number in range(runs):
        (folder / f"run{number}.txt").write_text(marked_run(number, skill=0.3 + 0.2 * number))
        text += f'[[runs]]\npath = "run{number}.txt"\nname = "run {number}"\nteam = "Team {number % 2}"\n'
        text += f"date = 2026-01-0{number + 1}\nbaseline = {str(number == 0).lower()}\n"
    (folder / "board.toml").write_text(text)
    return folder / "board.toml"
