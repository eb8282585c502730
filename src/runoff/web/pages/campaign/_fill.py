"""Figures, tables and fields of the page of a campaign."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.reports.grid import Column, Grid, Value
from runoff.reports.page.tables import Table, table
from runoff.reports.sections import Fact
from runoff.store.campaign_links import CampaignLink
from runoff.store.campaigns import Campaign
from runoff.web.campaign_form import run_boxes
from runoff.web.frame.fields import Field, FieldGroup
from runoff.web.frame.numbers import money
from runoff.web.pages.campaign._context import LinkLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runoff.store.models.campaigns import Way
    from runoff.workflows.judging.preview import CampaignPreview
    from runoff.workflows.judging.results import CampaignFigures

WAYS: Final = {"full": "All pairs", "sequential": "In sequence, at most"}


def progress_facts(campaign: Campaign, figures: CampaignFigures, active: int) -> tuple[Fact, ...]:
    """How far a campaign is, what it costs, and how long it takes."""
    done = figures.progress
    most = "at most " if campaign.way == "sequential" else ""
    per_pair = "a pair takes in the median" if done.judgments_done else "you expect for a pair"
    codes = f"{figures.completions:,} {'code' if figures.completions == 1 else 'codes'}"
    paid = (
        f"; {money(figures.paid, campaign.currency)} under {codes} of assessors who left" if figures.completions else ""
    )
    facts = [
        Fact(name="Judgments", value=f"{done.judgments_done:,}",
             more=f"of {most}{figures.expected_judgments:,}, {figures.share_done:.0%}"),
        Fact(name="Tasks done", value=f"{done.tasks_done:,}",
             more=f"{done.tasks_given:,} in the hands of assessors, {done.tasks_open:,} to be given"),
        Fact(name="Cost so far", value=money(figures.spent, campaign.currency),
             more=f"of {most}{money(figures.expected_cost, campaign.currency)}{paid}"),
        Fact(name="Time left", value=hours_words(figures.hours_left),
             more=f"{'at most, ' if most else ''}of all assessors together, at the {figures.seconds_per_pair:.0f} "
                  f"seconds that {per_pair}"),
        Fact(name="Assessors", value=f"{active:,}", more="active: neither barred nor gone"),
    ]  # fmt: skip
    if campaign.way == "sequential":
        facts.append(
            Fact(name="Judgments saved", value=f"{figures.saved_judgments:,}",
                 more=f"at least, against the {figures.full_judgments:,} of all pairs")
        )  # fmt: skip
    return tuple(facts)


def hours_words(hours: float) -> str:
    """A span of time, in minutes where it is short.

    >>> hours_words(0.4), hours_words(12.34), hours_words(0)
    ('24 min', '12.3 h', '0 min')
    """
    return f"{hours * 60:.0f} min" if hours < 1 else f"{hours:,.1f} h"


def preview_facts(preview: CampaignPreview) -> tuple[Fact, ...]:
    """What is pooled."""
    mean = preview.documents / preview.queries if preview.queries else 0.0
    alone = sum(count for size, count in preview.sizes if size < 2)
    return (
        Fact(name="Runs", value=f"{preview.runs:,}"),
        Fact(
            name="Queries",
            value=f"{preview.queries:,}",
            more=f"{alone:,} of them have nothing to compare" if alone else "each has something to compare",
        ),
        Fact(name="Documents", value=f"{preview.documents:,}", more=f"{mean:.1f} in a pool in the mean"),
        Fact(name="Pairs", value=f"{preview.full_pairs:,}", more="of all documents of a pool with each other"),
    )


def cost_table(previews: Mapping[Way, CampaignPreview], campaign: Campaign) -> Table:
    """Pairs, tasks, cost and time in each way; the campaign's own is marked."""
    rows: list[list[Value]] = [
        [
            f"{WAYS[way]}{' (chosen)' if way == campaign.way else ''}", one.pairs, one.judgments, one.test_judgments,
            one.cost.tasks, one.cost.total, one.hours,
        ]
        for way, one in previews.items()
    ]  # fmt: skip
    columns = [
        Column("way", "Way"), Column("pairs", "Pairs", "count"), Column("judgments", "Judgments", "count"),
        Column("tests", "Of test pairs", "count"), Column("tasks", "Tasks", "count"),
        Column("cost", "Cost", "number", digits=2), Column("hours", "Hours", "number", digits=1),
    ]  # fmt: skip
    sizes = f"{campaign.pairs_per_task:,} pairs and {campaign.tests_per_task:,} test pairs"
    seconds = f"{campaign.seconds_per_pair:g} seconds"
    pay, fee = money(campaign.pay, campaign.currency), money(campaign.fee, campaign.currency)
    notes = [
        f"Cost: {pay} and a fee of {fee} for a task of {sizes}.",
        f"Hours: of all assessors together, if a pair takes the {seconds} that you expect. It is an estimate.",
        "In sequence the best known answer meets each of the others; less is needed where the first judgments agree.",
    ]
    return table(Grid(title="What it will take", columns=columns, rows=rows, notes=notes), "costs")


def saving_words(previews: Mapping[Way, CampaignPreview], currency: str = "") -> str:
    """What the sequential way saves, in a sentence."""
    full, fewer = previews["full"], previews["sequential"]
    saved = full.judgments - fewer.judgments
    if saved <= 0:
        return "In sequence nothing would be saved: no pool has more than two documents."
    cheaper = full.cost.total - fewer.cost.total
    return (
        f"In sequence at least {saved:,} of the {full.judgments:,} judgments are saved ({saved / full.judgments:.0%})"
        + (f", and {money(cheaper, currency)} of the cost" if cheaper > 0 else "")
        + ". It looks for the best answer alone."
    )


def link_line(link: CampaignLink, now: datetime) -> LinkLine:
    """A link in words."""
    most = "any number" if link.most_uses is None else f"{link.most_uses:,}"
    state = "open"
    if link.most_uses is not None and link.uses >= link.most_uses:
        state = "used up"
    if link.expires_at is not None and link.expires_at <= now:
        state = "expired"
    return LinkLine(
        number=link.id,
        kind="invitation" if link.site is None else f"workers of {link.site}",
        uses=f"{link.uses:,} of {most}",
        made=f"{link.created_at:%Y-%m-%d}",
        until="–" if link.expires_at is None else f"{link.expires_at:%Y-%m-%d %H:%M}",
        state="withdrawn" if link.withdrawn_at is not None else state,
    )


def text_groups() -> tuple[FieldGroup, ...]:
    """The form for the texts."""
    how = "One on each line: the id, a tab, the text. JSON lines and Parquet are read too; plain or compressed."
    return (
        FieldGroup(title="Texts", fields=(
            Field(name="queries", label="Texts of the queries", kind="file", required=True, hint=how),
            Field(name="docs", label="Texts of the documents (the collection)", kind="file", required=True,
                  hint="In the same form. Of a large collection only the texts that are judged are kept in memory."),
        )),
    )  # fmt: skip


def link_groups() -> tuple[FieldGroup, ...]:
    """The form for a link."""
    return (
        FieldGroup(title="New link", fields=(
            Field(name="site", label="Crowdsourcing site",
                  hint="Such as MTurk or Prolific: its workers bring their worker id. Empty: an invitation for people "
                       "you know."),
            Field(name="most_uses", label="How many people", kind="number", value="1",
                  hint="May come in by it. Empty: any number."),
            Field(name="expires_at", label="Until (UTC)", kind="datetime-local", hint="Empty: without an end."),
        )),
    )  # fmt: skip


def extend_groups(campaign: Campaign, more: Mapping[int, str]) -> tuple[FieldGroup, ...]:
    """The form to ask for more; `more` are the scored runs that the campaign does not have."""
    sample = (
        ()
        if campaign.sample is None
        else (
            Field(name="sample", label="Queries", kind="number", value=str(campaign.sample),
                  hint="As many or more, drawn at random. Empty: all."),
        )
    )  # fmt: skip
    fields = (
        Field(name="judgments_per_pair", label="Judgments per pair", kind="number",
              value=str(campaign.judgments_per_pair), hint="As many or more."),
        *sample,
    )  # fmt: skip
    groups = [FieldGroup(title="Ask for more", fields=fields)]
    if more:
        groups.append(FieldGroup(title="More runs", fields=run_boxes(more, ())))
    return tuple(groups)
