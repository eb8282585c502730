"""Candidates: the documents that meet the best known answer of a query, in their order, and the labels afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.preferences.maintenance import UpdatedLabels, best_known, qrels_of
from runoff.preferences.sequential import SequentialResult
from runoff.preferences.tops import NOTHING, TopDocs
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run


def candidates_of(labels: Qrels, runs: Sequence[Run]) -> dict[str, tuple[str, ...]]:
    r"""The candidates of each query of the labels: the best known answers first, then the runs' top documents.

    They are in the order of the runs, so a new run that is named last brings its documents last.

    >>> from runoff.files import read_qrels, read_run
    >>> run = read_run(b"q Q0 b 1 2 t\nr Q0 x 1 2 t\n", name="run")
    >>> candidates_of(read_qrels(b"q 0 a 1\nr 0 x 1\n"), [run])
    {'q': ('a', 'b'), 'r': ('x',)}
    """
    best = best_known(labels)
    if not runs:
        return best
    tops = TopDocs.of_runs(runs, tuple(best))
    docs = list(tops.docs)
    return {
        query_id: tuple(dict.fromkeys([*answers, *(docs[top] for top in column if top != NOTHING)]))
        for (query_id, answers), column in zip(best.items(), tops.places.T.tolist(), strict=True)
    }


def settled_labels(labels: Qrels, found: Sequence[SequentialResult], *, name: str = "labels") -> UpdatedLabels:
    r"""The labels after the decided matches: one best known answer for each query that is looked at.

    While a query has matches to come, its several old answers stay as long as the best known one is among them.

    >>> from runoff.files import read_judgments, read_qrels
    >>> from runoff.preferences.sequential import sequential
    >>> labels, judged = read_qrels(b"q 0 a 1\nr 0 x 1\n"), read_judgments(b"q b a b\n" * 3)
    >>> updated = settled_labels(labels, sequential({"q": ["a", "b"]}, judged))
    >>> list(updated.labels), updated.replaced
    ([('q', 'b', 1), ('r', 'x', 1)], (('q', ('a',), ('b',)),))
    """
    by_query = {one.query_id: one for one in found}
    rows, replaced = [], []
    for query_id, old in best_known(labels).items():
        one = by_query.get(query_id)
        new = old if one is None or (one.best in old and not one.is_final) else (one.best,)
        if new != old:
            replaced.append((query_id, old, new))
        rows += [(query_id, doc_id) for doc_id in new]
    return UpdatedLabels(labels=qrels_of(rows, name), replaced=tuple(replaced), rings=())
