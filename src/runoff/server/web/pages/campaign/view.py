"""Figures, tables and fields of the page of a campaign."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.display.grid import Column, Grid, Value
from runoff.phrases import counted
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

WAYS: Final = {"full": "All pairs", "sequential": "Sequential, about"}


def progress_facts(campaign: Campaign, figures: CampaignFigures, active: int) -> tuple[Fact, ...]:
    """How far a campaign is, what it costs, and how long it takes."""
    done = figures.progress
    about = "about " if campaign.way == "sequential" else ""
    later = "; more are added as judgments come in" if about else ""
    paid = ""
    if figures.completions:
        codes = counted(figures.completions, "completion code")
        pay = "pays" if figures.completions == 1 else "pay"
        paid = f"; {codes} {pay} {money(figures.paid, campaign.currency)}, including tasks that were left unfinished"
    seconds = f"{figures.seconds_per_pair:.{1 if figures.seconds_per_pair < 10 else 0}f} seconds per pair"
    origin = "the median so far" if done.judgments_done else "your estimate"
    judgments, *saved = judgment_facts(campaign, figures)
    return (
        judgments,
        Fact(name="Tasks done", value=f"{done.tasks_done:,}",
             more=f"{done.tasks_given:,} in progress, {done.tasks_open:,} not yet given out{later}"),
        Fact(name="Cost of tasks done", value=money(figures.spent, campaign.currency),
             more=f"of {about}{money(figures.expected_cost, campaign.currency)}{paid}"),
        Fact(name="Time left", value=hours_words(figures.hours_left),
             more=f"{about}for all assessors together, at {seconds} ({origin})"),
        Fact(name="Assessors", value=f"{active:,}", more="active"),
        *saved,
    )  # fmt: skip


def judgment_facts(campaign: Campaign, figures: CampaignFigures) -> tuple[Fact, ...]:
    """How many judgments there are, and what sequential judging saves."""
    about = "about " if campaign.way == "sequential" else ""
    of = f"of {about}{figures.expected_judgments:,}, {figures.share_done:.0%}"
    done = Fact(name="Judgments", value=f"{figures.progress.judgments_done:,}", more=of)
    if not about:
        return (done,)
    than = f"estimated; judging all pairs {AS_GOOD_AS} times would take {figures.full_judgments:,}"
    return done, Fact(name="Judgments saved", value=f"{figures.saved_judgments:,}", more=than)


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
            more=f"{alone:,} of them with nothing to compare" if alone else "all with something to compare",
        ),
        Fact(name="Documents", value=f"{preview.documents:,}", more=f"{mean:.1f} per pool on average"),
        Fact(name="Pairs", value=f"{preview.full_pairs:,}", more="all pairs within the pools"),
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
        Column("way", "Method"), Column("pairs", "Pairs", "count"), Column("judgments", "Judgments", "count"),
        Column("tests", "Test judgments", "count"), Column("tasks", "Tasks", "count"),
        Column("cost", "Cost", "number", digits=2), Column("hours", "Hours", "number", digits=1),
    ]  # fmt: skip
    sizes = f"{counted(campaign.pairs_per_task, 'pair')} and {counted(campaign.tests_per_task, 'test pair')}"
    pay, fee = money(campaign.pay, campaign.currency), money(campaign.fee, campaign.currency)
    notes = [
        f"Cost: {pay} pay and {fee} fee per task. A task has {sizes}.",
        f"Hours: for all assessors together, at {campaign.seconds_per_pair:g} seconds per pair (your estimate).",
        f"Sequential: about {PER_MATCH:g} judgments per comparison, if a third of the judgments are wrong.",
    ]
    return table(Grid(title="Work and cost", columns=columns, rows=rows, notes=notes), "costs")


def saving_words(previews: Mapping[Way, CampaignPreview]) -> str:
    """What the sequential way saves, in a sentence."""
    fewer = previews["sequential"]
    saved = fewer.full_judgments - fewer.judgments
    if saved <= 0:
        return "Sequential judging would save nothing: the pools are too small."
    return (
        f"To find the best answers about as reliably, judging all pairs takes {fewer.full_judgments:,} judgments "
        f"({AS_GOOD_AS} per pair). Sequential judging takes about {fewer.judgments:,}, which saves "
        f"{saved / fewer.full_judgments:.0%}, but it finds only the best answer of each query."
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
    how = "One per line: id, tab, text. JSON Lines and Parquet also work, and files may be compressed."
    return (
        FieldGroup(title="Texts", fields=(
            Field(name="queries", label="Texts of the queries", kind="file", required=True, hint=how),
            Field(name="docs", label="Texts of the documents (the collection)", kind="file", required=True,
                  hint="In the same format. It may be large: only the texts that are judged are loaded."),
        )),
    )  # fmt: skip


def link_groups() -> tuple[FieldGroup, ...]:
    """The form for a link."""
    return (
        FieldGroup(title="New link", fields=(
            Field(name="site", label="Crowdsourcing site",
                  hint="Such as MTurk or Prolific: its workers bring their worker id. Empty: an invitation for people "
                       "you know."),
            Field(name="most_uses", label="Number of people", kind="number", value="1",
                  hint="How many people may use the link. Empty: any number."),
            Field(name="expires_at", label="Valid until (UTC)", kind="datetime-local", hint="Empty: no end."),
        )),
    )  # fmt: skip


def extension_view(campaign: Campaign, more: Extension, found: ExtensionPreview) -> Row:
    """What an extension would take, with the form that does it."""
    about = "about " if campaign.way == "sequential" else ""
    nouns = (
        (found.runs, "more run", ""),
        (found.queries, "more query", "more queries"),
        (found.documents, "more document", ""),
    )
    pools = [counted(number, noun, plural) for number, noun, plural in nouns if number]
    values = [("depth", str(more.depth or campaign.depth))]
    if campaign.way == "full":
        values.append(("judgments_per_pair", str(more.judgments_per_pair or campaign.judgments_per_pair)))
    if campaign.sample is not None:
        values.append(("sample", "" if more.all_queries else str(more.sample or campaign.sample)))
    return Row(
        facts=(
            Fact(name="Pairs", value=f"{found.pairs:,}",
                 more="that were not asked before" + (f"; {', '.join(pools)}" if pools else "")),
            Fact(name="Judgments", value=f"{about}{found.judgments:,}", more=f"and {found.tests:,} of test pairs"),
            Fact(name="Cost", value=f"{about}{money(found.cost, campaign.currency)}",
                 more=f"for {counted(found.tasks, 'more task')}"),
            Fact(name="Time", value=f"{about}{hours_words(found.hours)}",
                 more=f"for all assessors together, at {campaign.seconds_per_pair:g} seconds per pair"),
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
                  hint="At least the current number, drawn at random. Empty: all."),
        )
    )  # fmt: skip
    times = Field(
        name="judgments_per_pair",
        label="Judgments per pair",
        kind="number",
        value=str(asked.judgments_per_pair or campaign.judgments_per_pair),
        hint="At least the current number.",
    )
    fields = (
        *((times,) if campaign.way == "full" else ()),
        Field(name="depth", label="Pool depth", kind="number", value=str(asked.depth or campaign.depth),
              hint="How many top documents of each run are pooled; at least the current number."),
        *sample,
    )  # fmt: skip
    groups = [FieldGroup(title="Ask for more", fields=fields)]
    if more:
        groups.append(FieldGroup(title="More runs", fields=run_boxes(more, asked.run_ids)))
    return tuple(groups)
