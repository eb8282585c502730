"""A year of submissions: how many judgments each new run makes necessary, and how good the labels become."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.preferences import needed_pairs, updated_labels
from runoff.tables.ids import Ids
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run


@dataclass(frozen=True, kw_only=True)
class UpkeepConfig:
    """What to simulate.

    candidates   documents of each query that a run may show first; their worth is drawn from a normal distribution
    skills       of the first and the last run: a run shows a document with chance in proportion to exp(skill x worth)
    label_skill  the same of the one who chose the first labels
    error        chance that a judgment prefers the worse document
    """

    queries: int = 1000
    runs: int = 52
    candidates: int = 100
    skills: tuple[float, float] = (2.0, 4.0)
    label_skill: float = 2.0
    error: float = 0.33
    judgments_per_pair: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low in (
            ("queries", self.queries, 1),
            ("runs", self.runs, 1),
            ("candidates", self.candidates, 2),
            ("judgments_per_pair", self.judgments_per_pair, 1),
            ("seed", self.seed, 0),
        ):
            if value < low:
                raise UsageError(f"{name} is {value}; expected {low} or more")
        if not 0.0 <= self.error <= 0.5:
            raise UsageError(f"error is {self.error}; expected 0 to 0.5")


@dataclass(frozen=True, kw_only=True)
class UpkeepStep:
    """One submission.

    pairs     that it made necessary; replaced: best known answers that their judgments changed
    worth     mean worth of the labels afterwards, as a quantile among the query's documents: 1 is the best document
    run_worth the same of the run's own top documents
    """

    run: int
    pairs: int
    replaced: int
    worth: float
    run_worth: float


def simulate_upkeep(config: UpkeepConfig | None = None) -> tuple[UpkeepStep, ...]:
    """Let runs come in one after the other, judge what each makes necessary, and take the judgments into the labels.

    >>> steps = simulate_upkeep(UpkeepConfig(queries=50, runs=3, error=0.0))
    >>> steps[0].pairs > steps[2].pairs, steps[2].worth > steps[0].worth
    (True, True)
    """
    config = config or UpkeepConfig()
    rng = np.random.default_rng([config.seed, 5])
    worth = rng.normal(size=(config.queries, config.candidates))
    rank = worth.argsort(axis=1).argsort(axis=1) / (config.candidates - 1)
    query_ids = tuple(f"q{place + 1}" for place in range(config.queries))
    shown = _chosen(worth, config.label_skill, rng)
    labels = Qrels(
        name="labels", query_ids=query_ids, row_query=np.arange(config.queries), docs=_docs(shown),
        relevance=np.ones(config.queries, dtype=np.int8),
    )  # fmt: skip
    judged: list[tuple[str, str, str, str]] = []
    steps = []
    for number, skill in enumerate(np.linspace(*config.skills, config.runs).tolist(), start=1):
        top = _chosen(worth, skill, rng)
        run = Run(
            name=f"run {number}", query_ids=query_ids, bounds=np.arange(config.queries + 1), docs=_docs(top),
            run_scores=np.ones(config.queries), tie_rule="trec_eval",
        )  # fmt: skip
        (needed,) = needed_pairs([run], labels, Preferences.of(judged))
        for query_id, new, best in needed.pairs:
            row = int(query_id[1:]) - 1
            is_better = worth[row, int(new[1:])] > worth[row, int(best[1:])]
            errs = rng.random(config.judgments_per_pair) < config.error
            judged += [(query_id, new, best, new if is_better != bool(wrong) else best) for wrong in errs.tolist()]
        updated = updated_labels(labels, Preferences.of(judged))
        labels = updated.labels
        places = [(int(query_id[1:]) - 1, int(doc_id[1:])) for query_id, doc_id, _ in labels]
        steps.append(
            UpkeepStep(
                run=number,
                pairs=len(needed.pairs),
                replaced=len(updated.replaced),
                worth=float(np.mean([rank[place] for place in places])),
                run_worth=float(rank[np.arange(config.queries), top].mean()),
            )
        )
    return tuple(steps)


def _chosen(worth: NDArray[np.float64], skill: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """A document of each query, drawn with chance in proportion to exp(skill x worth)."""
    chosen: NDArray[np.int64] = (skill * worth + rng.gumbel(size=worth.shape)).argmax(axis=1)
    return chosen


def _docs(places: NDArray[np.int64]) -> Ids:
    return Ids.of(f"d{place}" for place in places.tolist())
