"""What `--format json` of every command has: keys that classes declare are taken from them, the others are listed."""

from __future__ import annotations

from typing import Any

from runoff.boards.overfitting import FieldChange, TeamChange
from runoff.boards.power import BoardPower
from runoff.boards.reliability import ReliabilityResult
from runoff.boards.scales import ScaleResult, Witness
from runoff.boards.submissions import SubmissionRule
from runoff.boards.winner import WinnerResult
from runoff.comparisons.break_even import BreakEven
from runoff.comparisons.ipso import IpsoAtDepth, IpsoResult, IpsoTopic
from runoff.comparisons.ipso_theory import IpsoTheoryResult
from runoff.results import audit_tables, board_parts
from runoff.results.calibration import CalibrationRow
from runoff.results.check import CheckedFile, FileCheckResult
from runoff.results.check_messages import Finding
from runoff.results.comparison_tables import IpsoRow
from runoff.results.evaluation import MeansResult, ScoreRow
from runoff.results.ipso_agreement import DepthShares
from runoff.results.multi_comparison import MultiComparison
from runoff.results.records import RecordRow
from runoff.results.systems_table import SystemPairRow, SystemRow, SystemsTable
from runoff.significance import SignificanceResult
from runoff.verbs.reliability import ReliabilityRow
from runoff.verdicts import Facet
from runoff.verdicts.evidence import EvidenceLine, EvidenceResult
from runoff.verdicts.margin_verdict import MarginVerdict
from runoff.verdicts.pair_verdict import VerdictResult
from runoff.verdicts.power import FacetPower
from scripts import judging_shapes
from scripts.json_shapes import Keys, Listed, Named, Shape, keys, maybe, of, optional
from scripts.judging_shapes import COUNTS, REFERENCE, WORDS

NUMBERS = Named(float)

# The parts that several outputs share.
SIDES = keys(champion=str, challenger=str)
VERDICT = keys(
    of(VerdictResult, "overall", "how", "strict", "do_no_harm", "marks"),
    alpha=float,
    correction=str,
    family_size=int,
    sentence=str,
)
FACET = keys(of(Facet, direction="shown", p="raw_p", p_corrected="p"), of(Facet, "difference", "ci95"))
POWER = of(
    FacetPower,
    "kind",
    "test",
    "shown",
    "observed",
    "n",
    "smallest",
    "could_be_seen",
    "sentence",
    needed_queries="needed",
)
DETECTABLE = of(FacetPower, "smallest", needed_queries="needed")
MEASURE_POWER = keys(of(FacetPower, "observed", "difference"), tests=Named(DETECTABLE))
POWERS = optional(level=float, power=float, measure=POWER, more=POWER, sooner=POWER, ipso=POWER)
LINE = keys(
    of(EvidenceLine, "key", "label", "basis", "counts", "strength", "meaning", favours="speaks_for"),
    of(Facet, "direction", "raw_p", "p"),
)
EVIDENCE = keys(
    kind=str,
    favour_challenger=int,
    favour_champion=int,
    cannot_tell=int,
    sentence=str,
    lines=Listed(LINE),
)
FOUND_BY_BOTH = keys(champion=float, challenger=float, signed_rank_p=float, t_p=float)
LEVELS = ("neither", "champion_only", "challenger_only", "both")
OUTCOMES = keys(
    Keys(dict.fromkeys(LEVELS, int)),
    shares=Keys(dict.fromkeys(LEVELS, float)),
    queries_more=keys(champion=int, challenger=int),
    unanswerable=int,
    several_relevant=int,
    binomial_p=float,
    esl=FOUND_BY_BOTH,
    rr=FOUND_BY_BOTH,
    naive=maybe(keys(difference=float, rank_sum_p=float, signed_rank_p=float, t_p=float)),
)
VOTE_END = keys(p=float, favours=maybe(str))
AGAINST = maybe(
    keys(
        of(VerdictResult, "overall", "how", "strict", "do_no_harm", "marks"),
        champion=str,
        difference=float,
        raw_p=NUMBERS,
        p=NUMBERS,
        correction=str,
        family_size=int,
        seen_from=float,
    )
)
RECORD_TEST = maybe(
    keys(p=float, p_corrected=float, plain_p=float, looks=int, method=str, rule=str, level=float, certified=bool)
)
RECORD = keys(
    of(RecordRow, without=("record_test", "against_first", "against_displaced")),
    optional(record_test=RECORD_TEST, against_first=AGAINST, against_displaced=AGAINST),
)

# The outputs.
EVALUATION = keys(
    of(MeansResult, "qrels", "queries", "depth", "tie_rule", "measure_note"),
    runs=Listed(keys(of(ScoreRow, without=("residuals",)), optional(of(ScoreRow, "residuals")))),
)
PER_QUERY = keys(EVALUATION, per_query=Listed(Named(float | str)))

SYSTEMS = optional(
    table=keys(
        of(SystemsTable, "queries", "baselines", "marks", "family_size"),
        test=str,
        alpha=float,
        correction=str,
        systems=Listed(of(SystemRow)),
    ),
    measures=Named(
        keys(
            means=NUMBERS,
            spreads=NUMBERS,
            tests=Listed(of(SystemPairRow)),
            marks=of(SystemsTable, "marks_of").shapes["marks_of"],
        )
    ),
)
COMPARISON = keys(
    SIDES,
    SYSTEMS,
    queries=int,
    missing_queries=maybe(keys(champion=int, challenger=int)),
    depth=maybe(int),
    measure=str,
    measure_note=str,
    means=keys(champion=float, challenger=float, difference=float),
    tests=Named(
        keys(
            of(SignificanceResult, "statistic", "p", "effect", "effect_name", "effect_ci95", "n"),
            permitted=maybe(bool),
        )
    ),
    outcomes=maybe(OUTCOMES),
    facets=keys(optional(measure=FACET, more=FACET, sooner=FACET)),
    ipso=maybe(
        keys(of(IpsoRow, without=("sign_p_ends",)), sign_p_ends=Listed(keys(VOTE_END, champion=int, challenger=int)))
    ),
    verdict=VERDICT,
    break_even=Listed(of(BreakEven, "results", "ci95")),
    resolution=keys(POWERS, optional(measures=Named(MEASURE_POWER))),
    equivalence=maybe(
        keys(
            margin=float,
            difference=float,
            difference_ci90=tuple[float, float],
            no_worse_p=float,
            no_better_p=float,
            p=float,
            verdict=of(MarginVerdict, "kind").shapes["kind"],
            seen_margin=float,
            sentence=str,
        )
    ),
    evidence=maybe(EVIDENCE),
    remarks=WORDS,
)
COMPARISONS = keys(
    SYSTEMS, of(MultiComparison, "champion"), correction=str, family_size=int, challengers=Listed(COMPARISON)
)
EVIDENCE_TABLE = keys(SIDES, EVIDENCE, resolution=POWERS)
PAIRS_EVIDENCE = keys(
    title=str,
    measure=str,
    which=str,
    remarks=WORDS,
    pairs=Listed(keys(of(EvidenceResult, "champion", "challenger"), EVIDENCE, seen_from=float)),
)
RESOLUTION = keys(
    about=str,
    queries=int,
    level=float,
    power=float,
    measures=Listed(keys(MEASURE_POWER, challenger=maybe(str), measure=str)),
    votes=Listed(keys(of(FacetPower, "n", "observed"), DETECTABLE, challenger=maybe(str), facet=str)),
)

BOARD = keys(
    optional(metadata=Named(Named(Any))),
    title=str,
    measure=str,
    measure_note=str,
    queries=int,
    trials=int,
    seed=int,
    order=str,
    alpha=float,
    correction=str,
    record_rule=str,
    tie_rule=maybe(str),
    runs=Listed(
        keys(
            of(board_parts.BoardRow, without=("rank_probabilities", "costs", "frontier")),
            optional(of(board_parts.BoardRow, "costs", "frontier")),
        )
    ),
    winner=maybe(of(WinnerResult, "run", "names", "score", "optimism", "corrected", "ci95", "is_rough")),
    resolution=maybe(
        keys(
            of(BoardPower, "level", "power", "pairs", "smallest", "first", "second", "gap", "gap_smallest"),
            of(BoardPower, gap_needed_queries="gap_needed"),
            test=str,
            smallest_range=tuple[float, float],
        )
    ),
    rank_probabilities=Named(Listed(float)),
    history=Listed(RECORD),
)
PUBLISHED = keys(
    title=str,
    measure=str,
    query_set=str,
    runs=Listed(keys(run=str, team=str, date=maybe(str), baseline=bool, mean=float)),
    history=Listed(RECORD),
)
STABILITY = keys(
    measure=str,
    queries=int,
    trials=int,
    seed=int,
    rank_probabilities=Named(Listed(float)),
    expected_ranks=NUMBERS,
    beats=Named(NUMBERS),
)
INTERVAL_BOARD = keys(
    measure=str,
    queries=int,
    trials=int,
    seed=int,
    leaders=keys(measure=str, interval_scaled=str),
    tau=float,
    tau_reference=REFERENCE,
    runs=Listed(of(board_parts.IntervalRow)),
)

TAU = keys(of(audit_tables.TauRow), reference=REFERENCE)
AUDIT = keys(
    title=str,
    measure=str,
    trials=int,
    seed=int,
    findings=WORDS,
    conditions=Listed(of(audit_tables.ConditionRow)),
    left_out=Listed(keys(query_set=str, labels=str)),
    runs=Listed(of(audit_tables.RunRow)),
    taus=Listed(TAU),
    submissions=keys(rule=of(SubmissionRule), teams=Listed(of(audit_tables.TeamRow)), unchecked=WORDS),
    violations=Listed(of(audit_tables.ViolationRow)),
    near_duplicates=maybe(keys(depth=int, threshold=float, runs=int, pairs=Listed(of(audit_tables.DuplicateRow)))),
    overfitting=maybe(
        keys(
            public=str,
            private=str,
            labels=str,
            public_queries=int,
            private_queries=int,
            in_both=int,
            too_few=int,
            alpha=float,
            correction=str,
            family_size=int,
            alarms=int,
            teams=Listed(keys(of(TeamChange), p_corrected=float, alarm=bool, sentence=str)),
            field=Listed(of(FieldChange)),
        )
    ),
    published=Listed(of(TeamChange)),
)

RELIABILITY = keys(
    of(ReliabilityResult, "measure", "queries", "runs", "pairs", "splits", "seed", alpha="level"),
    measure_note=str,
    missing_queries=COUNTS,
    tests=Listed(of(ReliabilityRow)),
)
CALIBRATION = keys(
    measure=str,
    measure_note=str,
    source=keys(queries=int, runs=int),
    queries=Listed(int),
    boards=int,
    alpha=float,
    trials=int,
    runs=int,
    seed=int,
    not_refuted=bool,
    left_out=WORDS,
    lines=Listed(of(CalibrationRow)),
)

IPSO = keys(
    of(IpsoResult, "first", "second", "topics", "unanswerable", "depth", "sign_p", "sign_p_range", "highest_sign_p"),
    missing_queries=COUNTS,
    groups=Keys(dict.fromkeys(("nonseparable_ns", "ns", "equal", "ni", "nonseparable_ni"), int)),
    sign_p_ends=Listed(keys(VOTE_END, first=int, second=int)),
    remarks=WORDS,
    by_depth=Listed(of(IpsoAtDepth)),
    per_topic=Listed(keys(of(IpsoTopic), differences=NUMBERS)),
)
IPSO_PAIRS = keys(
    title=str,
    runs=WORDS,
    topics=int,
    unanswerable=int,
    missing_queries=COUNTS,
    pair_count=int,
    alpha=float,
    correction=str,
    family=maybe(str),
    gains=maybe(Listed(float)),
    level=maybe(int),
    remarks=WORDS,
    depths=Listed(int),
    shares=Listed(keys(of(DepthShares, without=("theory",)), ipso_yes=float, theory=of(IpsoTheoryResult))),
    agreement=Listed(
        keys(
            Keys(dict.fromkeys(("both_yes", "both_no", "measure_only", "ipso_only", "opposite"), float)),
            depth=int,
            measure=str,
            test=str,
        )
    ),
    orders=Listed(keys(depth=int, measure=str, runs=WORDS, means=Listed(float))),
    pairs=Listed(
        keys(
            of(IpsoAtDepth),
            first=str,
            second=str,
            tests=Listed(keys(measure=str, test=str, difference=float, p=float, favours=maybe(str), agreement=str)),
        )
    ),
)
IPSO_THEORY = keys(of(IpsoTheoryResult), optional(orders=Listed(keys(rows=str, columns=str, tau=float))))

ANSWERS = keys(
    answers=Listed(keys(section=str, question=str, answer=str, sentence=str)),
    doubts=Listed(keys(section=str, sentence=str)),
    files=Listed(keys(role=str, path=str, size=int, sha256=str)),
    settings=Named(str),
    versions=Named(str),
    command=str,
)
REPORT = keys(ANSWERS, BOARD, verdict=keys(kind=str, leader=str, tied=WORDS, not_worse=WORDS, sentence=str))
RANKS = maybe(tuple[int, int])
SUBMISSION = keys(
    run=str,
    team=str,
    date=maybe(str),
    measure=str,
    fine=bool,
    problems=WORDS,
    rank=maybe(int),
    runs=maybe(int),
    rank_interval=RANKS,
    rank_set=RANKS,
    mean=float,
    ci95=maybe(tuple[float, float]),
    p_first=float,
    record=maybe(str),
    margin=float,
    verdict=maybe(VERDICT),
    seen_from=float,
    missing_queries=int,
    violations=WORDS,
    near_duplicates=WORDS,
)
SCALE = keys(
    of(ScaleResult, "depth", "grades", "relevant", "states", "undefined"),
    measure=str,
    equispaced=bool,
    values=Listed(keys(value=float, interval_value=float, serp=Listed(int))),
    witnesses=Listed(of(Witness)),
)
CHECK = keys(
    of(FileCheckResult, "qrels", "depth"),
    errors=int,
    warnings=int,
    files=Listed(
        keys(
            of(CheckedFile, "file", "kind", "format", "lines", "problem_count"),
            problems=Listed(of(Finding)),
            warnings=Listed(of(Finding)),
        )
    ),
)
DEMO = keys(
    folder=str,
    seed=int,
    public_queries=int,
    private_queries=int,
    planted=Listed(keys(key=str, who=str, story=str, found=bool, evidence=str, numbers=NUMBERS)),
    besides=WORDS,
    labels=keys(label_best=float, winner_best=float),
    runs=Listed(
        keys(
            of(board_parts.BoardRow, "run", "team", "mean", "rank_interval", "rank_set"),
            rank=int,
            rank_private=int,
            true_mean=float,
            true_rank=int,
        )
    ),
)
SMALL_DEMO = keys(EVALUATION, folder=str, seed=int, truth=NUMBERS)

OUTPUTS: dict[str, dict[str, Shape]] = {
    "demo": {"the demo": DEMO, "with --small": SMALL_DEMO},
    "check": {"": CHECK},
    "evaluate": {"means": EVALUATION, "with --per-query": PER_QUERY},
    "compare": {
        "one challenger": COMPARISON,
        "several challengers": COMPARISONS,
        "one challenger with --evidence": EVIDENCE_TABLE,
        "several challengers with --evidence": PAIRS_EVIDENCE,
        "with --resolution": RESOLUTION,
    },
    "board": {
        "the board": BOARD,
        "published means": PUBLISHED,
        "with --rank-table": STABILITY,
        "with --interval-scaled": INTERVAL_BOARD,
        "with --evidence": PAIRS_EVIDENCE,
        "with --resolution": RESOLUTION,
    },
    "audit": {"": AUDIT},
    "reliability": {"": RELIABILITY},
    "calibrate": {"": CALIBRATION},
    "ipso": {"two runs": IPSO, "several runs": IPSO_PAIRS, "with --theory": IPSO_THEORY},
    "report": {
        "a report": REPORT,
        "published means": keys(ANSWERS, PUBLISHED),
        "with --submission": SUBMISSION,
    },
    "scale": {"": SCALE},
    **judging_shapes.OUTPUTS,
}
"""By command, what it writes: a shape for each thing that it can be asked."""
