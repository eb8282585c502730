"""How often one side is preferred: a share, its exact interval and its test."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.significance import binomial_interval, binomial_p


@dataclass(frozen=True, kw_only=True)
class PreferredShare:
    """How often something is preferred to what it is compared with.

        share  =  (wins + even / 2) / (wins + losses + even)

    p is that of the exact two-sided binomial test of wins against losses, and ci95 the exact interval of wins among the
    two (Clopper & Pearson 1934, https://doi.org/10.1093/biomet/26.4.404); even splits have no part in either. The exact
    interval is chosen because it goes with the exact test and is never too short.

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
        """The share of some counts; NaN where nothing was judged."""
        judged = wins + losses + even
        return cls(
            wins=wins,
            losses=losses,
            even=even,
            share=(wins + even / 2) / judged if judged else float("nan"),
            ci95=binomial_interval(wins, wins + losses) if wins + losses else (0.0, 1.0),
            p=float(binomial_p(wins, losses)),
        )
