"""The simulated year: forty runs of a board with a known truth, and what is planted in it that an audit should find.

Luck, overfitting and a copy are planted in the noise of runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from runoff.arguments import checks_arguments
from runoff.errors import UsageError
from runoff.files.streams import map_in_order
from runoff.simulation._streams import YEAR, generator
from runoff.simulation.year.cast import COPIED, Plan, Role, make_cast
from runoff.simulation.year.questions import (
    CANDIDATES,
    Floats,
    Noise,
    Places,
    Questions,
    RunTruth,
    believed,
    draw_questions,
    label_ranks,
    mean_rr,
    top,
    true_scores,
)

# Streams of a year; 0 is that of the truth, which is the same for all years.
QUESTIONS, SETS, JUDGING, SCORES, TEXTS, NOISE = range(1, 7)

_SCORE_STEP: Final = 14_000  # ten-thousandths between the run_scores of two ranks, of which 10,000 are chance
_FIRST_SCORE: Final = 985_000


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class YearConfig:
    """What to simulate.

    public, private  queries whose scores the teams are shown, and those whose scores they are not
    deep             private queries with graded labels of all that the runs retrieve to rank 10
    judged           private queries with preference judgments
    depth            documents per query and run
    """

    public: int = 5000
    private: int = 500
    deep: int = 45
    judged: int = 300
    depth: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("public", self.public, 50, 10**5),
            ("private", self.private, 10, 10**5),
            ("deep", self.deep, 1, self.private),
            ("judged", self.judged, 1, self.private),
            ("depth", self.depth, 10, CANDIDATES),
            ("seed", self.seed, 0, 2**128),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; expected {low} to {high}")


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedYear:
    """A year of a board and all that is true of it.

    cast       the runs in order of date
    questions  all queries, public and private, in the order of their ids
    is_public  bool, queries
    deep, judged  the private queries, as places, with graded labels and with preference judgments
    ranked     for each run, queries x depth: the candidates that it retrieves, best first
    """

    config: YearConfig
    cast: tuple[Plan, ...]
    questions: Questions = field(repr=False)
    is_public: np.typing.NDArray[np.bool_] = field(repr=False)
    deep: Places = field(repr=False)
    judged: Places = field(repr=False)
    ranked: dict[str, Places] = field(repr=False)

    def plan(self, role: Role) -> Plan:
        """The run with that role; of several, the last."""
        return next(plan for plan in reversed(self.cast) if plan.role == role)

    @cached_property
    def truth(self) -> dict[str, RunTruth]:
        """What each run would score on infinitely many queries, by name."""
        return true_scores(self.cast)

    @property
    def label_is_best(self) -> float:
        """The share of queries whose label is the truly best document."""
        return float((self.questions.label == self.questions.best).mean())

    def documents(self, name: str) -> Places:
        """The documents that a run retrieves, queries x depth, as the numbers in their ids."""
        return np.take_along_axis(self.questions.documents, self.ranked[name], axis=1)

    def run_scores(self, name: str) -> Places:
        """The numbers beside the documents, in ten-thousandths: falling, and with no other meaning."""
        place = [plan.name for plan in self.cast].index(name)
        rng = generator(self.config.seed, YEAR, SCORES, place)
        shape = len(self.questions), self.config.depth
        steps = _SCORE_STEP * np.arange(self.config.depth)
        scores: Places = _FIRST_SCORE - steps - rng.integers(0, 10_000, size=shape)
        return scores

    def deep_pools(self) -> list[Places]:
        """For each deep query the candidates that any run has to rank 10."""
        return [np.unique(np.concatenate([ranked[row, :10] for ranked in self.ranked.values()])) for row in self.deep]


def simulate_year(config: YearConfig | None = None) -> SimulatedYear:
    """Simulate a year of a board; the same seed gives the same year.

    >>> year = simulate_year(YearConfig(public=100, private=20, deep=5, judged=5))
    >>> year.plan("lucky").name, year.ranked["douro-3"].shape
    ('douro-3', (120, 20))
    """
    config = config or YearConfig()
    count = config.public + config.private
    questions = draw_questions(count, generator(config.seed, YEAR, QUESTIONS))
    rng = generator(config.seed, YEAR, SETS)
    private = np.sort(rng.choice(count, size=config.private, replace=False))
    is_public = np.ones(count, dtype=np.bool_)
    is_public[private] = False
    cast = make_cast()
    beliefs = beliefs_of(cast, questions, np.flatnonzero(is_public), (config.seed, YEAR, NOISE))
    return SimulatedYear(
        config=config,
        cast=cast,
        questions=questions,
        is_public=is_public,
        deep=np.sort(rng.choice(private, size=config.deep, replace=False)),
        judged=np.sort(rng.choice(private, size=config.judged, replace=False)),
        ranked={name: top(belief, config.depth) for name, belief in beliefs},
    )


COPY_NOISE: Final = 0.12
"""How far a copy strays from what it copies, beside a noise of 1."""
_SHARED, _TEAM, _OWN = range(3)
_PIECES: Final = 20
_MOST_REDRAWS: Final = 2000


def beliefs_of(
    cast: Sequence[Plan], questions: Questions, public: Places, stream: tuple[int, ...]
) -> Iterator[tuple[str, Floats]]:
    """What every run believes of every document (queries x candidates), the lucky one last, each with its name.

    public  the places of the public queries
    stream  seed and spawn key of the noise
    """
    shape = questions.value.shape
    shared = Noise.draw(shape, generator(*stream, _SHARED))
    teams = list(dict.fromkeys(plan.team for plan in cast))
    team_noise = {team: Noise.draw(shape, generator(*stream, _TEAM, place)) for place, team in enumerate(teams)}
    own = {plan.name: generator(*stream, _OWN, place) for place, plan in enumerate(cast)}

    def of(plan: Plan) -> tuple[Floats, float]:
        if plan.role == "copy":
            return own[plan.name].standard_normal(shape), 0.0
        belief = _best_try(plan, questions, public, (shared, team_noise[plan.team]), own[plan.name])
        return belief, _public_mean(belief, questions, public)

    others = [plan for plan in cast if plan.role != "lucky"]
    copied = np.zeros(shape)
    lead = 0.0
    for plan, (belief, mean) in zip(others, map_in_order(of, others), strict=True):
        if plan.role == "copy":
            belief = copied + COPY_NOISE * belief  # noqa: PLW2901
            mean = _public_mean(belief, questions, public)  # noqa: PLW2901
        if plan.name == COPIED:
            copied = belief
        lead = max(lead, mean)
        yield plan.name, belief
    for plan in (candidate for candidate in cast if candidate.role == "lucky"):
        noises = shared, team_noise[plan.team]
        yield plan.name, _made_lucky(plan, questions, public, noises, own[plan.name], lead)


def _best_try(
    plan: Plan, questions: Questions, public: Places, noises: tuple[Noise, Noise], rng: np.random.Generator
) -> Floats:
    """Of all hidden tries, each with noise of its own, the best on the public queries; then learn labels by heart."""
    tries = (
        believed(plan, questions, noises[0].mixed(noises[1], Noise.draw(questions.value.shape, rng)))
        for _ in range(plan.hidden)
    )
    best = next(tries)
    score = _public_mean(best, questions, public) if plan.hidden > 1 else 0.0
    for belief in tries:
        mean = _public_mean(belief, questions, public)
        if mean > score:
            best, score = belief, mean
    learned = known_by_heart(plan, questions, public)
    best[learned, questions.label[learned]] = best[learned].max(axis=1) + 1.0
    return best


def known_by_heart(plan: Plan, questions: Questions, public: Places) -> Places:
    """The public queries whose labels a run has learnt; a team forgets nothing that it has learnt."""
    order = np.argsort(questions.documents[public, 0] % 9973, kind="stable")
    return public[order[: round(plan.memorised * len(public))]]


def _made_lucky(
    plan: Plan,
    questions: Questions,
    public: Places,
    noises: tuple[Noise, Noise],
    rng: np.random.Generator,
    lead: float,
) -> Floats:
    """Draw the run's own noise on a part of the public queries again, keep what helps, and stop when it leads."""
    belief = believed(plan, questions, noises[0].mixed(noises[1], Noise.draw(questions.value.shape, rng)))
    size = max(1, len(public) // _PIECES)
    for _ in range(_MOST_REDRAWS):
        if _public_mean(belief, questions, public) > lead:
            break
        piece = rng.choice(public, size=size, replace=False)
        part = rows_of(questions, piece)
        shared, team = (Noise(ranking=noise.ranking[piece], finding=noise.finding[piece]) for noise in noises)
        again = believed(plan, part, shared.mixed(team, Noise.draw(part.value.shape, rng)))
        if mean_rr(label_ranks(again, part.label)) > mean_rr(label_ranks(belief[piece], part.label)):
            belief[piece] = again
    return belief


def rows_of(questions: Questions, rows: Places) -> Questions:
    """Some of the queries."""
    names = ("numbers", "value", "fashion", "noise", "label", "documents")
    return replace(questions, **{name: getattr(questions, name)[rows] for name in names})


def _public_mean(belief: Floats, questions: Questions, public: Places) -> float:
    return mean_rr(label_ranks(belief[public], questions.label[public]))
