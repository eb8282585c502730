"""A field of a form as the widget shows it: label, value, hint, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from runoff.server.web.frame.context import shown


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a form."""

    name: str = shown("What the form sends it as.")
    label: str = shown("What it is called.")
    kind: str = shown("text, email, textarea, number, datetime-local, file, select or check.", "text")
    value: str = shown("What it holds.", "")
    hint: str = shown("What it means.", "")
    problem: str = shown("What is wrong with what was sent; empty if nothing is.", "")
    options: tuple[tuple[str, str], ...] = shown("Of a select: what is sent, and what a person reads.", ())
    required: bool = shown("Whether the browser insists on it.", False)


@dataclass(frozen=True, kw_only=True)
class FieldGroup:
    """Fields that belong together."""

    title: str = shown("What they are about.")
    fields: tuple[Field, ...] = shown("The fields.")


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
