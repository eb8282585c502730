"""The policy: every choice that turns numbers into a decision, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, fields

from runoff.arguments import checks_arguments
from runoff.choices import (
    ESL_TESTS,
    POLICY_CORRECTIONS,
    RECORD_RULES,
    SOONER_BY,
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
        alpha: object = self.alpha
        if not isinstance(alpha, (int, float)) or isinstance(alpha, bool) or not 0.0 < alpha < 1.0:
            raise UsageError(f"alpha={alpha!r} cannot be used; expected a level between 0 and 1; write alpha=0.05")
        margin: object = self.margin
        if margin is not None and not (isinstance(margin, (int, float)) and 0.0 < margin < float("inf")):
            raise UsageError(f"margin={margin!r} cannot be used; expected a difference above 0; write margin=0.01")
        for name, value, allowed in (
            ("correction", self.correction, POLICY_CORRECTIONS),
            ("esl_test", self.esl_test, ESL_TESTS),
            ("sooner", self.sooner, SOONER_BY),
            ("measure_test", self.measure_test, tuple(BY_NAME)),
            ("record_rule", self.record_rule, RECORD_RULES),
        ):
            if value not in allowed:
                raise UsageError(f"{name}={value!r} is unknown; expected one of {', '.join(allowed)}; choose one")
