"""The settings of a judging campaign as a form: the same fields where one is made and where it is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from runoff.server.web.board_form import declared_groups, read_declared
from runoff.server.web.forms import Field, FieldGroup, Form
from runoff.tables.campaign_settings import CAMPAIGN_SETTINGS, CampaignSettings
from runoff.tables.settings import Setting

ALL: Final = "all"
CHOSEN: Final = "chosen"
RUN: Final = "run_"
INSTRUCTIONS: Final = (
    "Choose the passage that answers the question better.\n"
    "If both are equally good, choose the one that you would rather be given. If neither answers it, choose the one "
    "that comes closer.\n"
    "Do not look anything up. Take your time."
)
CONSENT: Final = (
    "Your answers, and how long each took, are stored under a pseudonym and may be published under it.\n"
    "Some pairs have a known answer. If you get one wrong, you get no more tasks, and your answers to that task are "
    "neither used nor paid.\n"
    "You may stop at any time."
)


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
    groups = declared_groups(_declared(is_new=is_new, is_started=is_started), settings)
    if is_started:
        return groups
    about, judged, *others = groups
    labels = [
        replace(field, kind="select", options=tuple((name, name) for name in label_sets))
        if field.name == "label_set"
        else field
        for field in about.fields
    ]
    every = f"all {len(runs):,} scored runs" if len(runs) != 1 else "the one scored run"
    which = Field(
        name="runs",
        label="Runs",
        kind="select",
        value=ALL if chosen is None else CHOSEN,
        options=((ALL, every), (CHOSEN, "only those ticked below")),
        hint="You can change this until the campaign starts.",
    )
    boxes = FieldGroup(title="Runs to tick", fields=run_boxes(runs, chosen))
    return replace(about, fields=tuple(labels)), replace(judged, fields=(which, *judged.fields)), boxes, *others


def read_campaign(
    values: Form, before: CampaignSettings, *, label_sets: Sequence[str], is_new: bool, is_started: bool
) -> CampaignSettings:
    """The settings of a form; what is wrong is in `values.problems`, and then nothing is used."""
    sent = read_declared(values, _declared(is_new=is_new, is_started=is_started))
    if not is_started:
        values.one_of("label_set", label_sets or ("",))
    if not label_sets and not is_started:
        values.problems["label_set"] = "this board has no open labels; add labels first"
    if values.problems:
        return before
    return replace(before, **sent)


def read_runs(values: Form, runs: Sequence[int]) -> tuple[int, ...]:
    """The runs that a form chooses among those of the board; that there is none is a problem of the field `runs`."""
    if values.one_of("runs", (ALL, CHOSEN)) == ALL:
        chosen = tuple(runs)
    else:
        chosen = tuple(number for number in runs if values.text(f"{RUN}{number}"))
    if not chosen:
        advice = "tick one or more below" if runs else "wait until a run is scored"
        values.problems.setdefault("runs", f"no run is chosen; {advice}")
    return chosen


def run_boxes(runs: Mapping[int, str], chosen: Sequence[int] | None) -> tuple[Field, ...]:
    """A box for each run."""
    return tuple(
        Field(name=f"{RUN}{number}", label=name, kind="check", value="yes" if number in (chosen or ()) else "")
        for number, name in runs.items()
    )


def _declared(*, is_new: bool, is_started: bool) -> list[Setting]:
    return [
        setting
        for setting in CAMPAIGN_SETTINGS.values()
        if (is_new or not setting.fixed) and not (is_started and setting.planned)
    ]
