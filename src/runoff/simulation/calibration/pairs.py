"""Statements about two runs, calibrated: tests, margins, intervals, power, verdicts and lines of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import FacetMeans, IpsoResult, ipso, outcome_tests, outcomes, recall_paired_tests
from runoff.errors import UsageError
from runoff.significance import SIGNIFICANCE_TESTS, equivalence, find_significance_test
from runoff.significance.power import POWER, student_factor
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed, promises
from runoff.simulation.calibration._source import SAME, Source, dealt_serps, names, swapped, tilted_weights
from runoff.tables.serps import Serps
from runoff.verdicts import MoreEvidence, PairEvidence, VerdictResult, evidence_of, judge


def _test_labels() -> dict[str, str]:
    return {test.name: test.name.replace("_", " ") for test in SIGNIFICANCE_TESTS}


def _significant(values: NDArray[np.float64], seed: int, settings: Settings) -> dict[str, bool]:
    """Which significance tests are, of two runs; values are queries x 2."""
    return {
        test.name: test.compare(*values.T, seed=seed, trials=settings.trials).p < settings.policy.alpha
        for test in SIGNIFICANCE_TESTS
    }


class ScoreTests(Quantity):
    """How often each test is significant where nothing differs.

    Two runs of the data; in each query their scores are exchanged with chance one half. So both have the same
    distribution and any dependence, which is the null hypothesis of every test.
    """

    name = "tests"
    title = "Tests of two runs that are the same"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per test."""
        return promises("at most", settings.policy.alpha, _test_labels())

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each test is significant on one pair."""
        rows, pair = source.rows(queries, rng), source.pair(rng)
        values, _ = swapped(source.values[np.ix_(rows, pair)], rng)
        return _significant(values, drawn_seed(rng), settings)


TRIES: Final = 20
OF_MEANS: Final = ("t", "randomization", "bootstrap")
"""The tests that are about means; the others ask something else, which need not be so where means are equal."""


class UnequalShapes(Quantity):
    """How often each test is significant where the means are the same but gains are not the mirror of losses.

    Queries are drawn with the weights under which the two means are equal (`tilted_weights`). One run may win many
    queries by little and lose few by much: equal means, and a rank test that says otherwise is right by its own lights.
    """

    name = "shapes"
    title = "Tests of two runs with the same mean, as skewed as the data"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per test."""
        lines = promises("at most", settings.policy.alpha, _test_labels())
        return [replace(line, promised=line.key in OF_MEANS) for line in lines]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each test is significant on one pair."""
        for _ in range(TRIES):
            pair = source.values[:, source.pair(rng)]
            weights = tilted_weights(pair[:, 1] - pair[:, 0])
            if weights is not None:
                break
        else:
            return {}
        values = pair[rng.choice(len(pair), size=queries, p=weights)]
        return _significant(values, drawn_seed(rng), settings)


class Margins(Quantity):
    """How often a run is called no worse that is worse by the whole margin.

    The scores of two runs are exchanged with chance one quarter, so half of their difference is left; that half is the
    margin.
    """

    name = "margins"
    title = "A run that is worse by the margin"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """Both statements."""
        labels = {"no_worse": "called no worse", "equivalent": "called as good"}
        return promises("at most", settings.policy.alpha, labels)

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What is said of one pair."""
        pair = source.values[:, source.pair(rng)]
        if pair[:, 1].mean() > pair[:, 0].mean():
            pair = pair[:, ::-1]
        margin = float((pair[:, 0] - pair[:, 1]).mean()) / 2
        if margin <= SAME:
            return {}
        values, _ = swapped(pair[source.rows(queries, rng)], rng, 0.25)
        result = equivalence(*values.T, margin=margin)
        alpha = settings.policy.alpha
        return {"no_worse": result.no_worse_p < alpha, "equivalent": result.p < alpha}


WITH_INTERVAL: Final = ("t", "bootstrap")


class DifferenceIntervals(Quantity):
    """How often the 95% interval of a difference holds the true one: that of two runs over all queries of the data."""

    name = "differences"
    title = "95% intervals of the difference of two means"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per test whose effect is the mean difference and whose interval is its own."""
        del settings
        return promises("at least", 0.95, {name: name for name in WITH_INTERVAL})

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether the intervals of one pair hold the truth."""
        pair = source.values[:, source.pair(rng)]
        truth = float((pair[:, 1] - pair[:, 0]).mean())
        values = pair[source.rows(queries, rng)]
        seed = drawn_seed(rng)
        covered = {}
        for name in WITH_INTERVAL:
            low, high = find_significance_test(name).compare(*values.T, seed=seed, trials=settings.trials).effect_ci95
            covered[name] = low <= truth <= high
        return covered


class Detection(Quantity):
    """How often each test finds a difference that is just as large as the t test's resolution with these queries.

        the scores of two runs are exchanged with chance s:  difference (1 - 2 s) m, mean square as in the data
        s is such that the difference is f x sd / sqrt(n), f = student_factor(n, alpha, 0.8)

    The t test has been promised 80%; the others show what they can do with the same difference, which is not the one
    that `score_powers` promises 80% of them for: that promise is about differences that come about in another
    way, and tests/significance/test_power_by_test.py holds it to account.
    """

    name = "power"
    title = "Power at the smallest difference that a t test is promised to find with 80%"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The promise, and the power of the other tests."""
        del settings
        others = {name: f"{label}, at the same difference" for name, label in _test_labels().items() if name != "t"}
        return [
            *promises("at least", POWER, {"t": "t (the resolution's promise)"}),
            *promises("none", None, others, promised=False),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each test finds the better run of one pair."""
        alpha = settings.policy.alpha
        factor = student_factor(queries, alpha, POWER) ** 2
        leads, squares = source.leads.T
        wanted = np.sqrt(factor * squares / (queries + factor))
        enough = np.flatnonzero(np.abs(leads) >= wanted)
        if not len(enough):
            return {}
        place = int(enough[rng.integers(len(enough))])
        pair = source.pairs[place] if leads[place] > 0.0 else source.pairs[place][::-1]
        chance = (1.0 - wanted[place] / abs(leads[place])) / 2
        values, _ = swapped(source.values[np.ix_(source.rows(queries, rng), pair)], rng, chance)
        seed = drawn_seed(rng)
        results = [test.compare(*values.T, seed=seed, trials=settings.trials) for test in SIGNIFICANCE_TESTS]
        return {result.name: result.p < alpha and result.favours > 0 for result in results}


def _pair_evidence(
    source: Source,
    serps: tuple[Serps, Serps],
    values: NDArray[np.float64],
    settings: Settings,
    *,
    seed: int,
    with_ipso: bool = True,
) -> PairEvidence:
    """Means, test, outcomes and IPSO of a champion and a challenger; values are queries x 2."""
    pair_outcomes = outcomes(*serps, cutoff=source.cutoff, level=source.level)
    test = find_significance_test(settings.policy.measure_test)
    means = values.mean(axis=0)
    return PairEvidence(
        champion=serps[0].run,
        challenger=serps[1].run,
        queries=len(values),
        measure=source.scores.measure,
        means=FacetMeans(champion=float(means[0]), challenger=float(means[1])),
        best_is_low=False,
        test=test.compare(*values.T, seed=seed, trials=settings.trials),
        outcomes=pair_outcomes,
        outcome_tests=outcome_tests(pair_outcomes),
        ipso=_ipso(source, serps) if with_ipso else None,
    )


def _ipso(source: Source, serps: tuple[Serps, Serps]) -> IpsoResult | None:
    """The ordering; None for graded labels without gains, where a comparison leaves it out too."""
    depth = source.cutoff or serps[0].depth
    try:
        level = source.level if source.gains is None and source.level > 1 else None
        return ipso(*serps, depth=depth, gains=source.gains, level=level)
    except UsageError:
        return None


FAMILY: Final = 4


class PairVerdicts(Quantity):
    """How often a challenger is called better that is not.

    same        the lists of the two runs are exchanged with chance one half in each query
    only one    exchanged only where both find a document, so that no run is sooner; or only where not both do, so that
                with one relevant document per query no run finds more: one facet is as in the data, and strict needs
                both
    family      several challengers and a champion, their lists dealt out again in each query
    """

    name = "verdicts"
    title = "Verdicts on a challenger that is no better"
    needs_serps = True

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The verdicts, then the marks, then the family."""
        labels = {
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
        return promises("at most", settings.policy.alpha, labels)

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
            _pair_evidence(
                source, (lists[0], lists[place]), values[:, [0, place]], settings, seed=seed, with_ipso=False
            )
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
        evidence = _pair_evidence(
            self.source, (first, second), dealt, self.settings, seed=self.seed, with_ipso=with_ipso
        )
        return judge([evidence], self.settings.policy)[0]


LINE_TESTS: Final = ("t", "signed_rank", "sign", "bootstrap")
LINES: Final = {
    "t": "t test",
    "signed_rank": "signed rank test",
    "sign": "sign test",
    "bootstrap": "bootstrap",
    "more": "finds more",
    "sooner": "finds sooner",
    "ipso": "IPSO",
    "rpp": "recall-paired preference",
    "lexicographic_precision": "lexicographic precision",
    "lexicographic_recall": "lexicographic recall",
}


class EvidenceTable(Quantity):
    """How often each line of evidence favours one of two runs that are the same."""

    name = "evidence"
    title = "Lines of evidence that favour one of two runs that are the same"
    needs_serps = True

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per line of evidence, and any of them."""
        level = settings.policy.alpha
        anything = {"any": "any of the lines, which are not corrected"}
        return [*promises("at most", level, LINES), *promises("at most", level, anything, promised=False)]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Which lines speak on one pair."""
        serps = source.serps
        if serps is None:
            return {}
        pair, rows, seed = source.pair(rng), source.rows(queries, rng), drawn_seed(rng)
        order = np.where((rng.random(queries) < 0.5)[:, None], [1, 0], [0, 1])
        first, second = dealt_serps([serps[place] for place in pair], rows, order, names(2))
        values = np.take_along_axis(source.values[np.ix_(rows, pair)], order, axis=1)
        evidence = _pair_evidence(source, (first, second), values, settings, seed=seed)
        tests = [
            find_significance_test(name).compare(*values.T, seed=seed, trials=settings.trials) for name in LINE_TESTS
        ]
        more = MoreEvidence(recall_paired=recall_paired_tests(first, second, level=source.level))
        table = evidence_of(evidence, tests, settings.policy, more)
        seen = {line.key: line.speaks_for is not None for line in table.lines}
        return {**seen, "any": any(seen.values())}
