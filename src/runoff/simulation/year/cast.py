"""The cast of the simulated year: who submits what and when, how good it truly is, and what is planted in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

Role = Literal["champion", "lucky", "overfitted", "trade_off", "better_than_labels", "copy", "one_too_many"]

YEAR_BEGINS: Final = date(2024, 1, 1)
ORGANISERS: Final = "Organisers"
LABEL_TASTE: Final = 0.6
"""How far labels follow the taste of their time rather than the true value, as an angle; 0 is not at all."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One run of the year.

    day         of the year on which it is submitted, from 0
    reach       chance that its first stage finds a document at all
    eye         how strongly it sees what is good: the weight of the signal beside a noise of 1
    taste       what it takes for good: an angle from the true value (0) to the taste of the labels
    role        what is planted, if anything
    hidden      tries that the team made on the public queries before it submitted the best of them
    memorised   share of the public queries whose hidden labels it has found out from scores of tries
    variant_of  the run that the team says it is a small variation of
    """

    name: str
    team: str
    day: int
    reach: float
    eye: float
    taste: float = LABEL_TASTE
    role: Role | None = None
    hidden: int = 1
    memorised: float = 0.0
    variant_of: str | None = None

    @property
    def date(self) -> date:
        """The day on which it is submitted."""
        return YEAR_BEGINS + timedelta(days=self.day)

    @property
    def baseline(self) -> bool:
        """Whether it is a run of the organisers."""
        return self.team == ORGANISERS


COPIED: Final = "indus-3"
"""The run that another team submits again under its own name."""

_TEAMS: Final[dict[str, tuple[tuple[int, float, float], ...]]] = {
    # day, reach, eye of each submission: teams get better over the year, and not all at the same pace
    "Amstel": ((20, 0.74, 1.5), (90, 0.79, 1.8), (190, 0.83, 2.2), (300, 0.886, 3.25)),
    "Boyne": ((35, 0.75, 1.7), (150, 0.82, 2.1), (162, 0.83, 2.2), (171, 0.83, 2.3)),
    "Clyde": ((40, 0.80, 1.9), (85, 0.80, 1.9), (130, 0.80, 1.9), (180, 0.80, 1.9), (230, 0.80, 1.9), (290, 0.80, 1.9)),
    "Douro": ((60, 0.80, 2.0), (170, 0.85, 2.6), (345, 0.883, 3.1)),
    "Ebro": ((75, 0.83, 2.2), (200, 0.87, 2.9), (320, 0.90, 3.4)),
    "Forth": ((50, 0.84, 1.7), (160, 0.90, 1.9), (310, 0.97, 2.2)),
    "Gambia": ((110, 0.82, 2.0), (260, 0.90, 5.0)),
    "Havel": ((15, 0.72, 1.4), (100, 0.80, 1.9), (215, 0.85, 2.5), (330, 0.895, 3.35)),
    "Indus": ((30, 0.73, 1.6), (140, 0.82, 2.2), (240, 0.87, 2.8)),
    "Jordan": ((125, 0.78, 1.8), (265, 0.87, 2.8)),
    "Kura": ((95, 0.76, 1.6), (280, 0.886, 3.2)),
    "Loire": ((145, 0.80, 2.0), (335, 0.89, 3.3)),
}
_ROLES: Final[dict[str, Role]] = {
    "ebro-3": "champion",
    "douro-3": "lucky",
    "forth-3": "trade_off",
    "gambia-2": "better_than_labels",
    "jordan-2": "copy",
    "boyne-4": "one_too_many",
}
_OVERFITTED: Final = "Clyde"
_MEMORISED: Final = (0.0, 0.015, 0.03, 0.05, 0.07, 0.09)
_HIDDEN: Final = (1, 3, 5, 8, 10, 10)


def make_cast() -> tuple[Plan, ...]:
    """All forty runs in order of date: 38 by twelve teams, and two baselines of the organisers.

    >>> cast = make_cast()
    >>> len(cast), len({plan.team for plan in cast if not plan.baseline})
    (40, 12)
    """
    plans = [
        Plan(name="bm25", team=ORGANISERS, day=0, reach=0.62, eye=1.0),
        Plan(name="bm25-tuned", team=ORGANISERS, day=0, reach=0.66, eye=1.2),
    ]
    for team, sent in _TEAMS.items():
        for number, (day, reach, eye) in enumerate(sent):
            name = f"{team.lower()}-{number + 1}"
            role = _ROLES.get(name)
            spoilt = team == _OVERFITTED and number > 0
            plans.append(
                Plan(
                    name=name,
                    team=team,
                    day=day,
                    reach=reach,
                    eye=eye,
                    taste=0.0 if role == "better_than_labels" else LABEL_TASTE,
                    role="overfitted" if spoilt else role,
                    hidden=_HIDDEN[number] if spoilt else 1,
                    memorised=_MEMORISED[number] if spoilt else 0.0,
                    variant_of="clyde-2" if name == "clyde-3" else None,
                )
            )
    return tuple(sorted(plans, key=lambda plan: plan.day))
