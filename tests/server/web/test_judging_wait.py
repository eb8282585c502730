"""Somebody waits in a sequential campaign: the page reloads by itself and finds the next task."""

from __future__ import annotations

import pytest

from runoff.server.cases.judging.judge import finish_task
from tests.server.web.assessor import judging_server
from tests.server.web.travel import NARROW, PATIENCE

pytestmark = pytest.mark.browser
EVERY = 5_000
"""Milliseconds between two looks. The browser's clock, which goes on by itself, is set forward by so many."""


@pytest.fixture
def served(tmp_path):
    """A running server with a sequential campaign, and its address."""
    with judging_server(tmp_path, way="sequential", query_texts=None, doc_texts=None) as made:
        yield made


@pytest.fixture
def page(browser):
    """A page on a phone, with a clock that can be set forward."""
    context = browser.new_context(viewport=NARROW)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.clock.install()
    yield page
    context.close()


def test_the_page_of_somebody_who_waits_finds_the_next_task(served, page):
    made, address = served
    own, campaign = made.campaigned, made.campaign
    page.goto(address + made.link())
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Begin").wait_for()
    # All that is due is in the hands of two others.
    held = []
    while (offer := own.offer(campaign, actor := own.assessor(campaign))).sheet is not None:
        held.append((actor, offer.sheet))
    assert offer.state == "wait"
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/task") else None)
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Nothing at the moment").wait_for()
    page.get_by_text("This page checks by itself every few seconds.").wait_for()
    before = len(asked)
    with page.expect_request("**/task"):
        page.clock.fast_forward(EVERY)
    page.get_by_text("Nothing at the moment").wait_for()
    for actor, sheet in held:
        own.answer(sheet, actor)
        assert finish_task(own.database, sheet.assignment.id, actor=actor, now=own.now()) == "done"
    page.clock.fast_forward(EVERY)
    page.get_by_text("1 of ").first.wait_for()
    assert len(asked) > before


def test_the_page_of_somebody_who_waits_says_that_all_is_done(served, page):
    made, address = served
    own, campaign = made.campaigned, made.campaign
    page.goto(address + made.link())
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Begin").wait_for()
    people = [own.assessor(campaign) for _ in range(9)]
    assert own.judge_all(campaign, people) > 0
    page.goto(f"{address}/judge/best?done=wait")
    page.clock.fast_forward(EVERY)
    page.get_by_text("No more tasks right now").wait_for()
    assert page.url.endswith("?done=nothing")
