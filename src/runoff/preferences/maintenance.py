"""Maintenance: what a new run makes it necessary to judge, and how the best known answers change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from runoff.preferences.pairs import count_pairs
from runoff.preferences.pools import best_rows, tops_of
from runoff.preferences.tournament import tournament
from runoff.tables.ids import Ids
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run

Outcomes = Mapping[str, Mapping[tuple[str, str], int]]
"""Of each query: 1 where the first document is preferred to the second, -1 the other way, 0 for an even split."""


@dataclass(frozen=True, kw_only=True)
class NeededPairs:
    """What one run needs.

    pairs     (query, top document, best known answer) to judge
    known     top documents that are a best known answer already
    compared  top documents that were compared with one before
    no_top    queries for which the run has no document
    """

    run: str
    pairs: tuple[tuple[str, str, str], ...]
    known: int
    compared: int
    no_top: int


@dataclass(frozen=True, eq=False, kw_only=True)
class UpdatedLabels:
    """Best known answers after some judgments.

    labels       the new labels, for the queries of the old ones
    replaced     (query, old answers, new answers) where they changed
    rings        changed queries in which several answers beat each other in a cycle, so that all of them are kept
    keeps_rows   whether graded labels kept their rows: then the new answers are the old ones and those that joined them
    made_single  whether graded labels were made into answers of grade 1
    """

    labels: Qrels
    replaced: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    rings: tuple[str, ...]
    keeps_rows: bool = False
    made_single: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the new labels are others than the old ones."""
        return bool(self.replaced) or self.made_single


def best_known(labels: Qrels) -> dict[str, tuple[str, ...]]:
    """The relevant documents of each query, of graded labels those of its highest grade, in the order of the file."""
    best = best_rows(labels)
    answers: dict[str, list[str]] = {}
    for place, doc_id in zip(labels.row_query[best].tolist(), labels.docs.take(best), strict=True):
        answers.setdefault(labels.query_ids[place], []).append(doc_id)
    return {query_id: tuple(docs) for query_id, docs in answers.items()}


def is_graded(labels: Qrels) -> bool:
    """Whether labels hold more than answers: several grades, or documents that were judged non-relevant."""
    return len(np.unique(labels.relevance)) > 1


def with_answers(
    labels: Qrels, answers: Mapping[str, Sequence[str]], *, single_answers: bool = False, name: str = "labels"
) -> UpdatedLabels:
    r"""The labels with other best known answers for some of the queries.

    Labels that are nothing but answers hold the new ones in place of the old. Graded labels keep all their rows: a new
    answer joins the old ones, with the highest grade of its query; nothing is lost, and nothing falls.

    single_answers  make graded labels into answers: the best known ones alone, all of grade 1

    >>> from runoff.files import read_qrels
    >>> graded = read_qrels(b"q 0 a 3\nq 0 b 0\nr 0 x 1\n")
    >>> list(with_answers(graded, {"q": ["c"]}).labels)
    [('q', 'a', 3), ('q', 'b', 0), ('q', 'c', 3), ('r', 'x', 1)]
    >>> list(with_answers(graded, {"q": ["c"]}, single_answers=True).labels)
    [('q', 'c', 1), ('r', 'x', 1)]
    """
    graded = is_graded(labels)
    keeps = graded and not single_answers
    old = best_known(labels)
    new = {}
    for query_id in dict.fromkeys((*labels.query_ids, *answers)):
        before, after = old.get(query_id, ()), tuple(answers.get(query_id, ()))
        docs = tuple(dict.fromkeys((*before, *after))) if keeps else after or before
        if docs:
            new[query_id] = before if set(docs) == set(before) else docs
    replaced = tuple(
        (query_id, old.get(query_id, ()), docs) for query_id, docs in new.items() if docs != old.get(query_id)
    )
    return UpdatedLabels(
        labels=_joined(labels, {query_id: docs for query_id, _, docs in replaced}, name)
        if keeps
        else _answers_alone(new, 1 if graded else _highest(grade for _, _, grade in labels), name),
        replaced=replaced,
        rings=(),
        keeps_rows=keeps,
        made_single=graded and single_answers,
    )


def _joined(labels: Qrels, answers: Mapping[str, Sequence[str]], name: str) -> Qrels:
    """All rows of some labels, with the highest grade of the query for its answers; 1 if nothing was relevant."""
    rows: dict[str, dict[str, float]] = {query_id: {} for query_id in dict.fromkeys((*labels.query_ids, *answers))}
    for query_id, doc_id, grade in labels:
        rows[query_id][doc_id] = grade
    for query_id, docs in answers.items():
        rows[query_id].update(dict.fromkeys(docs, _highest(rows[query_id].values())))
    flat = [(place, doc_id, grade) for place, own in enumerate(rows.values()) for doc_id, grade in own.items()]
    return Qrels.of_grades(
        name,
        tuple(rows),
        np.array([place for place, _, _ in flat], dtype=np.int64),
        Ids.of(doc_id for _, doc_id, _ in flat),
        np.array([grade for _, _, grade in flat], dtype=np.float64),
    )


def _highest(grades: Iterable[float]) -> float:
    """The highest grade; 1 if none is above 0."""
    highest = max(grades, default=0)
    return highest if highest > 0 else 1


def _answers_alone(answers: Mapping[str, Sequence[str]], grade: float, name: str) -> Qrels:
    """Qrels of answers, all of one grade."""
    rows = [(place, doc_id) for place, docs in enumerate(answers.values()) for doc_id in docs]
    return Qrels.of_grades(
        name,
        tuple(answers),
        np.array([place for place, _ in rows], dtype=np.int64),
        Ids.of(doc_id for _, doc_id in rows),
        np.full(len(rows), float(grade)),
    )


def pair_outcomes(table: Preferences) -> dict[str, dict[tuple[str, str], int]]:
    """What the majority says of every judged pair, both ways round."""
    counts = count_pairs(table)
    docs = list(table.docs)
    by_query: dict[str, dict[tuple[str, str], int]] = {}
    columns = (counts.pair_query, counts.item_doc[counts.first], counts.item_doc[counts.second], counts.majority)
    for query, first, second, majority in zip(*(column.tolist() for column in columns), strict=True):
        outcomes = by_query.setdefault(table.query_ids[query], {})
        outcomes[docs[first], docs[second]] = majority
        outcomes[docs[second], docs[first]] = -majority
    return by_query


def needed_pairs(runs: Sequence[Run], labels: Qrels, judged: Preferences, *, depth: int = 1) -> tuple[NeededPairs, ...]:
    """For each run the pairs that are still to be judged: its top documents that never met the best known answer.

    With several best known answers, having met one of them is enough, and the first of them is what to compare with.
    Runs are looked at in turn, and a pair that an earlier one needs is not needed again.

    Arabzadeh et al. 2021, section 6, https://arxiv.org/abs/2109.00062
    """
    best, outcomes = best_known(labels), pair_outcomes(judged)
    requested: set[tuple[str, str]] = set()
    needed = []
    for run, tops in zip(runs, tops_of(runs, tuple(best), depth=depth), strict=True):
        pairs, already_judged, compared = [], 0, 0
        for query_id, docs in tops.items():
            answers, met = best[query_id], outcomes.get(query_id, {})
            for doc in docs:
                if doc in answers:
                    already_judged += 1
                elif (query_id, doc) in requested or any((doc, answer) in met for answer in answers):
                    compared += 1
                else:
                    requested.add((query_id, doc))
                    pairs.append((query_id, doc, answers[0]))
        no_top = len(best) - len(tops)
        needed.append(
            NeededPairs(run=run.name, pairs=tuple(pairs), known=already_judged, compared=compared, no_top=no_top)
        )
    return tuple(needed)


def updated_labels(
    labels: Qrels, judged: Preferences, *, single_answers: bool = False, name: str = "labels"
) -> UpdatedLabels:
    r"""The best known answers after some judgments: a document that is preferred to the best known one replaces it.

    What is preferred to that one replaces it in turn. Where this goes round in a cycle, the tournament among the cycle
    decides, and where documents never met, all of them are kept. So the winners of a tournament over whole pools stand,
    and the same judgments change the new labels no further. Graded labels keep their rows, see `with_answers`.

    >>> from runoff.files import read_judgments, read_qrels
    >>> found = updated_labels(read_qrels(b"q 0 a 1\nr 0 x 1\n"), read_judgments(b"q b a b\nq c b c\nq d c c\n"))
    >>> list(found.labels), found.replaced
    ([('q', 'c', 1), ('r', 'x', 1)], (('q', ('a',), ('c',)),))
    """
    outcomes = pair_outcomes(judged)
    answers, rings = {}, set()
    for query_id, old in best_known(labels).items():
        answers[query_id], is_ring = _best_after(old, outcomes.get(query_id, {}))
        if is_ring:
            rings.add(query_id)
    updated = with_answers(labels, answers, single_answers=single_answers, name=name)
    return replace(updated, rings=tuple(query_id for query_id, _, _ in updated.replaced if query_id in rings))


def _best_after(old: tuple[str, ...], outcomes: Mapping[tuple[str, str], int]) -> tuple[tuple[str, ...], bool]:
    """The best known answers after some outcomes, and whether several of them were compared with each other.

    Looked at are the old answers, what is preferred to them, what is preferred to that, and so on. Of these, those stay
    that nothing is preferred to but what they are, perhaps through others, preferred to in turn: mostly one document,
    else a ring or documents that never met; and their tournament decides.
    """
    beaten_by: dict[str, set[str]] = {}
    for (first, second), outcome in outcomes.items():
        if outcome > 0:
            beaten_by.setdefault(second, set()).add(first)
    if not any(beaten_by.get(answer) for answer in old):
        return old, False
    seen = _above(old, beaten_by) | set(old)
    above = {doc: _above([doc], beaten_by) for doc in seen}
    top = {doc for doc in seen if all(doc in above[second] for second in above[doc])}
    best = _best_of(top, outcomes)
    if set(best) == set(old):
        best = old
    is_ring = any((first, second) in outcomes for first in best for second in best if first < second)
    return best, is_ring


def _above(docs: Iterable[str], beaten_by: Mapping[str, set[str]]) -> set[str]:
    """What is preferred to some documents, what is preferred to that, and so on."""
    reached: set[str] = set()
    left = list(docs)
    while left:
        new = beaten_by.get(left.pop(), set()) - reached
        reached |= new
        left += new
    return reached


def _best_of(docs: Iterable[str], outcomes: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
    """The winners of the tournament among some documents; all of them where none were compared."""
    own = sorted(docs)
    met = [(first, second) for first in own for second in own if first < second and (first, second) in outcomes]
    preferred = {1: 0, -1: 1}
    judged = [("q", *pair, pair[preferred[outcomes[pair]]] if outcomes[pair] else None) for pair in met]
    if not judged:
        return tuple(own)
    winners = tournament(Preferences.of(judged)).winners[0]
    unmet = [doc for doc in own if not any(doc in pair for pair in met)]
    return tuple(sorted({*winners, *unmet}))
