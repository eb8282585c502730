"""The parts of a tally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from runoff.preferences import (
    BetterThanPerfectResult,
    BradleyTerryResult,
    CorrectedRatios,
    Exclude,
    ImpactResult,
    JudgmentAgreement,
    PairingsResult,
    QualityResult,
    RunOrder,
    SideBiasResult,
    TimingResult,
    TournamentResult,
    WinRatiosResult,
)
from runoff.results.fit import Fit
from runoff.tables.preferences import JudgmentFile, Preferences
from runoff.tables.tasks import Tasks
from runoff.verdicts import Policy
from runoff.verdicts.preference_verdicts import WinRatioMarks

DEPTH: Final = 10
"""Ranks of a run that are looked at."""


@dataclass(frozen=True, kw_only=True)
class TallyOptions:
    """What is looked at.

    exclude             what a failed test pair discards: that task's judgments, or all of the assessor
    assessors_per_task  how many assessors should do each task well; None: the most who did one task well
    too_fast            judgments that took fewer seconds are counted as too fast
    bradley_terry       whether to ask that model too; None: if it is installed and there are 1,000 queries at most
    policy              the level of the win ratios; the correction is Bonferroni's, as in the paper
    trials, seed        bootstrap samples of the queries
    """

    exclude: Exclude = "task"
    assessors_per_task: int | None = None
    too_fast: float = 2.0
    bradley_terry: bool | None = None
    policy: Policy = field(default_factory=Policy)
    trials: int = 1000
    seed: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class PreferenceBoard:
    """What judgments say about runs; without qrels there is neither a perfect ranking nor an impact.

    order      whether each run, and the perfect ranking, orders judged pairs as assessors prefer
    one_pair   categories A and B of one run over all queries of the labels; None if it was not asked for
    corrected  the win ratios corrected for the error of judges that its category A implies
    shares     by run, the share of category B corrected for that error; one_pair_share: that of the one run
    fits       which of the judged queries the runs lack
    """

    ratios: WinRatiosResult
    marks: WinRatioMarks
    better_than_perfect: tuple[BetterThanPerfectResult, ...]
    order: tuple[RunOrder, ...]
    impact: ImpactResult | None
    one_pair: BetterThanPerfectResult | None = None
    corrected: CorrectedRatios | None = None
    shares: Mapping[str, CorrectedRatios] = field(default_factory=dict)
    one_pair_share: CorrectedRatios | None = None
    fits: tuple[Fit, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class TallyParts:
    """A tally of judgments.

    files           what every file brought
    table           all judgments, test pairs among them; quality.kept: those that count
    tournament      the best documents of each query; second_opinion: Bradley-Terry's, None if it was not asked
    pairings        how often the original labels win, and new_pairings: the preference qrels
    board           what it means for runs; None without any
    """

    question: TallyOptions
    files: tuple[JudgmentFile, ...]
    table: Preferences
    tasks: Tasks | None
    quality: QualityResult
    agreement: JudgmentAgreement
    sides: SideBiasResult
    timing: TimingResult
    tournament: TournamentResult
    second_opinion: BradleyTerryResult | None
    pairings: PairingsResult | None
    new_pairings: PairingsResult
    board: PreferenceBoard | None
