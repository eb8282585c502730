"""How often one side is preferred: a share, its exact interval and its test."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.significance import binomial_interval, binomial_p


@dataclass(frozen=True, kw_only=True)
class PreferredShare:
    """How often something is preferred to what it is compared with.

        share  =  wins / (wins + losses)

    Even splits are left out of the share, its interval and its test alike, as ties are of the sign test. p is that of
    the exact two-sided binomial test of wins against losses, and ci95 the exact interval of wins among the two (Clopper
    & Pearson 1934, https://doi.org/10.1093/biomet/26.4.404): it goes with the exact test and is never too short.

    >>> found = PreferredShare.of(1228, 640)
    >>> round(found.share, 4), [round(end, 3) for end in found.ci95]
    (0.6574, [0.635, 0.679])
    """

    wins: int
    losses: int
    even: int
    share: float
    ci95: tuple[float, float]
    p: float

    @classmethod
    def of(cls, wins: int, losses: int, even: int = 0) -> PreferredShare:
        """The share of some counts; NaN where nothing was decided."""
        counted = wins + losses
        return cls(
            wins=wins,
            losses=losses,
            even=even,
            share=wins / counted if counted else float("nan"),
            ci95=binomial_interval(wins, counted),
            p=float(binomial_p(wins, losses)),
        )

    @property
    def counted(self) -> int:
        """What the share is of: all that is decided."""
        return self.wins + self.losses
