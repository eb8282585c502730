"""Figures, tables and fields of the page of a campaign."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.display.grid import Column, Grid, Value
from runoff.reports.page.tables import Table, table
from runoff.reports.sections import Fact
from runoff.server.cases.judging.next_pairs import AS_GOOD_AS, PER_MATCH
from runoff.server.cases.judging.start import Extension
from runoff.server.cases.reads import Campaign, CampaignLink
from runoff.server.web.campaign_form import RUN, run_boxes
from runoff.server.web.forms import Field, FieldGroup
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runoff.server.cases.judging.extend import ExtensionPreview
    from runoff.server.cases.judging.results import CampaignFigures
    from runoff.server.cases.judging.start import CampaignPreview
    from runoff.tables.campaign_settings import Way

WAYS: Final = {"full": "All pairs", "sequential": "In sequence, about"}


def progress_facts(campaign: Campaign, figures: CampaignFigures, active: int) -> tuple[Fact, ...]:
    """How far a campaign is, what it costs, and how long it takes."""
    done = figures.progress
    about = "about " if campaign.way == "sequential" else ""
    later = "; more are made as judgments come in" if campaign.way == "sequential" else ""
    per_pair = "a pair takes (median)" if done.judgments_done else "you expect for a pair"
    given = "code that was given out pays" if figures.completions == 1 else "codes that were given out pay"
    codes = f"{figures.completions:,} {given}"
    paid = (
        f"; {codes} {money(figures.paid, campaign.currency)}, with the shares of tasks that were left"
        if figures.completions
        else ""
    )
    seconds = f"{figures.seconds_per_pair:.{1 if figures.seconds_per_pair < 10 else 0}f}"
    facts = [
        Fact(name="Judgments", value=f"{done.judgments_done:,}",
             more=f"of {about}{figures.expected_judgments:,}, {figures.share_done:.0%}"),
        Fact(name="Tasks done", value=f"{done.tasks_done:,}",
             more=f"{done.tasks_given:,} in the hands of assessors, {done.tasks_open:,} to be given{later}"),
        Fact(name="Cost of tasks done", value=money(figures.spent, campaign.currency),
             more=f"of {about}{money(figures.expected_cost, campaign.currency)}{paid}"),
        Fact(name="Time left", value=hours_words(figures.hours_left),
             more=f"{'about, ' if about else ''}of all assessors together, at the {seconds} "
                  f"seconds that {per_pair}"),
        Fact(name="Assessors", value=f"{active:,}", more="active: neither barred nor gone"),
    ]  # fmt: skip
    if campaign.way == "sequential":
        facts.append(
            Fact(name="Judgments saved", value=f"{figures.saved_judgments:,}",
                 more=f"about, against the {figures.full_judgments:,} of all pairs, three for each")
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
        Fact(name="Documents", value=f"{preview.documents:,}", more=f"{mean:.1f} per pool on average"),
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
        f"In sequence the best known answer meets each of the others: {PER_MATCH:g} judgments a match if a third err.",
    ]
    return table(Grid(title="What it will take", columns=columns, rows=rows, notes=notes), "costs")


def saving_words(previews: Mapping[Way, CampaignPreview]) -> str:
    """What the sequential way saves, in a sentence."""
    fewer = previews["sequential"]
    saved = fewer.full_judgments - fewer.judgments
    if saved <= 0:
        return "In sequence nothing would be saved: the pools are too small."
    return (
        f"To find the best answers about as surely by all pairs would take {fewer.full_judgments:,} judgments, "
        f"{AS_GOOD_AS} for each pair; in sequence it takes about {fewer.judgments:,}, which saves "
        f"{saved / fewer.full_judgments:.0%}. It looks for the best answer alone."
    )


def link_line(link: CampaignLink, now: datetime) -> Row:
    """A link in words."""
    most = "any number" if link.most_uses is None else f"{link.most_uses:,}"
    state = "open"
    if link.most_uses is not None and link.uses >= link.most_uses:
        state = "used up"
    if link.expires_at is not None and link.expires_at <= now:
        state = "expired"
    return Row(
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


def extension_view(campaign: Campaign, more: Extension, found: ExtensionPreview) -> Row:
    """What an extension would take, with the form that does it."""
    about = "about " if campaign.way == "sequential" else ""
    pools = [
        f"{number:,} more {one if number == 1 else several}"
        for number, one, several in (
            (found.runs, "run", "runs"), (found.queries, "query", "queries"),
            (found.documents, "document", "documents"),
        )
        if number
    ]  # fmt: skip
    values = [("depth", str(more.depth or campaign.depth))]
    if campaign.way == "full":
        values.append(("judgments_per_pair", str(more.judgments_per_pair or campaign.judgments_per_pair)))
    if campaign.sample is not None:
        values.append(("sample", "" if more.all_queries else str(more.sample or campaign.sample)))
    return Row(
        facts=(
            Fact(name="Pairs", value=f"{found.pairs:,}",
                 more="that nobody was asked for yet" + (f"; {', '.join(pools)}" if pools else "")),
            Fact(name="Judgments", value=f"{about}{found.judgments:,}", more=f"and {found.tests:,} of test pairs"),
            Fact(name="Cost", value=f"{about}{money(found.cost, campaign.currency)}",
                 more=f"for {found.tasks:,} more {'task' if found.tasks == 1 else 'tasks'}"),
            Fact(name="Time", value=f"{about}{hours_words(found.hours)}",
                 more=f"of all assessors together, at {campaign.seconds_per_pair:g} seconds a pair"),
        ),
        values=(*values, *((f"{RUN}{number}", "yes") for number in more.run_ids)),
        is_nothing=not found.tasks,
    )  # fmt: skip


def extend_groups(
    campaign: Campaign, more: Mapping[int, str], looked: Extension | None = None
) -> tuple[FieldGroup, ...]:  # fmt: skip
    """The form to ask for more.

    more    the scored runs that the campaign does not have
    looked  what was asked for last
    """
    asked = Extension() if looked is None else looked
    sample = (
        ()
        if campaign.sample is None
        else (
            Field(name="sample", label="Queries", kind="number",
                  value="" if asked.all_queries else str(asked.sample or campaign.sample),
                  hint="As many or more, drawn at random. Empty: all."),
        )
    )  # fmt: skip
    times = Field(
        name="judgments_per_pair",
        label="Judgments per pair",
        kind="number",
        value=str(asked.judgments_per_pair or campaign.judgments_per_pair),
        hint="As many or more.",
    )
    fields = (
        *((times,) if campaign.way == "full" else ()),
        Field(name="depth", label="Pool depth", kind="number", value=str(asked.depth or campaign.depth),
              hint="Top documents of each run that are pooled; as many or more."),
        *sample,
    )  # fmt: skip
    groups = [FieldGroup(title="Ask for more", fields=fields)]
    if more:
        groups.append(FieldGroup(title="More runs", fields=run_boxes(more, asked.run_ids)))
    return tuple(groups)
