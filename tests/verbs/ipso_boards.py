"""Small boards of SERPs with ties, and slow words on every pair of them."""

from __future__ import annotations

import itertools
import json
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import runoff
from runoff.reading.sources import QrelsSource, as_run
from runoff.results import IpsoBoardResult
from runoff.verbs.ipso import IpsoOptions
from tests.verbs.comparisons import compare_ipso, scipy_p

MOST_RELEVANT = 12


def qrels_of(queries: int) -> dict[str, dict[str, int]]:
    """Relevant documents r1, r2, ... for each of the queries q0, q1, ..."""
    return {f"q{place}": {f"r{number}": 1 for number in range(1, MOST_RELEVANT + 1)} for place in range(queries)}


def run_of_serps(name: str, serps: Sequence[str]) -> runoff.Run:
    """A run of SERPs such as 0110: the n-th relevant document is called r1, r2, ..."""
    table = {}
    for place, serp in enumerate(serps):
        docs = [f"r{serp[:at].count('1') + 1}" if sign == "1" else f"x{at}" for at, sign in enumerate(serp)]
        table[f"q{place}"] = {doc: float(-at) for at, doc in enumerate(docs)}
    return as_run(table, name=name)


def ipso_board(runs: Sequence[runoff.Run], qrels: QrelsSource, **options: Any) -> IpsoBoardResult:
    """IPSO over all pairs of runs, with these fields of `IpsoOptions`."""
    result = runoff.ipso(runs, qrels, options=IpsoOptions(**options))
    assert isinstance(result, IpsoBoardResult)
    return result


def content_of(result: IpsoBoardResult) -> Any:
    """What a program reads."""
    return json.loads(result.to_json())


def random_board(runs: int, queries: int, *, depth: int = 8, seed: int = 0) -> list[runoff.Run]:
    """Runs of which each is a little better than the one before; many of their lists are equal."""
    rng = np.random.default_rng(seed)
    board = []
    for place in range(runs):
        serps = [
            "".join("1" if rng.random() < 0.15 + 0.07 * place else "0" for _ in range(depth)) for _ in range(queries)
        ]
        board.append(run_of_serps(f"run {place}", serps))
    return board


@st.composite
def boards(draw: st.DrawFn) -> tuple[list[runoff.Run], int]:
    """A few runs with few different lists, and the number of queries."""
    depth, queries = draw(st.integers(2, 6)), draw(st.integers(1, 20))
    pool = draw(st.lists(st.text("01", min_size=depth, max_size=depth), min_size=1, max_size=4))
    one_run = st.lists(st.sampled_from(pool), min_size=queries, max_size=queries)
    lists = draw(st.lists(one_run, min_size=2, max_size=4))
    assume(all("1" in "".join(serps) for serps in lists))  # runs of which nothing is judged are refused
    return [run_of_serps(f"run {place}", serps) for place, serps in enumerate(lists)], queries


def slow_pairs(runs: Sequence[Any], qrels: Any, *, depth: int, measure: str, test: str) -> dict[frozenset[str], Any]:
    """What `ipso` and scipy say of every pair: counts, both p, and the runs that they speak for."""
    scores = runoff.evaluate(list(runs), qrels, measures=[measure]).scores[0]
    found = {}
    for one, other in itertools.combinations(runs, 2):
        at = compare_ipso(one, other, qrels, depth=depth).ipso.at_depth
        first, second = scores.of(one.name), scores.of(other.name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # scipy's, of t where all differences are equal
            p = scipy_p(first, second, tests=[test]).get(test, (0.0, 1.0))[1]
        found[frozenset((one.name, other.name))] = {
            "equal": at.equal,
            "nonseparable": at.nonseparable,
            "favoured": {one.name: at.ni, other.name: at.ns},
            "sign_p": at.sign_p,
            "p": 1.0 if np.isnan(p) else p,
            "lead": float((second - first).mean()),
            "pair": (one.name, other.name),
        }
    return found
