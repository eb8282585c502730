"""The settings of a judging campaign as a form: the same fields where one is made and where it is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from runoff.server.cases.reads import WAYS, CampaignSettings, clean_currency, clean_name, clean_slug
from runoff.server.web.forms import Field, FieldGroup, Form

ALL: Final = "all"
CHOSEN: Final = "chosen"
RUN: Final = "run_"
WAY_WORDS: Final = {
    "full": "All pairs of each pool",
    "sequential": "In sequence: the best known answer meets the others in turn",
}
INSTRUCTIONS: Final = (
    "Choose the passage that answers the question better.\n"
    "If both are as good, choose the one that you would rather be given. If neither answers it, choose the one that "
    "comes closer.\n"
    "Do not look anything up. There is no hurry."
)
CONSENT: Final = (
    "Your answers and how long each took are kept under a pseudonym, and may be published so.\n"
    "Some pairs have a known answer: who fails one gets no more tasks, and the answers of that task neither "
    "count nor are paid.\n"
    "You may stop at any time."
)
_LATER: Final = "It can be changed until the start."


def new_campaign(board_id: int, label_sets: Sequence[str]) -> CampaignSettings:
    """What the form for a new campaign begins with."""
    return CampaignSettings(
        slug="",
        title="",
        board_id=board_id,
        label_set=label_sets[0] if label_sets else "",
        instructions=INSTRUCTIONS,
        consent=CONSENT,
    )


def campaign_groups(
    settings: CampaignSettings,
    *,
    label_sets: Sequence[str],
    runs: Mapping[int, str],
    chosen: Sequence[int] | None,
    is_new: bool = False,
    is_started: bool = False,
) -> tuple[FieldGroup, ...]:
    """The form with the settings as they are.

    label_sets  the open ones of the board
    runs        the scored runs of the board, by number
    chosen      those of the campaign; None: all
    is_started  what the plan was made from is left out, because it can no longer be changed
    """
    slug = Field(name="slug", label="Name in addresses and files", value=settings.slug, required=True,
                 hint="Small letters, digits and hyphens, such as spring-2026. It cannot change later.")  # fmt: skip
    about = FieldGroup(title="The campaign", fields=(
        Field(name="title", label="Title", value=settings.title, required=True, hint="Assessors read it."),
        *([slug] if is_new else []),
        *([] if is_started else [_label_field(settings, label_sets)]),
    ))  # fmt: skip
    planned = () if is_started else (_judged(settings, runs, chosen), _runs(runs, chosen))
    return about, *planned, _tasks(settings, is_started=is_started), _words(settings), _afterwards(settings)


def read_campaign(
    values: Form, before: CampaignSettings, *, label_sets: Sequence[str], is_new: bool, is_started: bool
) -> CampaignSettings:
    """The settings of a form; what is wrong is in `values.problems`, and then nothing is used."""
    found: dict[str, Any] = {
        "title": values.made("title", clean_name),
        "lease_minutes": values.whole("lease_minutes", 1, 100_000),
        "seconds_per_pair": values.number("seconds_per_pair", 0, 1e6),
        "too_fast": values.number("too_fast", 0, 1e6),
        "pay": values.number("pay", 0, 1e6),
        "fee": values.number("fee", 0, 1e6),
        "currency": values.made("currency", clean_currency),
        "instructions": values.text("instructions"),
        "consent": values.text("consent"),
        "standing": bool(values.text("standing")),
        "single_best": bool(values.text("single_best")),
    }
    if is_new:
        found["slug"] = values.made("slug", clean_slug)
    if not is_started:
        found |= {
            "label_set": values.one_of("label_set", label_sets or ("",)),
            "sample": values.whole("sample", 1, 10_000_000) if values.text("sample") else None,
            "seed": values.whole("seed", 0, 2**31 - 1),
            "depth": values.whole("depth", 1, 1000),
            "way": values.one_of("way", WAYS),
            "judgments_per_pair": values.whole("judgments_per_pair", 1, 1000),
            "pairs_per_task": values.whole("pairs_per_task", 1, 1000),
            "tests_per_task": values.whole("tests_per_task", 0, 100),
        }
    if not label_sets and not is_started:
        values.problems["label_set"] = "the board has no open labels; expected some; add labels first"
    if values.problems:
        return before
    kept = {field.name: getattr(before, field.name) for field in fields(CampaignSettings)}
    return CampaignSettings(**(kept | found))


def read_runs(values: Form, runs: Sequence[int]) -> tuple[int, ...]:
    """The runs that a form chooses among those of the board; that there is none is a problem of the field `runs`."""
    if values.one_of("runs", (ALL, CHOSEN)) == ALL:
        found = tuple(runs)
    else:
        found = tuple(number for number in runs if values.text(f"{RUN}{number}"))
    if not found:
        what = "tick one or more below" if runs else "wait until a run is scored"
        values.problems.setdefault("runs", f"no run; expected one or more; {what}")
    return found


def run_boxes(runs: Mapping[int, str], chosen: Sequence[int] | None) -> tuple[Field, ...]:
    """A box for each run."""
    return tuple(
        Field(name=f"{RUN}{number}", label=name, kind="check", value="yes" if number in (chosen or ()) else "")
        for number, name in runs.items()
    )


def _label_field(settings: CampaignSettings, label_sets: Sequence[str]) -> Field:
    return Field(name="label_set", label="Labels", kind="select", value=settings.label_set,
                 options=tuple((name, name) for name in label_sets),
                 hint="The judgments make their next version. Private labels cannot be judged.")  # fmt: skip


def _judged(settings: CampaignSettings, runs: Mapping[int, str], chosen: Sequence[int] | None) -> FieldGroup:
    every = f"all {len(runs):,} scored runs" if len(runs) != 1 else "the one scored run"
    return FieldGroup(title="What is judged", fields=(
        Field(name="runs", label="Runs", kind="select", value=ALL if chosen is None else CHOSEN,
              options=((ALL, every), (CHOSEN, "those that are ticked below")), hint=_LATER),
        Field(name="depth", label="Pool depth", kind="number", value=str(settings.depth),
              hint="Top documents of each run that are pooled with the labels. Pairs grow with its square."),
        Field(name="sample", label="Queries", kind="number",
              value="" if settings.sample is None else str(settings.sample),
              hint="How many, drawn at random. Empty: all queries of the labels."),
        Field(name="seed", label="Seed", kind="number", value=str(settings.seed),
              hint="The same seed draws the same queries, tasks and test pairs."),
        Field(name="way", label="Way", kind="select", value=settings.way,
              options=tuple((way, WAY_WORDS[way]) for way in WAYS),
              hint="All pairs rank every document of a pool. In sequence only the best is looked for, with fewer "
                   "judgments."),
        Field(name="judgments_per_pair", label="Judgments per pair", kind="number",
              value=str(settings.judgments_per_pair),
              hint="Each by another assessor. In sequence a match takes as many as it needs."),
    ))  # fmt: skip


def _runs(runs: Mapping[int, str], chosen: Sequence[int] | None) -> FieldGroup:
    return FieldGroup(title="Runs to tick", fields=run_boxes(runs, chosen))


def _tasks(settings: CampaignSettings, *, is_started: bool) -> FieldGroup:
    sizes = (
        Field(name="pairs_per_task", label="Pairs of a task", kind="number", value=str(settings.pairs_per_task)),
        Field(name="tests_per_task", label="Test pairs of a task", kind="number", value=str(settings.tests_per_task),
              hint="Besides the pairs above. Their answer is known; they are drawn for you and can be changed."),
    )  # fmt: skip
    return FieldGroup(title="Tasks and pay", fields=(
        *(() if is_started else sizes),
        Field(name="pay", label="Pay for a task", kind="number", value=f"{settings.pay:g}",
              hint="To the assessor; 0 if nobody is paid."),
        Field(name="fee", label="Fee for a task", kind="number", value=f"{settings.fee:g}",
              hint="To the crowdsourcing site, if there is one."),
        Field(name="currency", label="Currency", value=settings.currency,
              hint="Shown beside all amounts, such as EUR or US dollars. May be empty."),
        Field(name="seconds_per_pair", label="Seconds for a pair", kind="number",
              value=f"{settings.seconds_per_pair:g}",
              hint="What you expect. Estimates of time use it until there are judgments."),
        Field(name="too_fast", label="Too fast (seconds)", kind="number", value=f"{settings.too_fast:g}",
              hint="Answers that took less are counted as too fast. They still count."),
        Field(name="lease_minutes", label="Time for a task (minutes)", kind="number", value=str(settings.lease_minutes),
              hint="A task that is not done by then goes to somebody else."),
    ))  # fmt: skip


def _words(settings: CampaignSettings) -> FieldGroup:
    return FieldGroup(title="What assessors read first", fields=(
        Field(name="instructions", label="Instructions", kind="textarea", value=settings.instructions),
        Field(name="consent", label="Consent", kind="textarea", value=settings.consent,
              hint="They agree to it before the first task."),
    ))  # fmt: skip


def _afterwards(settings: CampaignSettings) -> FieldGroup:
    return FieldGroup(title="Afterwards", fields=(
        Field(name="standing", label="A standing campaign", kind="check", value="yes" if settings.standing else "",
              hint="A run that is scored later brings the pairs that it makes necessary, until the campaign ends."),
        Field(name="single_best", label="One best answer per query", kind="check",
              value="yes" if settings.single_best else "",
              hint="New labels hold one document also where several are as good: a label of before, else the one with "
                   "most votes. Graded labels become answers of grade 1; else they keep all grades and zeros, and new "
                   "answers join the best of them."),
    ))  # fmt: skip
