"""A field of a form as the widget shows it: label, value, hint, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a form."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    hint: str = ""
    problem: str = ""
    options: tuple[tuple[str, str], ...] = ()
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class FieldGroup:
    """Fields that belong together."""

    title: str
    fields: tuple[Field, ...]


def filled(
    groups: tuple[FieldGroup, ...], sent: Mapping[str, str], problems: Mapping[str, str]
) -> tuple[FieldGroup, ...]:
    """The same fields with what was sent, and what is wrong with it."""
    return tuple(
        replace(group, fields=tuple(
            # A box that is not ticked is not sent.
            replace(field, value=sent.get(field.name, "" if field.kind == "check" else field.value),
                    problem=problems.get(field.name, ""))
            for field in group.fields
        ))
        for group in groups
    )  # fmt: skip
