"""The verdict against a margin: no worse, as good, or not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from runoff.significance import EquivalenceResult, Family, correct
from runoff.verdicts.policy import Policy
from runoff.verdicts.sentence import p_text

MarginKind = Literal["equivalent", "no worse", "no better", "not shown"]


@dataclass(frozen=True, kw_only=True)
class MarginVerdict:
    """What is decided about a challenger and a margin.

    kind         equivalent: it differs by less than the margin; no worse, no better: that side alone is shown
    no_worse_p   corrected over the challengers, as `no_better_p` is
    no_worse     whether it is shown not to be worse by the margin or more
    """

    result: EquivalenceResult
    kind: MarginKind
    no_worse_p: float
    no_better_p: float
    sentence: str

    @property
    def no_worse(self) -> bool:
        """Whether the challenger is shown to be no worse."""
        return self.kind in ("equivalent", "no worse")

    def to_dict(self) -> dict[str, object]:
        """The keys of `equivalence` in JSON."""
        found = self.result
        return {
            "margin": found.margin,
            "difference": found.difference,
            "difference_ci90": list(found.difference_ci90),
            "no_worse_p": self.no_worse_p,
            "no_better_p": self.no_better_p,
            "p": max(self.no_worse_p, self.no_better_p),
            "verdict": self.kind,
            "sentence": self.sentence,
        }


def margin_verdicts(
    found: Sequence[EquivalenceResult], names: Sequence[tuple[str, str]], measure: str, policy: Policy
) -> tuple[MarginVerdict, ...]:
    """Decide on some challengers of one champion; each side's p-values are corrected over all of them.

    found  with differences above 0 where the challenger is better
    names  champion and challenger of each

    >>> from runoff.significance import equivalence
    >>> close = equivalence([0.5, 0.6, 0.4, 0.5] * 10, [0.5, 0.6, 0.45, 0.45] * 10, margin=0.02)
    >>> margin_verdicts([close], [("old", "new")], "AP", Policy())[0].sentence.split(":")[0]
    'new is as good as old within 0.02 of mean AP'
    """
    no_worse, no_better = (
        _corrected([getattr(one, side) for one in found], policy) for side in ("no_worse_p", "no_better_p")
    )
    return tuple(
        _decided(one, pair, measure, low, high, policy.alpha)
        for one, pair, low, high in zip(found, names, no_worse, no_better, strict=True)
    )


def _corrected(p: list[float], policy: Policy) -> list[float]:
    if len(p) < 2 or policy.correction == "none":
        return p
    family = Family(f"margin of {len(p)} challengers", len(p))
    corrected: list[float] = correct(p, correction=policy.correction, family=family).p.tolist()
    return corrected


def _decided(
    found: EquivalenceResult, names: tuple[str, str], measure: str, no_worse_p: float, no_better_p: float, alpha: float
) -> MarginVerdict:
    sides = no_worse_p < alpha, no_better_p < alpha
    kinds: dict[tuple[bool, bool], MarginKind] = {
        (True, True): "equivalent", (True, False): "no worse", (False, True): "no better", (False, False): "not shown",
    }  # fmt: skip
    kind = kinds[sides]
    champion, challenger = names
    words = {
        "equivalent": f"{challenger} is as good as {champion} within {found.margin:g} of mean {measure}",
        "no worse": f"{challenger} is worse than {champion} by less than {found.margin:g} of mean {measure}, if at all",
        "no better": f"{challenger} is better than {champion} by less than {found.margin:g} of mean {measure}, if at "
        "all, and is not shown to be no worse",
        "not shown": f"{challenger} is not shown to be as good as {champion} within {found.margin:g} of mean {measure}",
    }
    p = {"equivalent": max(no_worse_p, no_better_p), "no better": no_better_p}.get(kind, no_worse_p)
    low, high = found.difference_ci90
    where = f"the difference is {found.difference:+z.4f}, 90% interval {low:+z.4f} to {high:+z.4f}"
    return MarginVerdict(
        result=found,
        kind=kind,
        no_worse_p=no_worse_p,
        no_better_p=no_better_p,
        sentence=f"{words[kind]}: {where} ({p_text(p, alpha)}).",
    )
