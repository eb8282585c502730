"""The verdicts on challengers that are no better: overall, strict, do no harm, and the marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons.outcomes import outcomes
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._pair_evidence import pair_evidence
from runoff.simulation.calibration._source import Source, dealt_serps, names
from runoff.tables.serps import Serps
from runoff.verdicts import VerdictResult, judge

FAMILY: Final = 4


class PairVerdicts(Quantity):
    """How often a challenger is called better that is not.

    same        the lists of the two runs are exchanged with chance one half in each query
    only one    exchanged only where both find a document, so that no run is sooner; or only where not both do, so that
                with one relevant document per query no run finds more: one facet is as in the data, and strict needs
                both
    family      several challengers and a champion, their lists dealt out again in each query
    """

    name: ClassVar[str] = "verdicts"
    title: ClassVar[str] = "Verdicts on a challenger that is no better"
    needs_serps: ClassVar[bool] = True

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The verdicts, then the marks, then the family."""
        level = settings.policy.alpha
        words = {
            "overall": "overall: any claim, two runs that are the same",
            "strict": "strict: better, two runs that are the same",
            "strict_more": "strict: better, truly no sooner",
            "strict_earlier": "strict: better, truly no more found",
            "do_no_harm": "do no harm: better, two runs that are the same",
            "dagger": "mark †, two runs that are the same",
            "double_dagger": "mark ‡, two runs that are the same",
            "family_overall": f"overall: any claim on any of {FAMILY}, Holm, runs all the same",
            "family_strict": f"strict: any of {FAMILY} better, Holm, runs all the same",
            "family": f"do no harm: any of {FAMILY} better, Holm, runs all the same",
        }
        return [Promise(key=key, label=label, kind="at most", level=level) for key, label in words.items()]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """The verdicts on one challenger of each kind, and on one family."""
        serps = source.serps
        if serps is None:
            return {}
        pair, rows = source.pair(rng), source.rows(queries, rng)
        comparison = _Drawn(
            source=source,
            two=tuple(serps[place] for place in pair),
            rows=rows,
            values=source.values[np.ix_(rows, pair)],
            settings=settings,
            seed=drawn_seed(rng),
        )
        swap, both = rng.random(queries) < 0.5, comparison.both_answer()
        same = comparison.judged(swap, with_ipso=True)
        more, earlier = comparison.judged(swap & both), comparison.judged(swap & ~both)
        return {
            "overall": same.overall != "inconclusive",
            "strict": same.strict == "better",
            "strict_more": more.strict == "better",
            "strict_earlier": earlier.strict == "better",
            "do_no_harm": same.do_no_harm == "better",
            "dagger": "†" in same.marks,
            "double_dagger": "‡" in same.marks if same.ipso is not None else None,
            **self._family(source, queries, rng, settings),
        }

    def _family(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        serps = source.serps
        if serps is None or len(serps) < 3:
            return {}
        chosen = rng.permutation(len(serps))[: FAMILY + 1]
        rows, seed = source.rows(queries, rng), drawn_seed(rng)
        order = rng.permuted(np.tile(np.arange(len(chosen)), (queries, 1)), axis=1)
        lists = dealt_serps([serps[place] for place in chosen], rows, order, names(len(chosen)))
        values = np.take_along_axis(source.values[np.ix_(rows, chosen)], order, axis=1)
        evidence = [
            pair_evidence(source, (lists[0], lists[place]), values[:, [0, place]], settings, seed=seed, with_ipso=False)
            for place in range(1, len(lists))
        ]
        verdicts = judge(evidence, settings.policy)
        return {
            "family_overall": any(verdict.overall != "inconclusive" for verdict in verdicts),
            "family_strict": any(verdict.strict == "better" for verdict in verdicts),
            "family": any(verdict.do_no_harm == "better" for verdict in verdicts),
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class _Drawn:
    """A pair on drawn queries, before lists are exchanged."""

    source: Source
    two: tuple[Serps, ...]
    rows: NDArray[np.intp]
    values: NDArray[np.float64]
    settings: Settings
    seed: int

    def both_answer(self) -> NDArray[np.bool_]:
        """Per query, whether both runs do."""
        sides = np.tile(np.arange(2), (len(self.rows), 1))
        first, second = dealt_serps(self.two, self.rows, sides, names(2))
        pair_outcomes = outcomes(first, second, cutoff=self.source.cutoff, level=self.source.level)
        return pair_outcomes.in_both

    def judged(self, swap: NDArray[np.bool_], *, with_ipso: bool = False) -> VerdictResult:
        """The verdict on the second run where the lists of some queries are exchanged."""
        order = np.where(swap[:, None], [1, 0], [0, 1])
        first, second = dealt_serps(self.two, self.rows, order, names(2))
        dealt = np.take_along_axis(self.values, order, axis=1)
        evidence = pair_evidence(
            self.source, (first, second), dealt, self.settings, seed=self.seed, with_ipso=with_ipso
        )
        return judge([evidence], self.settings.policy)[0]
