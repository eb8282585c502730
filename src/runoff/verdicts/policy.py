"""The policy: every choice that turns numbers into a decision, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, fields

from runoff.arguments import checks_arguments
from runoff.choices import (
    EslTest,
    PolicyCorrection,
    RecordRule,
    SoonerBy,
)
from runoff.errors import UsageError
from runoff.significance import BY_NAME
from runoff.significance.corrections import CORRECTION_LABELS
from runoff.tables.settings import SETTINGS, BoardSettings


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class Policy:
    """How verdicts are decided.

    alpha         the level: a p-value below it is significant
    correction    how the p-values of all facets of all challengers are corrected together
    esl_test      the test of who finds sooner: `signed_rank` or `t`
    sooner        what it compares: mean ranks of what both find, or mean reciprocal ranks
    measure_test  the test of the chosen measure
    margin        a difference of means that does not matter, for "no worse" and "as good"; None: neither is asked
    record_rule   how the error over all records of a history is kept: `certify_records` says what each does

    >>> Policy().alpha, Policy().correction
    (0.05, 'holm')
    """

    alpha: float = 0.05
    correction: PolicyCorrection = "holm"
    esl_test: EslTest = "signed_rank"
    sooner: SoonerBy = "ranks"
    measure_test: str = "t"
    margin: float | None = None
    record_rule: RecordRule = "fallback"

    @classmethod
    def of(cls, settings: BoardSettings) -> Policy:
        """How verdicts are decided on a board: every setting of the board that is also a choice of the policy.

        >>> Policy.of(BoardSettings(title="t", measure="RR@10", alpha=0.01)).alpha
        0.01
        """
        shared = [item.name for item in fields(cls) if item.name in SETTINGS]
        return cls(**{name: getattr(settings, name) for name in shared})

    @property
    def measure_label(self) -> str:
        """The test of the measure as people write it."""
        return BY_NAME[self.measure_test].label

    @property
    def correction_label(self) -> str:
        """The correction as people write it."""
        return CORRECTION_LABELS.get(self.correction, self.correction)

    def level_of(self, tests: int) -> float:
        """The hardest level of one of some p-values that are corrected together: alpha divided by their number.

        >>> Policy().level_of(5), Policy(correction="none").level_of(5)
        (0.01, 0.05)
        """
        return self.alpha if self.correction == "none" else self.alpha / max(tests, 1)

    def __post_init__(self) -> None:
        alpha, margin, test = self.alpha, self.margin, self.measure_test
        if not 0.0 < alpha < 1.0:
            raise UsageError(f"alpha={alpha!r} cannot be used; expected a level between 0 and 1; write alpha=0.05")
        if margin is not None and not 0.0 < margin < float("inf"):
            raise UsageError(f"margin={margin!r} cannot be used; expected a difference above 0; write margin=0.01")
        if test not in BY_NAME:
            raise UsageError(f"measure_test={test!r} is unknown; expected one of {', '.join(BY_NAME)}; choose one")
