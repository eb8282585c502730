"""Candidates: the documents that meet the best known answer of a query, in their order, and the labels afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.preferences.maintenance import UpdatedLabels, best_known, with_answers
from runoff.preferences.sequential import SequentialResult
from runoff.preferences.tops import tops_of
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run


def candidates_of(labels: Qrels, runs: Sequence[Run], *, depth: int = 1) -> dict[str, tuple[str, ...]]:
    r"""The candidates of each query of the labels: the best known answers first, then the runs' top documents.

    They are in the order of the runs, and of one run in that of its ranks down to the depth; so a new run that is named
    last brings its documents last.

    >>> from runoff.files import read_qrels, read_run
    >>> run = read_run(b"q Q0 b 1 2 t\nq Q0 c 2 1 t\nr Q0 x 1 2 t\n", name="run")
    >>> labels = read_qrels(b"q 0 a 1\nr 0 x 1\n")
    >>> candidates_of(labels, [run]), candidates_of(labels, [run], depth=2)
    ({'q': ('a', 'b'), 'r': ('x',)}, {'q': ('a', 'b', 'c'), 'r': ('x',)})
    """
    found = {query_id: list(answers) for query_id, answers in best_known(labels).items()}
    for docs in tops_of(runs, tuple(found), depth=depth):
        for query_id, tops in docs.items():
            found[query_id] += tops
    return {query_id: tuple(dict.fromkeys(docs)) for query_id, docs in found.items()}


def settled_labels(
    labels: Qrels, found: Sequence[SequentialResult], *, single_answers: bool = False, name: str = "labels"
) -> UpdatedLabels:
    r"""The labels after the decided matches: one best known answer for each query that is looked at.

    While a query has matches to come, its several old answers stay as long as the best known one is among them. Graded
    labels keep their rows, see `with_answers`.

    >>> from runoff.files import read_judgments, read_qrels
    >>> from runoff.preferences.sequential import sequential
    >>> labels, judged = read_qrels(b"q 0 a 1\nr 0 x 1\n"), read_judgments(b"q b a b\n" * 3)
    >>> updated = settled_labels(labels, sequential({"q": ["a", "b"]}, judged))
    >>> list(updated.labels), updated.replaced
    ([('q', 'b', 1), ('r', 'x', 1)], (('q', ('a',), ('b',)),))
    """
    old = best_known(labels)
    answers = {
        one.query_id: (one.best,)
        for one in found
        if one.query_id in old and (one.is_final or one.best not in old[one.query_id])
    }
    return with_answers(labels, answers, single_answers=single_answers, name=name)
