"""Forms for declared settings, and that of a board: to make one, and to change it."""

from __future__ import annotations

from collections.abc import Iterable
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
    declared = [setting for setting in SETTINGS.values() if is_new or not setting.fixed]
    return declared_groups(declared, settings, extra_hint="" if is_new else _RESCORES)


def read_settings(values: Form, before: OrganiserSettings, *, is_new: bool) -> OrganiserSettings:
    """The settings that a form sent; what is wrong is in `values.problems`, and then nothing is used."""
    declared = [setting for setting in SETTINGS.values() if is_new or not setting.fixed]
    sent = read_declared(values, declared)
    if not values.problems:
        try:
            return OrganiserSettings(**({"slug": before.slug} | sent))
        except UsageError as error:
            values.problems["closes_at"] = str(error)
    return before


def declared_groups(declared: Iterable[Setting], owner: object, *, extra_hint: str = "") -> tuple[FieldGroup, ...]:
    """The fields of some settings with the values of their owner, those of a group together.

    extra_hint  what the fields of settings that rescore every run say besides
    """
    groups: dict[str, list[Field]] = {}
    for setting in declared:
        field = Field(
            name=setting.name,
            label=setting.label,
            kind="textarea" if setting.kind.lines else setting.kind.input,
            value=setting.kind.shown(getattr(owner, setting.name)),
            options=tuple(setting.kind.options.items()),
            hint=f"{setting.help} {extra_hint}" if extra_hint and setting.rescores else setting.help,
            required=setting.required,
        )
        groups.setdefault(setting.group, []).append(field)
    return tuple(FieldGroup(title=title, fields=tuple(fields)) for title, fields in groups.items())


def read_declared(values: Form, declared: Iterable[Setting]) -> dict[str, Any]:
    """What a form sent for some settings; what is wrong with one is the problem of its field."""
    sent: dict[str, Any] = {}
    for setting in declared:
        name = setting.name
        sent[name] = values.made(name, setting.typed)
        if name in SETTING_CHECKS and name not in values.problems:
            sent[name] = values.made(name, SETTING_CHECKS[name])
    return sent
