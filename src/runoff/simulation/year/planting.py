"""How things are planted in the simulated year: luck, overfitting and a copy, all of them in the noise of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from runoff.files.streams import map_in_order
from runoff.simulation._streams import generator
from runoff.simulation.year.cast import COPIED, Plan
from runoff.simulation.year.questions import Floats, Noise, Places, Questions, believed, label_ranks, mean_rr

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
