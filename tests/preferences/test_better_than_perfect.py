"""Better than perfect."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runoff.preferences import better_than_perfect, split_queries
from runoff.reading.sources import as_qrels, as_run
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, pair_votes

lists = st.dictionaries(st.sampled_from(QUERIES), st.permutations(DOCS), min_size=1)


@given(judgments(min_size=0), lists, st.lists(st.sampled_from(DOCS), min_size=3, max_size=3), st.integers(1, 3))
def test_equals_the_slow_count(rows, ranked, relevant, depth):
    run = as_run({q: {doc: -rank for rank, doc in enumerate(docs[:depth])} for q, docs in ranked.items()}, name="x")
    qrels = as_qrels([(query, doc, 1) for query, doc in zip(QUERIES, relevant, strict=True)])
    result = better_than_perfect(Preferences.of(rows), run, qrels)
    votes = pair_votes(rows)
    tally = {kind: dict.fromkeys(("queries", "missing", "unjudged", 1, -1, 0), 0) for kind in "AB"}
    no_top = 0
    for query, qrel in zip(QUERIES, relevant, strict=True):
        docs = ranked.get(query, [])[:depth]
        if not docs:
            no_top += 1
            continue
        kind = "A" if docs[0] == qrel else "B"
        other = qrel if kind == "B" else docs[1] if len(docs) > 1 else None
        tally[kind]["queries"] += 1
        if other is None:
            tally[kind]["missing"] += 1
        elif (docs[0], other) not in votes[query]:
            tally[kind]["unjudged"] += 1
        else:
            tally[kind][int(np.sign(votes[query][docs[0], other]))] += 1
    for kind, found in (("A", result.agrees), ("B", result.differs)):
        preferred = found.preferred
        assert tally[kind] == {
            "queries": found.queries, "missing": found.missing, "unjudged": found.unjudged,
            1: preferred.wins, -1: preferred.losses, 0: preferred.even,
        }  # fmt: skip
    assert (result.no_top, result.run) == (no_top, "x")


def test_published_counts():
    # Arabzadeh et al. 2021, Tables 1 and 2.
    rows, run, qrels = [], {}, {}
    for number in range(6980):
        query, agrees = f"q{number}", number < 1868
        run[query] = {"qrel" if agrees else "top": 2.0, "second": 1.0}
        qrels[query] = {"qrel": 1}
        wins = number < 1228 if agrees else number - 1868 < 2996
        top, other = ("qrel", "second") if agrees else ("top", "qrel")
        rows.append((query, *((top, other) if number % 2 else (other, top)), top if wins else other))
    result = better_than_perfect(Preferences.of(rows), as_run(run), as_qrels(qrels))
    assert (result.agrees.queries, result.differs.queries) == (1868, 5112)
    assert round(100 * result.agrees.preferred.share, 1) == 65.7
    assert round(100 * result.differs.preferred.share, 1) == 58.6
    assert result.differs.preferred.ci95[0] > 0.5
    assert round(100 * result.judge_error.error) == 34  # "roughly two-thirds of the time", so 33% in the paper


@given(lists, st.lists(st.sampled_from([*DOCS, None]), min_size=3, max_size=3), st.integers(1, 3))
def test_one_pair_per_query_equals_the_slow_rule(ranked, relevant, depth):
    run = as_run({q: {doc: -rank for rank, doc in enumerate(docs[:depth])} for q, docs in ranked.items()}, name="x")
    labels = dict(zip(QUERIES, relevant, strict=True))
    qrels = as_qrels([(query, doc or "zero", int(doc is not None)) for query, doc in labels.items()])
    split = split_queries(run, qrels)
    expected = []
    for query, label in labels.items():
        shown = ranked.get(query, [])[:depth]
        if label is None or not shown:
            continue
        if shown[0] != label:
            expected.append((query, shown[0], label))
        elif len(shown) > 1:
            expected.append((query, shown[0], shown[1]))
    assert list(split.pairs()) == expected
    assert len(split.agrees) + len(split.differs) + split.no_top == sum(doc is not None for doc in relevant)
