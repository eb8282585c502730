"""The verdict: whether the leader is ahead, which runs could be the best, and what the newest record is worth."""

from __future__ import annotations

from typing import Final

from runoff.phrases import counted, listed
from runoff.reports.sections._base import Content, Fact, ReportInputs, Section

ANSWERS: Final = {"alone": "only one run", "clear": "a clear leader", "shared": "no clear winner"}
RECORDS: Final = {
    "better": "is significantly better than {}, the record before it",
    "worse": "is significantly worse than {}, the record before it, although its mean is not",
    "trade-off": "is a trade-off against {}, the record before it: ahead in one way, behind in another",
    "inconclusive": "is not significantly better than {}, the record before it",
}


def _content(inputs: ReportInputs) -> Content:
    ranks, lead = inputs.ranks, inputs.lead
    place = ranks.order[0]
    run = next(run for run in inputs.runs if run.name == lead.leader)
    low, high = ranks.mean_ci95[place].tolist()
    about = ", ".join(part for part in (run.team, run.date.isoformat() if run.date else "") if part)
    facts = [
        Fact(name="Leaders", value=listed((lead.leader, *lead.tied), most=3), more="the same mean")
        if lead.tied
        else Fact(name="Leader", value=lead.leader, more=about),
        Fact(
            name=f"Mean {ranks.measure}",
            value=f"{float(ranks.means[place]):.4f}",
            more=f"95% interval {low:.4f} to {high:.4f}",
        ),
    ]
    if lead.others:
        facts += [
            Fact(
                name="Not significantly worse",
                value=f"{sum(name not in lead.tied for name in lead.not_worse):,}",
                more=f"of {counted(lead.others - len(lead.tied), 'other run')}",
            ),
            Fact(
                name="First again",
                value=f"{float(ranks.p_first[place]):.1%}",
                more=f"{'each, ' if lead.tied else ''}of {ranks.trials:,} bootstrap samples",
            ),
        ]
    return Content(
        answer=ANSWERS[lead.kind] if lead.holds else f"{ANSWERS[lead.kind]}, with doubts",
        sentence=lead.sentence,
        facts=tuple(facts),
        paragraphs=_newest_record(inputs),
    )


def _newest_record(inputs: ReportInputs) -> tuple[str, ...]:
    """What the newest record is worth; nothing where runs have no dates."""
    records = inputs.board.records
    if records is None or not records.against_displaced:
        return ()
    last = records.against_displaced[-1]
    return (f"The newest record, {last.challenger}, {RECORDS[last.outcome].format(last.champion)}.",)


VERDICT: Final = Section(
    name="verdict",
    label="Verdict",
    question="What is the verdict?",
    method=(
        (
            "A board is in the order of the means, but a higher mean can be luck. So all pairs of runs are compared on "
            "the same queries at once, and a run counts as worse than the leader only if that comparison shows it, "
            "allowing for the leader having been picked after looking."
        ),
        (
            "The possible ranks of a run, the runs that could be the best and the groups follow from the same "
            "decisions, so they cannot contradict each other: the chance that any of them is wrong is at most the "
            "board's level."
        ),
        "Not significantly worse does not mean equally good: with more queries a difference might show.",
    ),
    sources=(
        (
            "Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing. "
            "DOI 10.1198/016214504000000539"
        ),
        (
            "Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across "
            "neighbourhoods and academic achievement across countries. DOI 10.1093/restud/rdad006"
        ),
    ),
    content=_content,
    is_open=True,
)
