"""What `--format json` of the commands about judging has."""

from __future__ import annotations

from typing import Literal

from runoff.boards.kendall import HalfReference, NoReference, SplitReference
from runoff.preferences.agreement import JudgmentAgreement
from runoff.preferences.better_than_perfect import Category
from runoff.preferences.impact import ImpactResult, LeftOut
from runoff.preferences.order_agreement import RunOrder
from runoff.preferences.pairs import PreferredShare
from runoff.preferences.quality import PairTimes, QualityResult
from runoff.preferences.win_ratios import JudgeError
from runoff.tables.preferences import JudgmentFile
from runoff.verbs._label_changes import RunChange
from scripts.json_shapes import Either, Listed, Named, Shape, keys, maybe, of, optional

COUNTS = Named(int)
WORDS = Listed(str)
REFERENCE = maybe(
    Either(
        tuple(
            keys(of(kind), kind=Literal[name])
            for name, kind in (("splits", SplitReference), ("halves", HalfReference), ("none", NoReference))
        )
    )
)

POOL = keys(
    runs=WORDS,
    depth=int,
    queries=int,
    documents=int,
    sizes=COUNTS,
    pairs=int,
    tasks=int,
    cost=float,
    missing_queries=COUNTS,
    seed=int,
    sample=maybe(keys(queries=WORDS, pairs=int, tasks=int, cost=float, tau=float, same_order=maybe(bool))),
)
ONE_PAIR_POOL = keys(run=str, queries=int, a=int, b=int, no_second=int, no_top=int, pairs=int, tasks=int, cost=float)
TASKS = keys(
    tasks=int,
    pairs=int,
    test_pairs=int,
    left_out=int,
    cost=float,
    seed=int,
    task_ids=WORDS,
    files=Listed(keys(what=str, file=str)),
)

CATEGORY = keys(of(Category, without=("preferred",)), of(PreferredShare))
CATEGORIES = keys(run=str, a=CATEGORY, b=CATEGORY, no_top=int)
INTERVAL = tuple[float, float]
CELL = keys(
    optional(corrected=keys(ratio=float, ci95=INTERVAL)),
    column=str,
    row=str,
    ratio=float,
    ci95=INTERVAL,
    queries=int,
    wins=int,
    losses=int,
    even=int,
    unjudged=int,
    p=float,
    significant=bool,
)
RANKED = keys(mean=float, ci95=INTERVAL, rank=float)
IMPACT = keys(
    of(ImpactResult, "measure", "queries", "unlabelled", "tau"),
    tau_reference=REFERENCE,
    perfect_ranking=keys(mean=float, ci95=INTERVAL, original=float),
    runs=Listed(keys(run=str, original=RANKED, preference=RANKED, left_out=maybe(of(LeftOut, without=("run",))))),
)
TALLY = keys(
    queries=int,
    judgments=int,
    findings=WORDS,
    files=Listed(of(JudgmentFile)),
    quality=of(QualityResult, without=("kept",)),
    agreement=of(JudgmentAgreement, without=("judgments", "assessors")),
    side_bias=of(PreferredShare),
    timing=keys(of(PairTimes, "timed", "median", "too_fast"), below=float),
    missing_queries=maybe(COUNTS),
    win_ratios=maybe(Named(Named(float))),
    wins=maybe(COUNTS),
    significant=maybe(Listed(keys(run=str, against=str, ratio=float, wins=int, losses=int, p=float))),
    win_ratio_cells=maybe(Listed(CELL)),
    pooled=maybe(Named(bool)),
    one_pair=maybe(
        keys(
            CATEGORIES,
            judge_error=keys(of(JudgeError, "error", "ci95"), queries=int),
            b_corrected=keys(share=float, ci95=INTERVAL),
        )
    ),
    order=maybe(Listed(of(RunOrder))),
    preference_qrels=Named(WORDS),
    cycles=WORDS,
    even=WORDS,
    bradley_terry=maybe(keys(differing=WORDS)),
    better_than_perfect=maybe(Listed(CATEGORIES)),
    impact=maybe(IMPACT),
)

LABELS = keys(version=int, parent=str, judgments=WORDS)
REPLACED = Listed(keys(query=str, old=WORDS, new=WORDS))
MAINTAIN = keys(
    LABELS,
    queries=int,
    rows=int,
    keeps_grades=bool,
    single_answers=bool,
    replaced=REPLACED,
    rings=WORDS,
    runs=Listed(
        keys(
            run=str,
            pairs=Listed(tuple[str, str, str]),
            known=int,
            compared=int,
            no_top=int,
            missing_queries=int,
        )
    ),
    pairs=int,
    tasks=int,
    cost=float,
)
SEQUENTIAL = keys(
    LABELS,
    queries=int,
    final=int,
    due=Listed(keys(query=str, candidate=str, best=str, judgments=int)),
    replaced=REPLACED,
    used=int,
    full_pairing=int,
    plan=keys(keep_lead=int, replace_lead=int, most_judgments=int),
)
LABEL_CHANGES = keys(
    old_version=int,
    new_version=int,
    is_child=bool,
    measure=str,
    measure_note=str,
    queries=int,
    changed=WORDS,
    relabelled=WORDS,
    added=int,
    removed=int,
    leader=str,
    tau=float,
    tau_reference=REFERENCE,
    runs=Listed(of(RunChange)),
)

OUTPUTS: dict[str, dict[str, Shape]] = {
    "pool": {"pools": POOL, "with --one-pair": ONE_PAIR_POOL},
    "tasks": {"": TASKS},
    "tally": {"": TALLY},
    "maintain": {
        "labels and judgments": MAINTAIN,
        "with --sequential": SEQUENTIAL,
        "with --old and --new": LABEL_CHANGES,
    },
}
