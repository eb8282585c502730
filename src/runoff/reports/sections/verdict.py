"""What is the verdict: is the first run ahead, and is the newest record one."""

from __future__ import annotations

from typing import Final

from runoff.phrases import counted, listed
from runoff.reports.sections._base import Content, Fact, ReportInputs, Section

ANSWERS: Final = {"alone": "only one run", "clear": "a clear leader", "shared": "no clear winner"}


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
        facts.append(
            Fact(
                name="First again",
                value=f"{float(ranks.p_first[place]):.1%}",
                more=f"of {ranks.trials:,} redraws of the queries",
            )
        )
        facts.append(
            Fact(
                name="Not shown to be worse",
                value=f"{sum(name not in lead.tied for name in lead.not_worse):,}",
                more=f"of {counted(lead.others - len(lead.tied), 'other run')}",
            )
        )
    return Content(
        answer=ANSWERS[lead.kind] if lead.holds else f"{ANSWERS[lead.kind]}, and doubts",
        sentence=lead.sentence,
        facts=tuple(facts),
        paragraphs=_records(inputs),
    )


def _records(inputs: ReportInputs) -> tuple[str, ...]:
    """What the newest record is worth."""
    if inputs.records is None or not inputs.records.against_displaced:
        return ()
    last = inputs.records.against_displaced[-1]
    words = {
        "better": "is better than the record that it displaced",
        "worse": "is worse than the record that it displaced, though its mean is not",
        "trade-off": "is a trade-off against the record that it displaced: ahead in one way, behind in another",
        "inconclusive": "is not shown to be better than the record that it displaced",
    }
    p = last.verdict.measure.p
    test = f"{last.verdict.policy.measure_label} of {inputs.ranks.measure}"
    said = (
        f"The newest record, {last.challenger}, {words[last.outcome]}, {last.champion} ({test}: p "
        f"{'< 0.0001' if p < 0.0001 else f'= {p:.4f}'})."
    )
    unseen = " ".join(one.sentence for one in last.powers if one.facet == "measure" and one.sentence)
    return (f"{said} {unseen}".strip(),)


VERDICT: Final = Section(
    name="verdict",
    label="Verdict",
    question="What is the verdict?",
    method=(
        (
            "A board is in the order of the means, but a higher mean can be luck. So all pairs of runs are compared on "
            "the same queries at once, and a run counts as worse than the leader only if that comparison says so, "
            "although the leader was picked after looking."
        ),
        (
            "The possible ranks of a run, who could be the best and the groups follow from the same decisions, so they "
            "cannot contradict each other: the chance that any of them is wrong is at most the board's level."
        ),
        "Not shown to be worse is not the same as equally good: with more queries a difference might show.",
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
)
