"""Small boards for tests of pools, tasks and impact."""

import numpy as np

from runoff.files import read_qrels, read_run

QUERIES = [f"q{number}" for number in range(12)]


def run_of(name, lists):
    """A run from {query: [documents, best first]}."""
    lines = [f"{query}\t{doc}\t{rank}\n" for query, docs in lists.items() for rank, doc in enumerate(docs, start=1)]
    return read_run("".join(lines).encode(), name=name)


def qrels_of(labels):
    """Qrels from {query: [relevant documents]}."""
    return read_qrels("".join(f"{query} 0 {doc} 1\n" for query, docs in labels.items() for doc in docs).encode())


def drawn_board(seed, *, runs=4, docs=6):
    """Runs that rank some documents of every query at random, and one label each."""
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(docs)]
    made = [
        run_of(f"run{number}", {query: [names[place] for place in rng.permutation(docs)[:4]] for query in QUERIES})
        for number in range(runs)
    ]
    return made, qrels_of({query: [names[int(rng.integers(docs))]] for query in QUERIES})


def drawn_votes(pairs, seed, *, votes=1):
    """Judgments of all pairs, decided by coins."""
    rng = np.random.default_rng(seed)
    return [
        (query, one, other, one if rng.random() < 0.5 else other) for query, one, other in pairs for _ in range(votes)
    ]
