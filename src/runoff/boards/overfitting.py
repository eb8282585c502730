"""Overfitting relative to the field: whether a team's gain on public queries carries over to private ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards.submissions import TeamSubmissions
from runoff.errors import UsageError
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores

FEWEST_OTHERS: Final = 3
"""Other teams with two submissions that it takes to know how gains carry over."""
CLEAR_GAIN: Final = 3.0
"""Standard errors by which the other teams together must have gained on the public queries."""
_LEVEL: Final = 0.95
_NOISE: Final = 1e-12  # a standard error below this share of the scores is rounding


@dataclass(frozen=True, kw_only=True)
class TeamChange:
    """The changes from a team's first submission to its last, beside those of the other teams; above 0 is better.

    submissions       the team's submissions, in order
    others            how many other teams have two or more submissions
    ratio             the others' change on private queries per change on public ones
    expected_private  what the team's change on public queries is worth at that ratio
    excess            expected minus observed change on private queries
    standard_error    of the excess; excess_ci95: its interval, not corrected for the number of teams
    p                 one-sided: how likely so large an excess is for a team whose gains carry over as the others' do
    unjudged          why the team cannot be judged, in words; then there is no p
    """

    team: str
    first: str
    last: str
    submissions: tuple[str, ...]
    change_public: float
    change_private: float
    others: int
    ratio: float | None = None
    expected_private: float | None = None
    excess: float | None = None
    standard_error: float | None = None
    excess_ci95: tuple[float, float] | None = None
    p: float | None = None
    unjudged: str | None = None


@dataclass(frozen=True, kw_only=True)
class OverfittingResult:
    """Every team with two or more submissions, in the given order."""

    measure: str
    public_queries: int
    private_queries: int
    teams: tuple[TeamChange, ...]


@dataclass(frozen=True, kw_only=True)
class FieldChange:
    """All teams up to a day: their mean change from the first submission to the newest one; above 0 is better.

    teams  how many had two or more submissions by then
    """

    date: date
    teams: int
    change_public: float
    change_private: float


def overfitting(
    public: Scores, private: Scores, teams: Mapping[str, Sequence[str]], *, best_is_low: bool = False
) -> OverfittingResult:
    """How far each team's change on private queries stays behind what its change on public queries lets one expect.

        excess = b x - y,   b = sum of the other teams' y / sum of the other teams' x

    x and y are a team's change on public and on private queries from its first to its last submission. Private queries
    may be harder or easier, which moves y of all teams alike; so it does not show overfitting. The variance of the
    excess is that of the mean of b dx - x b dX / X over the public queries and of x dY / X - dy over the private ones,
    where dx and dy are a team's changes on a query, dX and dY those of the others together and X their mean; p is from
    Student's t with Welch's degrees of freedom.

    teams  the submissions of each team in order of date, all of them in both tables; teams with one are passed over

    After Craswell et al. 2021, section 3.3, https://doi.org/10.1145/3404835.3462804

    >>> queries = tuple(str(place) for place in range(40))
    >>> first, gains = np.arange(40) % 4 / 8, np.arange(40) % 3 / 8
    >>> columns = [first + gains * later for team in range(4) for later in (0, 1)]
    >>> runs = tuple(f"{team}{later}" for team in "ABCD" for later in (1, 2))
    >>> table = Scores(measure="RR@10", query_ids=queries, runs=runs, values=np.column_stack(columns))
    >>> found = overfitting(table, table, {team: [f"{team}1", f"{team}2"] for team in "ABCD"})
    >>> found.teams[0].ratio, found.teams[0].excess, found.teams[0].p
    (1.0, 0.0, 1.0)
    """
    several = {team: tuple(names) for team, names in teams.items() if len(names) > 1}
    for team, names in several.items():
        if len(set(names)) < len(names):
            raise UsageError(f"a submission of team '{team}' is listed twice; expected each once; remove one")
    sign = -1.0 if best_is_low else 1.0
    changes = [_changes(scores, several, sign) for scores in (public, private)]
    scale = max(float(np.abs(scores.values).max(initial=0.0)) for scores in (public, private))
    return OverfittingResult(
        measure=public.measure,
        public_queries=len(public.query_ids),
        private_queries=len(private.query_ids),
        teams=tuple(_judged(place, team, several, changes, scale) for place, team in enumerate(several)),
    )


def field_changes(
    public: Scores, private: Scores, teams: Sequence[TeamSubmissions], *, best_is_low: bool = False
) -> tuple[FieldChange, ...]:
    """The mean change of all teams on public and on private queries, on each day on which one of them came back.

    It describes: a gap that grows may be overfitting of the whole field, or private queries that are harder.
    """
    sign = -1.0 if best_is_low else 1.0
    means = [dict(zip(scores.runs, (sign * scores.means).tolist(), strict=True)) for scores in (public, private)]
    sent = [[run for run in team.runs if run.name in means[0] and run.date] for team in teams]
    days = sorted({run.date for runs in sent for run in runs[1:] if run.date})
    changes = []
    for day in days:
        ends = [(runs[0].name, runs[-1].name) for runs in (_until(runs, day) for runs in sent) if len(runs) > 1]
        on_public, on_private = (float(np.mean([of[last] - of[first] for first, last in ends])) for of in means)
        changes.append(FieldChange(date=day, teams=len(ends), change_public=on_public, change_private=on_private))
    return tuple(changes)


def _until(runs: Sequence[BoardRun], day: date) -> list[BoardRun]:
    return [run for run in runs if run.date is not None and run.date <= day]


def _changes(scores: Scores, teams: Mapping[str, tuple[str, ...]], sign: float) -> NDArray[np.float64]:
    """The change of each team on each query, queries x teams."""
    columns = [sign * (scores.of(names[-1]) - scores.of(names[0])) for names in teams.values()]
    return np.column_stack(columns) if columns else np.empty((len(scores.query_ids), 0))


def _judged(
    place: int,
    team: str,
    teams: Mapping[str, tuple[str, ...]],
    changes: Sequence[NDArray[np.float64]],
    scale: float,
) -> TeamChange:
    """The change of one team, the excess if it can be judged, and else the reason."""
    own_x, own_y = (values[:, place] for values in changes)
    rest_x, rest_y = (np.delete(values, place, axis=1).sum(axis=1) for values in changes)
    x, y, gain = float(own_x.mean()), float(own_y.mean()), float(rest_x.mean())
    names = teams[team]
    change = TeamChange(
        team=team,
        first=names[0],
        last=names[-1],
        submissions=names,
        change_public=x,
        change_private=y,
        others=len(teams) - 1,
    )
    why = _why_unjudged(change.others, gain, rest_x, len(own_y))
    if why:
        return replace(change, unjudged=why)
    ratio = float(rest_y.mean()) / gain
    excess = ratio * x - y
    on_public = _squared_error(ratio * own_x - x * ratio * rest_x / gain)
    on_private = _squared_error(x * rest_y / gain - own_y)
    error = float(np.sqrt(on_public + on_private))
    if error <= _NOISE * scale:
        if excess > _NOISE * scale:
            return replace(change, unjudged="its scores change by the same on every query")
        return replace(
            change,
            ratio=ratio,
            expected_private=ratio * x,
            excess=excess,
            standard_error=0.0,
            excess_ci95=(excess, excess),
            p=1.0,
        )
    freedom = error**4 / (on_public**2 / (len(own_x) - 1) + on_private**2 / (len(own_y) - 1))
    from scipy.special import stdtr, stdtrit

    half = float(stdtrit(freedom, 0.5 + _LEVEL / 2)) * error
    return replace(
        change,
        ratio=ratio,
        expected_private=ratio * x,
        excess=excess,
        standard_error=error,
        excess_ci95=(excess - half, excess + half),
        p=float(stdtr(freedom, -excess / error)),
    )


def _why_unjudged(others: int, gain: float, changes: NDArray[np.float64], private: int) -> str | None:
    """Why a team cannot be judged; None if it can."""
    if others < FEWEST_OTHERS:
        number = {0: "no other team has", 1: "only one other team has"}.get(others, f"only {others} other teams have")
        return f"{number} two submissions or more, and {FEWEST_OTHERS} are needed"
    if min(len(changes), private) < 2:
        return "there are fewer than two public or two private queries"
    if gain < CLEAR_GAIN * float(np.sqrt(_squared_error(changes))) or gain <= 0.0:
        return "the other teams together have not clearly gained on the public queries"
    return None


def _squared_error(values: NDArray[np.float64]) -> float:
    """The squared standard error of a mean."""
    return float(values.var(ddof=1)) / len(values)


ONLY_MEANS: Final = "only means are published, and these do not tell how far luck moves them"


def published_changes(
    teams: Sequence[TeamSubmissions], *, public: str = "public", private: str = "private", best_is_low: bool = False
) -> tuple[TeamChange, ...]:
    """The changes of each team with two or more submissions that have both means; the largest excess first.

    The same changes as those of `overfitting`, but without scores per query nobody knows how far luck moves them: there
    is no p, and so no alarm. There is no excess with fewer than 3 other teams, or if they gained nothing together.

    >>> from datetime import date
    >>> from runoff.boards.submissions import submissions
    >>> from runoff.tables.board import BoardRun
    >>> ends = {"A": (0.75, 0.25), "B": (0.5, 0.5), "C": (0.5, 0.5), "D": (0.5, 0.5)}
    >>> runs = [BoardRun(name=f"{team}1", team=team, date=date(2021, 1, 1), scores={"public": 0.25, "private": 0.25})
    ...         for team in ends]
    >>> runs += [BoardRun(name=f"{team}2", team=team, date=date(2021, 2, 1), scores={"public": one, "private": two})
    ...          for team, (one, two) in ends.items()]
    >>> found = published_changes(submissions(runs).teams)[0]
    >>> found.last, found.change_public, found.change_private, found.excess
    ('A2', 0.5, 0.0, 0.5)
    """
    sign = -1.0 if best_is_low else 1.0
    sent = {team.team: [run for run in team.runs if public in run.scores and private in run.scores] for team in teams}
    sent = {team: runs for team, runs in sent.items() if len(runs) > 1}
    changes = {
        team: tuple(sign * (runs[-1].scores[name] - runs[0].scores[name]) for name in (public, private))
        for team, runs in sent.items()
    }
    rows = []
    for team, (x, y) in changes.items():
        rest = [change for other, change in changes.items() if other != team]
        gain = sum(row for row, _ in rest)
        ratio = sum(two for _, two in rest) / gain if len(rest) >= FEWEST_OTHERS and gain > 0.0 else None
        rows.append(
            TeamChange(
                team=team,
                first=sent[team][0].name,
                last=sent[team][-1].name,
                submissions=tuple(run.name for run in sent[team]),
                change_public=x,
                change_private=y,
                others=len(rest),
                ratio=ratio,
                expected_private=None if ratio is None else ratio * x,
                excess=None if ratio is None else ratio * x - y,
                unjudged=ONLY_MEANS,
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.excess is None, -(row.excess or 0.0))))
