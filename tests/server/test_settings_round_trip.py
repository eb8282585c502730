"""Every declared setting survives every stage and back.

Those of a board: board.toml, store, form, API and Policy. Those of a campaign: store and form.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from runoff.files.board_text import render_board
from runoff.files.board_toml import board_of_toml
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.change import change_board, load_organiser_settings
from runoff.server.cases.boards.make import make_board
from runoff.server.store import campaigns
from runoff.server.store.boards import _COLUMNS, _FIELDS, load_board
from runoff.server.store.campaigns import load_campaign, save_campaign, save_campaign_settings
from runoff.server.store.files import FileStore
from runoff.server.store.models.boards import BOARD
from runoff.server.store.models.campaigns import CAMPAIGN_SETTINGS as CAMPAIGN_TABLE
from runoff.server.web.api.shapes import SettingsAnswer
from runoff.server.web.board_form import read_settings, setting_groups
from runoff.server.web.campaign_form import campaign_groups, read_campaign
from runoff.server.web.forms import Form
from runoff.tables.board import Board, BoardRun
from runoff.tables.campaign_settings import CAMPAIGN_SETTINGS, CampaignSettings
from runoff.tables.setting_types import Amount, FieldNames, Flag, Fraction, GradeGains, Moment, OneOf, Whole
from runoff.tables.settings import SETTINGS, BoardSettings, OrganiserSettings, Setting, settings_of
from runoff.verdicts import Policy
from tests.server.store.world import NOW, World

CHOSEN: dict[str, Any] = {
    "title": "Passages", "slug": "other", "description": "Short answers.\nTo questions.", "measure": "nDCG@20",
    "gains": (0.0, 0.125, 1 / 3), "alpha": 0.0123456789, "closes_at": datetime(2027, 1, 1, tzinfo=UTC),
    "opens_at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "upload_limit": 1_234_567, "hidden_share": 0.123456789,
}  # fmt: skip
"""Values that are harder to keep than those of `another`, or that other settings allow."""


def another(setting: Setting) -> object:
    """A value of a setting that is not its default, from its declaration."""
    value: object = "Another text"
    match setting.kind:
        case OneOf(options=options):
            value = next(option for option in options if option != setting.default)
        case Whole(low=low):
            value = (setting.default or low) + 1
        case Fraction() | Amount():
            value = (setting.default or 0.5) / 3
        case Flag():
            value = not setting.default
        case Moment():
            value = datetime(2027, 3, 1, 12, tzinfo=UTC)
        case FieldNames():
            value = ("actor.team", "research goal.description")
        case GradeGains():
            value = (0.0, 0.5)
    return value


OTHER: dict[str, Any] = {name: CHOSEN.get(name, another(setting)) for name, setting in SETTINGS.items()}
"""For every setting a value that is not its default."""


@pytest.fixture
def world(database):
    return World.made_in(database)


def through_toml(settings: OrganiserSettings) -> OrganiserSettings:
    board = Board(**settings_of(settings), runs=(BoardRun(name="a", scores={"public": 0.5}),))
    return only_settings(board_of_toml(render_board(board)))


def through_store(world: World, folder, settings: OrganiserSettings) -> OrganiserSettings:
    """Made from a description, then changed back and forth."""
    qrels = folder / f"{settings.slug}.qrels"
    qrels.write_text("q1 0 d1 1\n")
    organiser = Actor(id=world.organiser.id, role="organiser")
    described = Board(**settings_of(settings), labels={"dev": qrels})
    made = make_board(world.database, FileStore(folder), described, slug=settings.slug, now=NOW)
    plain = OrganiserSettings(slug=settings.slug, title="Plain", measure="RR@10")
    between = change_board(world.database, made.id, plain, version=made.version, actor=organiser, now=NOW).board
    now_version = load_board_of(world, made.id).version
    assert (between.title, between.depth) == ("Plain", 10)
    change_board(world.database, made.id, settings, version=now_version, actor=organiser, now=NOW)
    with world.database.read() as connection:
        return load_organiser_settings(connection, load_board(connection, made.id))


def load_board_of(world, number):
    with world.database.read() as connection:
        return load_board(connection, number)


def through_form(settings: OrganiserSettings) -> OrganiserSettings:
    sent = {field.name: field.value for group in setting_groups(settings, is_new=True) for field in group.fields}
    values = Form(sent)
    read = read_settings(values, OrganiserSettings(title="", measure="RR@10"), is_new=True)
    assert values.problems == {}
    return read


def through_api(settings: OrganiserSettings) -> OrganiserSettings:
    """What organisers alone may know is not in it."""
    answer = SettingsAnswer.model_validate(settings_of(settings)).model_dump_json()
    read = SettingsAnswer.model_validate_json(answer).model_dump()
    assert set(read) == {item.name for item in fields(BoardSettings)} == set(SETTINGS) - {"hidden_share"}
    return OrganiserSettings(**read, hidden_share=settings.hidden_share)


def only_settings(board: OrganiserSettings) -> OrganiserSettings:
    return OrganiserSettings(**settings_of(board))


def test_every_value_here_is_not_the_default():
    assert [name for name in SETTINGS if OTHER[name] == SETTINGS[name].default] == []


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_goes_through_all_stages_and_back(name, world, tmp_path):
    plain: dict[str, Any] = {
        "title": "T",
        "slug": "t",
        "measure": "RR@10",
        "depth": 10,
        "closes_at": OTHER["closes_at"],
    }
    check_round_trip(OrganiserSettings(**(plain | {name: OTHER[name]})), world, tmp_path)


def test_all_settings_together_go_through_all_stages_and_back(world, tmp_path):
    check_round_trip(OrganiserSettings(**OTHER), world, tmp_path)


def check_round_trip(settings, world, folder):
    stages = {
        "TOML": through_toml,
        "store": lambda before: through_store(world, folder, before),
        "form": through_form,
        "API": through_api,
    }
    for stage, through in stages.items():
        for name, value in settings_of(through(settings)).items():
            assert value == settings_of(settings)[name], f"{stage} lost {name}"
    assert settings_of(through_toml(through_api(through_form(settings)))) == settings_of(settings)
    policy = Policy.of(settings)
    shared = {item.name for item in fields(Policy)} & set(SETTINGS)
    assert shared == {"alpha", "correction", "record_rule"}
    assert {name: getattr(policy, name) for name in shared} == {name: getattr(settings, name) for name in shared}


def without(name):
    return {other: setting for other, setting in SETTINGS.items() if other != name}


@pytest.mark.parametrize(
    "stage, target, value, name",
    [
        ("TOML", "runoff.files.board_text.SETTINGS", without("digits"), "digits"),
        ("store", "runoff.server.store.boards._FIELDS", [*without("private_until")][:-1], "private_until"),
        ("form", "runoff.server.web.board_form.SETTINGS", without("record_rule"), "record_rule"),
    ],
)
def test_a_stage_that_drops_a_setting_is_noticed(stage, target, value, name, world, tmp_path, monkeypatch):
    monkeypatch.setattr(target, value)
    with pytest.raises(AssertionError, match=f"{stage} lost {name}"):
        check_round_trip(OrganiserSettings(**OTHER), world, tmp_path)


def test_a_setting_without_a_column_of_its_own_is_stored(world, tmp_path, monkeypatch):
    monkeypatch.setattr("runoff.server.store.boards._COLUMNS", _COLUMNS - {"anonymous_until", "gains"})
    check_round_trip(OrganiserSettings(**OTHER), world, tmp_path)
    with world.database.read() as connection:
        row = connection.execute(select(BOARD).where(BOARD.c.slug == "other")).mappings().one()
    assert (row["anonymous_until"], row["gains"]) == (None, None)
    assert set(row["more_settings"]) == {"anonymous_until", "gains"} | {*_FIELDS} - _COLUMNS


def test_the_api_answers_with_the_settings_and_keeps_the_hidden_share(serving):
    answer = serving.client.get(f"/api/v1/boards/{serving.served.board.slug}/settings")
    assert answer.status_code == 200
    assert answer.json() == SettingsAnswer.model_validate(settings_of(serving.served.board)).model_dump(mode="json")
    assert "hidden_share" not in answer.json()
    described = serving.client.get("/api/v1/openapi.json").json()["components"]["schemas"]["SettingsAnswer"]
    assert described["properties"]["digits"]["description"] == SETTINGS["digits"].help


CAMPAIGN: dict[str, Any] = {
    **{name: another(setting) for name, setting in CAMPAIGN_SETTINGS.items()},
    "slug": "other",
    "label_set": "dev",
    "currency": "EUR",
    "consent": "I agree.\nReally.",
}
"""For every setting of a campaign a value that is not its default."""


def through_campaign_store(world: World, settings: CampaignSettings) -> CampaignSettings:
    """Made, changed to something plain, and changed back."""

    def work(connection):
        made = save_campaign(connection, settings, actor=None, now=NOW)
        plain = CampaignSettings(slug=settings.slug, title="Plain")
        changed = save_campaign_settings(connection, made.id, plain, version=1, actor=None, now=NOW)
        assert {name: getattr(changed, name) for name in CAMPAIGN_SETTINGS} == {
            name: getattr(plain, name) for name in CAMPAIGN_SETTINGS
        }
        save_campaign_settings(connection, made.id, settings, version=2, actor=None, now=NOW)
        return load_campaign(connection, made.id)

    saved: CampaignSettings = world.database.write(work)
    return saved


def through_campaign_form(settings: CampaignSettings) -> CampaignSettings:
    groups = campaign_groups(settings, label_sets=["first", "dev"], runs={}, chosen=None, is_new=True)
    fields_shown = [field for group in groups for field in group.fields]
    # A box that is not ticked is not sent.
    values = Form({field.name: field.value for field in fields_shown if field.kind != "check" or field.value})
    before = CampaignSettings(slug="", title="")
    read = read_campaign(values, before, label_sets=["first", "dev"], is_new=True, is_started=False)
    assert values.problems == {}
    return read


def check_campaign(settings: CampaignSettings, world: World) -> None:
    stages = {"store": through_campaign_store(world, settings), "form": through_campaign_form(settings)}
    for stage, after in stages.items():
        for name in CAMPAIGN_SETTINGS:
            assert getattr(after, name) == getattr(settings, name), f"{stage} lost {name}"


def test_every_field_of_a_campaign_is_a_setting_except_what_is_stored_elsewhere():
    others = {"board_id", "query_texts", "doc_texts"}
    assert {item.name for item in fields(CampaignSettings)} == {*CAMPAIGN_SETTINGS} | others
    assert [name for name in CAMPAIGN if CAMPAIGN[name] == CAMPAIGN_SETTINGS[name].default] == []
    for setting in CAMPAIGN_SETTINGS.values():
        assert setting.label[0].isupper()
        assert setting.help.endswith(".")


@pytest.mark.parametrize("name", CAMPAIGN_SETTINGS)
def test_a_setting_of_a_campaign_goes_through_all_stages_and_back(name, world):
    check_campaign(
        CampaignSettings(**({"title": "T", "slug": "t", "label_set": "dev"} | {name: CAMPAIGN[name]})), world
    )


def without_campaign(name):
    return {other: setting for other, setting in CAMPAIGN_SETTINGS.items() if other != name}


@pytest.mark.parametrize(
    "stage, target, value, name",
    [
        ("store", "runoff.server.store.campaigns._FIELDS", [*without_campaign("fee"), "board_id"], "fee"),
        ("form", "runoff.server.web.campaign_form.CAMPAIGN_SETTINGS", without_campaign("too_fast"), "too_fast"),
    ],
)
def test_a_stage_that_drops_a_setting_of_a_campaign_is_noticed(stage, target, value, name, world, monkeypatch):
    monkeypatch.setattr(target, value)
    # A column cannot be empty: the database refuses what the store leaves out.
    with pytest.raises((AssertionError, IntegrityError), match=f"{stage} lost {name}|settings.{name}"):
        check_campaign(CampaignSettings(**CAMPAIGN), world)


def test_a_setting_of_a_campaign_without_a_column_of_its_own_is_stored(world, monkeypatch):
    columns = campaigns._COLUMNS - {"sample", "query_texts", "doc_texts"}
    monkeypatch.setattr(campaigns, "_COLUMNS", columns)
    monkeypatch.setattr(campaigns, "_FIELDS", [*CAMPAIGN_SETTINGS])
    monkeypatch.setattr(campaigns, "_query", campaigns._query.__wrapped__)
    monkeypatch.setattr(campaigns, "_query_by", campaigns._query_by.__wrapped__)
    check_campaign(CampaignSettings(**CAMPAIGN), world)
    with world.database.read() as connection:
        row = connection.execute(select(CAMPAIGN_TABLE)).mappings().one()
    assert (row["sample"], row["more_settings"]) == (None, {"sample": CAMPAIGN["sample"]})
