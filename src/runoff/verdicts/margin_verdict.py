"""The verdict against a margin: no worse, as good, or not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from runoff.phrases import p_text
from runoff.significance import EquivalenceResult, Family, correct
from runoff.significance.power import POWER, student_factor
from runoff.verdicts.policy import Policy

MarginKind = Literal["equivalent", "no worse", "no better", "not shown"]


@dataclass(frozen=True, kw_only=True)
class MarginVerdict:
    """What is decided about a challenger and a margin.

    kind         equivalent: it differs by less than the margin; no worse, no better: that side alone is shown
    no_worse_p   corrected over the challengers, as `no_better_p` is
    seen_margin  the smallest margin for which "no worse" would be shown with 80% power if the runs were the same; None
                 where scores do not differ, or differ by the same everywhere
    """

    result: EquivalenceResult
    kind: MarginKind
    no_worse_p: float
    no_better_p: float
    seen_margin: float | None
    sentence: str

    @property
    def no_worse(self) -> bool:
        """Whether the challenger is shown to be no worse."""
        return self.kind in ("equivalent", "no worse")

    def to_dict(self) -> dict[str, object]:
        """The keys of `equivalence` in JSON."""
        result = self.result
        return {
            "margin": result.margin,
            "difference": result.difference,
            "difference_ci90": list(result.difference_ci90),
            "no_worse_p": self.no_worse_p,
            "no_better_p": self.no_better_p,
            "p": max(self.no_worse_p, self.no_better_p),
            "verdict": self.kind,
            "seen_margin": self.seen_margin,
            "sentence": self.sentence,
        }


def margin_verdicts(
    results: Sequence[EquivalenceResult], names: Sequence[tuple[str, str]], measure: str, policy: Policy
) -> tuple[MarginVerdict, ...]:
    """Decide on some challengers of one champion; each side's p-values are corrected over all of them.

    results  with differences above 0 where the challenger is better
    names  champion and challenger of each

    >>> from runoff.significance import equivalence
    >>> close = equivalence([0.5, 0.6, 0.4, 0.5] * 10, [0.5, 0.6, 0.45, 0.45] * 10, margin=0.02)
    >>> margin_verdicts([close], [("old", "new")], "AP", Policy())[0].sentence.split(":")[0]
    'new is as good as old within 0.02 of mean AP'
    """
    no_worse, no_better = (
        _corrected([getattr(result, side) for result in results], policy) for side in ("no_worse_p", "no_better_p")
    )
    hardest = policy.level_of(len(results))
    return tuple(
        _decided(result, pair, measure, (low, high), policy.alpha, hardest)
        for result, pair, low, high in zip(results, names, no_worse, no_better, strict=True)
    )


def _corrected(p: list[float], policy: Policy) -> list[float]:
    if len(p) < 2 or policy.correction == "none":
        return p
    family = Family(f"margin of {len(p)} challengers", len(p))
    corrected: list[float] = correct(p, correction=policy.correction, family=family).p.tolist()
    return corrected


def seen_margin(result: EquivalenceResult, level: float) -> float | None:
    """The smallest margin for which "no worse" is shown with 80% power where the true difference is 0.

        delta x se,  delta the noncentrality at which a one-sided t test at the level has 80% power

    The standard error is that of the 90% interval. Two-sided at twice the level is one-sided at the level.
    """
    from scipy.stats import t

    low, high = result.difference_ci90
    if result.n < 2 or not high - low > 0.0:
        return None
    error = (high - low) / 2 / float(t.ppf(0.95, result.n - 1))
    return student_factor(result.n, 2 * level, POWER) * error


def _decided(
    result: EquivalenceResult,
    names: tuple[str, str],
    measure: str,
    p_values: tuple[float, float],
    alpha: float,
    hardest: float,
) -> MarginVerdict:
    no_worse_p, no_better_p = p_values
    sides = no_worse_p < alpha, no_better_p < alpha
    kinds: dict[tuple[bool, bool], MarginKind] = {
        (True, True): "equivalent",
        (True, False): "no worse",
        (False, True): "no better",
        (False, False): "not shown",
    }
    kind = kinds[sides]
    champion, challenger = names
    words = {
        "equivalent": f"{challenger} is as good as {champion} within {result.margin:g} of mean {measure}",
        "no worse": f"{challenger} is not worse than {champion} by more than {result.margin:g} of mean {measure}",
        "no better": f"{challenger} is not better than {champion} by more than {result.margin:g} of mean {measure}, "
        "and is not shown to be no worse",
        "not shown": f"{challenger} is not shown to be as good as {champion} within {result.margin:g} of mean "
        f"{measure}, and may be worse by more",
    }
    how = {
        "equivalent": p_text(max(no_worse_p, no_better_p), alpha),
        "no worse": p_text(no_worse_p, alpha),
        "no better": f"{p_text(no_better_p, alpha)}; no worse: {p_text(no_worse_p, alpha)}",
        "not shown": f"no worse: {p_text(no_worse_p, alpha)}",
    }
    seen = seen_margin(result, hardest)
    more = ""
    if seen is not None and kind in ("no better", "not shown"):
        more = (
            f" With {result.n:,} queries, a run that is truly as good is shown to be no worse with {POWER:.0%} power "
            f"only for margins of {seen:.4f} or more."
        )
    low, high = result.difference_ci90
    where = f"the difference is {result.difference:+z.4f}, 90% interval {low:+z.4f} to {high:+z.4f}"
    return MarginVerdict(
        result=result,
        kind=kind,
        no_worse_p=no_worse_p,
        no_better_p=no_better_p,
        seen_margin=seen,
        sentence=f"{words[kind]}: {where} ({how[kind]}).{more}",
    )
