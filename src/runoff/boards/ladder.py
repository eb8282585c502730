"""The Ladder: a team's shown score changes only when a new run beats its best by more than noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.boards._covariance import pair_errors
from runoff.errors import UsageError
from runoff.tables.scores import Scores


@dataclass(frozen=True, kw_only=True)
class Rung:
    """One submission under the rule.

    mean   its own mean, which the team is not told
    shown  what is shown to the team
    moved  whether this submission beat the best before it by more than the standard error of the difference
    """

    run: str
    mean: float
    shown: float
    moved: bool


def ladder(scores: Scores, submissions: Sequence[str], *, best_is_low: bool = False) -> tuple[Rung, ...]:
    """What a team sees of its submissions under the release rule.

        shown = the new mean if it beats the best so far by more than se of the paired difference, else the old score

    A team that submits again and again learns only what is larger than noise, so tuning by submission stops paying. The
    first submission is always shown.

    submissions  the names of the team's runs in order of date

    Blum & Hardt 2015, The Ladder: a reliable leaderboard for machine learning competitions (the parameter-free form),
    https://doi.org/10.48550/arXiv.1502.04585

    >>> import numpy as np
    >>> values = np.array([[0.5, 0.5, 0.9], [0.4, 0.5, 0.8], [0.6, 0.5, 0.9], [0.5, 0.52, 0.9]])
    >>> scores = Scores(measure="AP", query_ids=tuple("abcd"), runs=("one", "two", "three"), values=values)
    >>> [(rung.run, round(rung.shown, 3), rung.moved) for rung in ladder(scores, ["one", "two", "three"])]
    [('one', 0.5, True), ('two', 0.5, False), ('three', 0.875, True)]
    """
    names = list(submissions)
    unknown = [name for name in names if name not in scores.runs]
    if not names or unknown or len(set(names)) < len(names):
        raise UsageError(
            f"submissions {', '.join(names) or 'none'} cannot be used; expected names of runs with scores, each once"
        )
    columns = [scores.runs.index(name) for name in names]
    errors = pair_errors(scores.values[:, columns])
    sign = -1.0 if best_is_low else 1.0
    means = sign * scores.means[columns]
    rungs: list[Rung] = []
    best = 0
    for place, name in enumerate(names):
        # Strictly: a run that equals the best in every query has no error, and no lead.
        moved = place == 0 or bool(means[place] - means[best] > errors[place, best] + 1e-12 * abs(means[best]))
        best = place if moved else best
        shown = float(sign * means[best])
        rungs.append(Rung(run=name, mean=float(sign * means[place]), shown=shown, moved=moved))
    return tuple(rungs)
