"""Sequential judging: each candidate in turn meets only the best known answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from runoff.errors import UsageError
from runoff.preferences.maintenance import UpdatedLabels, best_known, with_answers
from runoff.preferences.pairs import count_pairs
from runoff.preferences.pools import tops_of
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run

Outcome = Literal["stays", "replaced", "open"]
Tally = tuple[int, int, int]
"""Judgments of a pair: for the first document, for the second, for neither."""
Tallies = Mapping[str, Mapping[tuple[str, str], Tally]]
"""Of each query: the judgments of every pair, both ways round."""


@dataclass(frozen=True, kw_only=True)
class SequentialPlan:
    """When a match of the best known answer and a candidate is decided.

    keep_lead       the best known answer stays once it is ahead by this many judgments
    replace_lead    the candidate replaces it once it is ahead by this many
    most_judgments  after this many the majority decides; an even split changes nothing
    """

    keep_lead: int = 2
    replace_lead: int = 3
    most_judgments: int = 9

    def __post_init__(self) -> None:
        for name in ("keep_lead", "replace_lead", "most_judgments"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}; expected 1 or more")

    def outcome(self, for_best: int, for_candidate: int, ties: int = 0) -> Outcome:
        """What some judgments of a match decide; only their numbers count, not the order in which they came.

        >>> plan = SequentialPlan(keep_lead=2, replace_lead=3, most_judgments=9)
        >>> plan.outcome(2, 0), plan.outcome(0, 2), plan.outcome(1, 4), plan.outcome(4, 5)
        ('stays', 'open', 'replaced', 'replaced')
        """
        lead = for_best - for_candidate
        is_full = for_best + for_candidate + ties >= self.most_judgments
        if lead >= self.keep_lead or (is_full and lead >= 0):
            return "stays"
        return "replaced" if is_full or -lead >= self.replace_lead else "open"

    def due(self, for_best: int, for_candidate: int, ties: int = 0) -> int:
        """The fewest further judgments that can decide a match, so that all of them can be given at once; 0 if decided.

        >>> [SequentialPlan().due(*counts) for counts in ((0, 0), (1, 0), (0, 2), (4, 4), (2, 0))]
        [2, 1, 1, 1, 0]
        """
        if self.outcome(for_best, for_candidate, ties) != "open":
            return 0
        lead = for_best - for_candidate
        left = self.most_judgments - (for_best + for_candidate + ties)
        return min(self.keep_lead - lead, self.replace_lead + lead, left)


@dataclass(frozen=True, kw_only=True)
class Match:
    """A candidate against the best known answer of its turn: the judgments of the pair, and what they decide.

    due  judgments to ask for now, 0 if the match is decided
    """

    best: str
    candidate: str
    for_best: int
    for_candidate: int
    ties: int
    outcome: Outcome
    due: int

    @property
    def judgments(self) -> int:
        """All judgments of the pair."""
        return self.for_best + self.for_candidate + self.ties


@dataclass(frozen=True, kw_only=True)
class SequentialResult:
    """How far the search for the best document of one query has come.

    best        the best known answer after the decided matches; the best document if `is_final`
    matches     in the order of the candidates; all are decided but perhaps the last, which is then `due`
    waiting     candidates whose turn has not come
    candidates  how many there are
    judgments   of pairs of candidates, in matches or not; other judgments of the query are not counted
    """

    query_id: str
    best: str
    matches: tuple[Match, ...]
    waiting: int
    candidates: int
    judgments: int

    @property
    def due(self) -> Match | None:
        """The match that needs judgments now."""
        return self.matches[-1] if self.matches and self.matches[-1].outcome == "open" else None

    @property
    def is_final(self) -> bool:
        """Whether every candidate had its match."""
        return self.due is None

    @property
    def used(self) -> int:
        """Judgments of the matches: those that the answer rests on."""
        return sum(match.judgments for match in self.matches)

    def full_pairing(self, judgments_per_pair: int = 1) -> int:
        """Judgments that all pairs of the candidates would need."""
        return self.candidates * (self.candidates - 1) // 2 * judgments_per_pair


def sequential(
    candidates: Mapping[str, Sequence[str]], judged: Preferences, *, plan: SequentialPlan | None = None
) -> tuple[SequentialResult, ...]:
    """The best document of each query as far as it is known, and the pair that is to be judged next.

        best known answer  =  the first candidate; after a match that the other one won, the other one

    candidates  of each query in their order: the best known answer first, what is new last
    judged      all judgments so far, in any order; those of pairs that never come to a match do no harm

    The result depends on nothing but the plan, the order of the candidates and the numbers of judgments of each pair. A
    candidate at the end leaves all matches before it as they are. No query is asked for more than
    most_judgments x (candidates - 1).

    Arabzadeh et al. 2021, section 6, https://arxiv.org/abs/2109.00062, propose to compare with the best known answer
    only; the leads are a sequential test with unequal bounds after Wald 1945, https://doi.org/10.1214/aoms/1177731118

    >>> judged = Preferences.of([("q", "b", "a", "b")] * 3 + [("q", "b", "c", "c")])
    >>> (one,) = sequential({"q": ["a", "b", "c", "d"]}, judged)
    >>> one.best, one.due.candidate, one.due.due, one.waiting, one.used, one.full_pairing(3)
    ('b', 'c', 2, 1, 4, 18)
    """
    return searches(candidates, _tallies(judged), plan=plan)


def searches(
    candidates: Mapping[str, Sequence[str]], tallies: Tallies, *, plan: SequentialPlan | None = None
) -> tuple[SequentialResult, ...]:
    """What `sequential` finds, from judgments that are counted already.

    tallies  of each query and pair of documents, both ways round

    >>> (one,) = searches({"q": ["a", "b"]}, {"q": {("a", "b"): (0, 3, 0), ("b", "a"): (3, 0, 0)}})
    >>> one.best, one.is_final
    ('b', True)
    """
    plan = plan or SequentialPlan()
    for query_id, docs in candidates.items():
        if not docs or len(set(docs)) < len(docs):
            fault = "no candidates" if not docs else "a candidate twice"
            raise UsageError(
                f"query '{query_id}' has {fault}; expected different documents, one or more; check the list"
            )
    return tuple(_searched(query_id, docs, tallies.get(query_id, {}), plan) for query_id, docs in candidates.items())


def _searched(
    query_id: str, docs: Sequence[str], tallies: Mapping[tuple[str, str], Tally], plan: SequentialPlan
) -> SequentialResult:
    best, matches = docs[0], []
    for candidate in docs[1:]:
        counts = tallies.get((best, candidate), (0, 0, 0))
        for_best, for_candidate, ties = counts
        match = Match(
            best=best,
            candidate=candidate,
            for_best=for_best,
            for_candidate=for_candidate,
            ties=ties,
            outcome=plan.outcome(*counts),
            due=plan.due(*counts),
        )
        matches.append(match)
        if match.outcome == "open":
            break
        best = candidate if match.outcome == "replaced" else best
    own = set(docs)
    both_ways = sum(sum(counts) for pair, counts in tallies.items() if own.issuperset(pair))
    return SequentialResult(
        query_id=query_id,
        best=best,
        matches=tuple(matches),
        waiting=len(docs) - 1 - len(matches),
        candidates=len(docs),
        judgments=both_ways // 2,
    )


def _tallies(judged: Preferences) -> dict[str, dict[tuple[str, str], Tally]]:
    """Of each query: the judgments of every pair, both ways round."""
    counts = count_pairs(judged)
    docs = list(judged.docs)
    tallies: dict[str, dict[tuple[str, str], Tally]] = {}
    columns = (
        counts.pair_query,
        counts.item_doc[counts.first],
        counts.item_doc[counts.second],
        counts.first_votes,
        counts.second_votes,
        counts.ties,
    )
    for query, first, second, ahead, behind, ties in zip(*(column.tolist() for column in columns), strict=True):
        own = tallies.setdefault(judged.query_ids[query], {})
        own[docs[first], docs[second]] = (ahead, behind, ties)
        own[docs[second], docs[first]] = (behind, ahead, ties)
    return tallies


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
    candidates = {query_id: list(answers) for query_id, answers in best_known(labels).items()}
    for docs in tops_of(runs, tuple(candidates), depth=depth):
        for query_id, tops in docs.items():
            candidates[query_id] += tops
    return {query_id: tuple(dict.fromkeys(docs)) for query_id, docs in candidates.items()}


def settled_labels(
    labels: Qrels, results: Sequence[SequentialResult], *, single_answers: bool = False, name: str = "labels"
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
        result.query_id: (result.best,)
        for result in results
        if result.query_id in old and (result.is_final or result.best not in old[result.query_id])
    }
    return with_answers(labels, answers, single_answers=single_answers, name=name)
