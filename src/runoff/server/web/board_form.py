"""The settings of a board as a form: the same fields where a board is made and where it is changed."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import UsageError
from runoff.measures import parse_measure
from runoff.results.records import RULES
from runoff.server.store.boards import RELEASES, BoardSettings
from runoff.server.store.names import clean_name, clean_slug
from runoff.server.web.form_values import Values
from runoff.server.web.frame.fields import Field, FieldGroup
from runoff.tables.board import BOARD_CORRECTIONS, BOARD_RECORD_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

MB: Final = 1_000_000
MOST_MB: Final = 2147
_AGAIN: Final = "A change lets every run be scored again."


def setting_groups(settings: BoardSettings, *, hidden_share: float, is_new: bool) -> tuple[FieldGroup, ...]:
    """The form with the settings as they are."""
    again = "" if is_new else _AGAIN
    slug = Field(name="slug", label="Name in the address", value=settings.slug, required=True,
                 hint="Small letters, digits and hyphens, such as passages-2026. It cannot change later.")  # fmt: skip
    limit = settings.upload_limit / MB
    return (
        FieldGroup(title="The board", fields=(
            Field(name="title", label="Title", value=settings.title, required=True),
            *([slug] if is_new else []),
            Field(name="description", label="Description", kind="textarea", value=settings.description,
                  hint="What is searched, by whom, and what a good run does."),
        )),
        FieldGroup(title="What is measured", fields=(
            Field(name="measure", label="Measure", value=settings.measure, required=True,
                  hint=f"Such as RR@10, nDCG@10 or AP@1000. {again}".strip()),
            Field(name="depth", label="Depth", kind="number", value=str(settings.depth),
                  hint=f"Ranks that comparisons look at. {again}".strip()),
            Field(name="relevance_level", label="Relevance level", kind="number", value=str(settings.relevance_level),
                  hint=f"The lowest grade that counts as relevant. {again}".strip()),
            Field(name="gains", label="Gains of the grades", value=_gains_text(settings.gains),
                  hint="For IPSO with graded labels: the gain of each grade from 0, such as 0, 0.2, 0.8, 1. Or empty."),
            Field(name="alpha", label="Level of verdicts", kind="number", value=f"{settings.alpha:g}",
                  hint="How often a single wrong claim is accepted, such as 0.05."),
            Field(name="correction", label="Correction for many comparisons", kind="select", value=settings.correction,
                  options=tuple((name, name.replace("_", " ")) for name in BOARD_CORRECTIONS)),
            Field(name="record_rule", label="Certified records", kind="select", value=settings.record_rule,
                  options=tuple((name, RULES[name]) for name in BOARD_RECORD_RULES),
                  hint="How the chance of a false certificate is kept over the whole history."),
        )),
        FieldGroup(title="Submissions", fields=(
            Field(name="most", label="Submissions of a team", kind="number", value=str(settings.most),
                  hint="In any so many days in a row as the next field says."),
            Field(name="window_days", label="Days of that rule", kind="number", value=str(settings.window_days)),
            Field(name="variants", label="Small variations among them", kind="number", value=str(settings.variants)),
            Field(name="opens_at", label="Opens (UTC)", kind="datetime-local", value=_moment_text(settings.opens_at),
                  hint="Empty: at once."),
            Field(name="closes_at", label="Closes (UTC)", kind="datetime-local", value=_moment_text(settings.closes_at),
                  hint="Empty: never."),
            Field(name="upload_megabytes", label="Largest file (MB)", kind="number", value=f"{limit:g}"),
        )),
        FieldGroup(title="What is shown, and when", fields=(
            Field(name="digits", label="Digits of a score", kind="number", value=str(settings.digits),
                  hint="Fewer digits tell less about single queries."),
            Field(name="hidden_share", label="Hidden share of the public queries", kind="number",
                  value=f"{hidden_share:g}",
                  hint=f"From 0, below 1: left out of public scores, nobody is told which. {again}".strip()),
            Field(name="release", label="Scores that are shown", kind="select", value=settings.release,
                  options=(("all", "of every run"), ("ladder", "of runs that beat their team's best beyond noise")),
                  hint="The second is the Ladder: a team that tunes by submitting learns nothing from small changes."),
            Field(name="private_until", label="Private results are shown from (UTC)", kind="datetime-local",
                  value=_moment_text(settings.private_until), hint="Empty: organisers alone see them."),
            Field(name="anonymous_until", label="Teams are named from (UTC)", kind="datetime-local",
                  value=_moment_text(settings.anonymous_until), hint="Empty: they are named at once."),
        )),
    )  # fmt: skip


def read_settings(values: Values, before: BoardSettings, *, is_new: bool) -> tuple[BoardSettings, float]:
    """The settings of a form and its hidden share; what is wrong is in `values.problems`, and then nothing is used."""
    kept = {field.name: getattr(before, field.name) for field in fields(BoardSettings)}
    found: dict[str, Any] = {
        "title": values.made("title", clean_name),
        "slug": values.made("slug", clean_slug) if is_new else before.slug,
        "description": values.text("description"),
        "measure": values.text("measure"),
        "depth": values.whole("depth", 1, 100_000),
        "relevance_level": values.whole("relevance_level", 1, 127),
        "gains": values.made("gains", _gains),
        "alpha": values.number("alpha", 0.0001, 1),
        "correction": values.one_of("correction", BOARD_CORRECTIONS),
        "record_rule": values.one_of("record_rule", BOARD_RECORD_RULES),
        "window_days": values.whole("window_days", 1, 10_000),
        "most": values.whole("most", 1, 1_000_000),
        "variants": values.whole("variants", 0, 1_000_000),
        "opens_at": values.moment("opens_at"),
        "closes_at": values.moment("closes_at"),
        "upload_limit": _upload_limit(values, before),
        "digits": values.whole("digits", 1, 10),
        "release": values.one_of("release", RELEASES),
        "private_until": values.moment("private_until"),
        "anonymous_until": values.moment("anonymous_until"),
    }
    share = values.number("hidden_share", 0, 1)
    values.made("measure", parse_measure)
    opens, closes = found["opens_at"], found["closes_at"]
    if opens and closes and opens >= closes:
        values.problems.setdefault("closes_at", f"the board opens at {opens:%Y-%m-%d %H:%M}; expected a later time")
    if values.problems:
        return before, share
    return BoardSettings(**(kept | found)), share


def _gains(text: str) -> Mapping[str, float] | None:
    if not text:
        return None
    try:
        gains = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise UsageError(f"{text[:40]!r} are no numbers; expected gains such as 0, 0.5, 1") from None
    if not gains or gains[0] != 0 or not all(0 <= gain < 1e9 for gain in gains):
        raise UsageError(
            f"{text[:40]!r} cannot be used; expected gains from 0 up, that of grade 0 first, such as 0, 0.5, 1"
        )
    return {str(grade): gain for grade, gain in enumerate(gains)}


def _gains_text(gains: Mapping[str, float] | None) -> str:
    return "" if gains is None else ", ".join(f"{gains[key]:g}" for key in sorted(gains, key=int))


def _upload_limit(values: Values, before: BoardSettings) -> int:
    limit = values.number("upload_megabytes", 0.000001, MOST_MB)
    # A limit that is no round number is shown rounded, and stays what it was.
    return before.upload_limit if f"{before.upload_limit / MB:g}" == f"{limit:g}" else round(limit * MB)


def _moment_text(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%dT%H:%M}"
