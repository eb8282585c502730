"""The settings of a board as a form, there and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from runoff.server.web.board_form import read_settings, setting_groups
from runoff.server.web.forms import Form
from runoff.tables.settings import OrganiserSettings

SETTINGS = OrganiserSettings(
    slug="a", title="A", measure="nDCG@10", gains=(0.0, 0.5), upload_limit=1_234_567,
    closes_at=datetime(2026, 5, 1, 12, tzinfo=UTC), relevance_level=2, alpha=0.01, correction="none",
    record_rule="spending", hidden_share=0.25, depth=20,
)  # fmt: skip


def sent(settings, *, is_new=False, **changes):
    groups = setting_groups(settings, is_new=is_new)
    return Form({field.name: field.value for group in groups for field in group.fields} | changes)


def test_an_untouched_form_changes_nothing():
    values = sent(SETTINGS)
    assert read_settings(values, SETTINGS, is_new=False) == SETTINGS
    assert values.problems == {}


def test_changes_are_read():
    values = sent(SETTINGS, measure="RR@10", gains="", upload_limit="5", hidden_share="0")
    expected = replace(SETTINGS, measure="RR@10", gains=None, upload_limit=5_000_000, hidden_share=0.0)
    assert read_settings(values, SETTINGS, is_new=False) == expected
    made = read_settings(sent(SETTINGS, is_new=True, slug="other"), SETTINGS, is_new=True)
    assert made.slug == "other"


def test_every_problem_is_told_at_once():
    wrong = {
        "title": "", "slug": "A B", "measure": "RR@ten", "depth": "0", "gains": "1, x", "alpha": "1", "most": "",
        "opens_at": "2027-01-01T00:00", "hidden_share": "1", "upload_limit": "huge", "correction": "luck",
        "release": "some", "record_rule": "luck",
    }  # fmt: skip
    values = sent(SETTINGS, is_new=True, **wrong)
    assert read_settings(values, SETTINGS, is_new=True) == SETTINGS
    assert set(values.problems) == {*wrong} - {"opens_at"}
    assert "0 for grade 0" in sent_problem("gains", "1, 2")
    assert "expected a later time to close" in sent_problem("opens_at", "2027-01-01T00:00", told_at="closes_at")


def sent_problem(name, text, *, told_at=""):
    values = sent(SETTINGS, **{name: text})
    read_settings(values, SETTINGS, is_new=False)
    return values.problems[told_at or name]
