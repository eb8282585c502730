"""Changes of published means: what a board without run files can say about public and private queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.boards.submissions import TeamSubmissions


@dataclass(frozen=True, kw_only=True)
class PublishedChange:
    """The changes from a team's first submission to its best on the public queries; above 0 is better.

    submissions  the team's submissions that have both means, in order of date
    excess       change on public minus change on private queries
    """

    team: str
    first: str
    best: str
    submissions: tuple[str, ...]
    change_public: float
    change_private: float
    excess: float


def published_changes(
    teams: Sequence[TeamSubmissions], *, public: str = "public", private: str = "private", best_is_low: bool = False
) -> tuple[PublishedChange, ...]:
    """The changes of each team with two or more submissions that have both means; the largest excess first.

    The same changes as those of `overfitting`, but without scores per query nobody knows how far luck moves them: there
    is no interval, and so no alarm.

    >>> from datetime import date
    >>> from runoff.boards.submissions import submissions
    >>> from runoff.tables.board import BoardRun
    >>> means = {"a": {"public": 0.25, "private": 0.25}, "b": {"public": 0.5, "private": 0.125}}
    >>> runs = [BoardRun(name=name, team="A", date=date(2021, 1, 1), scores=scores) for name, scores in means.items()]
    >>> found = published_changes(submissions(runs).teams)[0]
    >>> found.best, found.change_public, found.change_private, found.excess
    ('b', 0.25, -0.125, 0.375)
    """
    sign = -1.0 if best_is_low else 1.0
    changes = []
    for team in teams:
        runs = [run for run in team.runs if public in run.scores and private in run.scores]
        if len(runs) < 2:
            continue
        first, best = runs[0], max(runs, key=lambda run: sign * run.scores[public])
        on_public, on_private = (sign * (best.scores[name] - first.scores[name]) for name in (public, private))
        changes.append(
            PublishedChange(
                team=team.team,
                first=first.name,
                best=best.name,
                submissions=tuple(run.name for run in runs),
                change_public=on_public,
                change_private=on_private,
                excess=on_public - on_private,
            )
        )
    return tuple(sorted(changes, key=lambda one: -one.excess))
