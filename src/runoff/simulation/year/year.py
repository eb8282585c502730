"""The simulated year: forty runs of a board with a known truth, and things planted in it that an audit should find."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from runoff.errors import UsageError
from runoff.simulation._streams import YEAR, generator
from runoff.simulation.year.cast import Plan, Role, make_cast
from runoff.simulation.year.planting import beliefs_of
from runoff.simulation.year.questions import CANDIDATES, Places, Questions, draw_questions, top
from runoff.simulation.year.truth import RunTruth, true_scores

# Streams of a year; 0 is that of the truth, which is the same for all years.
QUESTIONS, SETS, JUDGING, SCORES, TEXTS, NOISE = range(1, 7)

_SCORE_STEP: Final = 14_000  # ten-thousandths between the run_scores of two ranks, of which 10,000 are chance
_FIRST_SCORE: Final = 985_000


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
