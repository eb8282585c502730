"""Submissions of each team over time: the rule that limits them, and the Ladder that limits feedback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from runoff.boards._covariance import pair_errors
from runoff.errors import UsageError
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores

Day = date
ViolationKind = Literal["submissions", "variants"]


@dataclass(frozen=True, kw_only=True)
class SubmissionRule:
    """How often a team may submit.

    days      the length of the rolling window, its first and last day included
    most      submissions of a team in a window
    variants  how many of these may be small variations of another run

    Craswell et al. 2021, section 3.3, https://doi.org/10.1145/3404835.3462804
    """

    days: int = 30
    most: int = 2
    variants: int = 1

    def __post_init__(self) -> None:
        for name, value, low in (("days", self.days, 1), ("most", self.most, 1), ("variants", self.variants, 0)):
            if value < low:
                raise UsageError(f"{name}={value} cannot be used; expected {low} or more; write {name}={low}")


@dataclass(frozen=True, kw_only=True)
class Violation:
    """One submission that broke the rule.

    kind   too many submissions, or too many small variations
    name   the submission that was one too many
    since  the date of the first of `names`, those that count, in order; `name` is the last of them
    """

    team: str
    kind: ViolationKind
    name: str
    date: Day
    since: Day
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TeamSubmissions:
    """What a team submitted, in order of date; `most_in_window` is the largest number in any window of the rule."""

    team: str
    runs: tuple[BoardRun, ...]
    most_in_window: int


@dataclass(frozen=True, kw_only=True)
class SubmissionsResult:
    """All teams, those with most submissions first, and every violation in order of date.

    unchecked  runs that have no team or no date, so that the rule cannot be checked; baselines are not meant
    """

    rule: SubmissionRule
    teams: tuple[TeamSubmissions, ...]
    violations: tuple[Violation, ...]
    unchecked: tuple[str, ...]


def submissions(
    runs: Sequence[BoardRun],
    *,
    rule: SubmissionRule | None = None,
    near_duplicates: Sequence[tuple[str, str]] = (),
) -> SubmissionsResult:
    """The submissions of each team, checked against the rule.

    A submission breaks the rule if there are too many in the window that ends on its date. Runs of one date count in
    the order of the board. Baselines are the organisers' and are not counted.

    near_duplicates  pairs of runs that are nearly the same (`near_duplicates` finds them): the later of two runs of one
                     team counts as a small variation, whether or not the team says so

    >>> runs = [BoardRun(name=f"r{day}", team="A", date=date(2021, 1, day)) for day in (1, 15, 30, 31)]
    >>> [(one.name, one.since.day, len(one.names)) for one in submissions(runs).violations]
    [('r30', 1, 3), ('r31', 15, 3)]
    """
    rule = rule or SubmissionRule()
    counted = [run for run in runs if not run.baseline]
    checked = sorted((run for run in counted if run.team and run.date), key=_day)
    variants = {run.name for run in counted if run.variant_of is not None} | _later(checked, near_duplicates)
    teams: list[TeamSubmissions] = []
    violations: list[Violation] = []
    for team in dict.fromkeys(run.team for run in checked):
        own = [run for run in checked if run.team == team]
        windows = _windows(own, rule.days)
        teams.append(TeamSubmissions(team=team, runs=tuple(own), most_in_window=max(len(window) for window in windows)))
        violations += [_violation("submissions", window) for window in windows if len(window) > rule.most]
        windows = _windows([run for run in own if run.name in variants], rule.days)
        violations += [_violation("variants", window) for window in windows if len(window) > rule.variants]
    return SubmissionsResult(
        rule=rule,
        teams=tuple(sorted(teams, key=lambda team: -len(team.runs))),
        violations=tuple(sorted(violations, key=lambda violation: violation.date)),
        unchecked=tuple(run.name for run in counted if not (run.team and run.date)),
    )


def _day(run: BoardRun) -> date:
    return run.date or date.min


def _windows(runs: Sequence[BoardRun], days: int) -> list[list[BoardRun]]:
    """For each run, in order of date, those of the window that ends with it."""
    reach = timedelta(days=days)
    return [[other for other in runs[: place + 1] if _day(run) - _day(other) < reach] for place, run in enumerate(runs)]


def _violation(kind: ViolationKind, window: Sequence[BoardRun]) -> Violation:
    last = window[-1]
    return Violation(
        team=last.team,
        kind=kind,
        name=last.name,
        date=_day(last),
        since=_day(window[0]),
        names=tuple(run.name for run in window),
    )


def _later(checked: Sequence[BoardRun], pairs: Sequence[tuple[str, str]]) -> set[str]:
    """The later run of each pair by one team; `checked` is in order of date."""
    places = {run.name: (place, run.team) for place, run in enumerate(checked)}
    checked_pairs = [(places[first], places[second]) for first, second in pairs if first in places and second in places]
    return {checked[max(first, second)[0]].name for first, second in checked_pairs if first[1] == second[1]}


@dataclass(frozen=True, kw_only=True)
class Rung:
    """One submission under the rule.

    mean   its own mean, which the team does not see
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
        score = float(sign * means[best])
        rungs.append(Rung(run=name, mean=float(sign * means[place]), shown=score, moved=moved))
    return tuple(rungs)
