"""The settings of a board as a form, made of their declarations: to make a board, and to change it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from runoff.errors import UsageError
from runoff.server.cases.boards.change import SETTING_CHECKS
from runoff.server.web.forms import Field, FieldGroup
from runoff.tables.settings import SETTINGS, OrganiserSettings, Setting

if TYPE_CHECKING:
    from runoff.server.web.forms import Form

_RESCORES = "Changing this rescores every run."


def setting_groups(settings: OrganiserSettings, *, is_new: bool) -> tuple[FieldGroup, ...]:
    """The form with the settings as they are."""
    return tuple(
        FieldGroup(title=title, fields=tuple(_field(setting, settings, is_new=is_new) for setting in group))
        for title, group in groupby(_fields(is_new=is_new), key=lambda setting: setting.group)
    )


def read_settings(values: Form, before: OrganiserSettings, *, is_new: bool) -> OrganiserSettings:
    """The settings that a form sent; what is wrong is in `values.problems`, and then nothing is used."""
    sent: dict[str, Any] = {}
    for setting in _fields(is_new=is_new):
        name = setting.name
        sent[name] = values.made(name, setting.typed)
        if name in SETTING_CHECKS and name not in values.problems:
            sent[name] = values.made(name, SETTING_CHECKS[name])
    if not values.problems:
        try:
            return OrganiserSettings(**({"slug": before.slug} | sent))
        except UsageError as error:
            values.problems["closes_at"] = str(error)
    return before


def _fields(*, is_new: bool) -> list[Setting]:
    """The settings of the form, those of a group together."""
    settings = [setting for setting in SETTINGS.values() if is_new or not setting.fixed]
    groups = list(dict.fromkeys(setting.group for setting in settings))
    return sorted(settings, key=lambda setting: groups.index(setting.group))


def _field(setting: Setting, settings: OrganiserSettings, *, is_new: bool) -> Field:
    return Field(
        name=setting.name,
        label=setting.label,
        kind="textarea" if setting.kind.lines else setting.kind.input,
        value=setting.kind.shown(getattr(settings, setting.name)),
        options=tuple(setting.kind.options.items()),
        hint=setting.help if is_new or not setting.rescores else f"{setting.help} {_RESCORES}",
        required=setting.required,
    )
