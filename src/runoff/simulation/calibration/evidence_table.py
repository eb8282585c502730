"""The lines of the evidence table on two runs that are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np

from runoff.comparisons import recall_paired, recall_paired_tests
from runoff.significance import find_significance_test
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings, drawn_seed
from runoff.simulation.calibration._pair_evidence import pair_evidence
from runoff.simulation.calibration._source import Source, dealt_serps, names
from runoff.verdicts import MoreEvidence, evidence_of

TESTS: Final = ("t", "signed_rank", "sign", "bootstrap")
LABELS: Final = {
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
    """How often each line of evidence speaks for one of two runs that are the same."""

    name: ClassVar[str] = "evidence"
    title: ClassVar[str] = "Lines of evidence that favour one of two runs that are the same"
    needs_serps: ClassVar[bool] = True

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per line of evidence, and any of them."""
        level = settings.policy.alpha
        return [
            *(Promise(key=key, label=label, kind="at most", level=level) for key, label in LABELS.items()),
            Promise(
                key="any",
                label="any of the lines, which are not corrected",
                kind="at most",
                level=level,
                promised=False,
            ),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Which lines speak on one pair."""
        serps = source.serps
        if serps is None:
            return {}
        pair, rows, seed = source.pair(rng), source.rows(queries, rng), drawn_seed(rng)
        order = np.where((rng.random(queries) < 0.5)[:, None], [1, 0], [0, 1])
        first, second = dealt_serps([serps[place] for place in pair], rows, order, names(2))
        values = np.take_along_axis(source.values[np.ix_(rows, pair)], order, axis=1)
        evidence = pair_evidence(source, (first, second), values, settings, seed=seed)
        tests = [find_significance_test(name).compare(*values.T, seed=seed, trials=settings.trials) for name in TESTS]
        more = MoreEvidence(recall_paired=recall_paired_tests(recall_paired(first, second, level=source.level)))
        table = evidence_of(evidence, tests, settings.policy, more)
        seen = {line.key: line.speaks_for is not None for line in table.lines}
        return {**seen, "any": any(seen.values())}
