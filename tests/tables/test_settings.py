"""Declared settings: what each kind of value allows, and the words about them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from runoff.errors import UsageError
from runoff.tables.setting_types import FieldNames, Fraction, GradeGains, Megabytes, Moment, Whole
from runoff.tables.settings import SETTINGS, BoardSettings, settings_table

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "files.md"


@pytest.mark.parametrize(
    "kind, allowed, refused",
    [
        (Whole(low=1, high=9), {"3": 3}, ["", "0", "10", "3.5", "²", "1" * 30, "-1"]),
        (Fraction(), {"0.05": 0.05, "1e-3": 0.001}, ["0", "1", "nan", "x", ""]),
        (Fraction(zero=True), {"0": 0.0}, ["1", "-0.1"]),
        (Megabytes(low=1, high=2**53), {"1.5": 1_500_000}, ["0", "inf", "x"]),
        (GradeGains(), {"0, 0.5 1": (0.0, 0.5, 1.0), "[0,1]": (0.0, 1.0)}, ["1, 2", "0, 2, 1", "0, x", ""]),
        (FieldNames(), {"actor.team, research goal.x": ("actor.team", "research goal.x")}, ["", "a..b", "a, a", "<b>"]),
        (Moment(), {"2026-05-01T12:00": datetime(2026, 5, 1, 12, tzinfo=UTC)}, ["later", "12:00", ""]),
    ],
)
def test_what_people_type(kind, allowed, refused):
    for text, value in allowed.items():
        assert kind.typed(text) == value
        assert kind.typed(kind.shown(value)) == value
    assert [kind.typed(text) for text in refused] == [None] * len(refused)


@pytest.mark.parametrize(
    "name, value", [("alpha", "0.05"), ("digits", True), ("digits", 3.0), ("most", "2"), ("gains", [0, True])]
)
def test_a_file_has_to_name_a_value_of_the_type(name, value):
    with pytest.raises(UsageError, match=f"{name}=.* cannot be used; expected "):
        SETTINGS[name].checked(value)


def test_times_are_in_utc_and_a_date_is_its_midnight():
    assert Moment().checked(date(2026, 5, 1)) == datetime(2026, 5, 1, tzinfo=UTC)
    assert Moment().checked("2026-05-01T12:00+02:00") == datetime(2026, 5, 1, 10, tzinfo=UTC)


def test_settings_are_checked_wherever_they_come_from():
    with pytest.raises(UsageError, match="correction='luck' cannot be used; expected one of none, bonferroni, holm"):
        BoardSettings(title="T", measure="RR@10", correction="luck")


def test_the_documentation_lists_every_setting_as_it_is_declared():
    assert settings_table() in DOCS.read_text(encoding="utf-8"), "run: python -m scripts.reference"
    for setting in SETTINGS.values():
        assert setting.label[0].isupper()
        assert setting.help.endswith(".")
