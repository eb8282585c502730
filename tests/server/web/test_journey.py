"""A visitor's way through the pages in a browser: wide and narrow, light and dark, with the checks of axe."""

from __future__ import annotations

import pytest

from tests.axe import grave_faults, overflow
from tests.server.web.served import app_of
from tests.server.web.travel import PICTURES_ARE_THERE, free_port, serving_at
from tests.server.web.waiting import wait_until
from tests.server.web.world import make_site

PAGES = (
    "/", "/boards/passages", "/boards/passages/runs/2", "/boards/passages/compare?champion=1&challenger=3",
    "/boards/passages/submit", "/teams/team-0", "/method", "/-/patterns", "/sign-in",
)  # fmt: skip

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A running server with four runs, seen by a member of a team."""
    fixture = make_site(tmp_path_factory.mktemp("journey"), runs=4, queries=60)
    port = free_port()
    with serving_at(app_of(fixture.site, fixture.member), port):
        yield f"http://127.0.0.1:{port}"
    fixture.site.close()


@pytest.mark.parametrize("width, scheme", [(1440, "light"), (390, "dark")])
def test_every_page_is_whole_and_accessible(address, browser, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=False)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PAGES:
        page.goto(address + path)
        wait_until(page, PICTURES_ARE_THERE)
        over = overflow(page)
        assert over <= 0, f"{path} is {over} pixels wider than the screen"
        assert grave_faults(page) == [], path
    assert said == []
    context.close()


def test_filters_answer_without_loading_the_page_anew(address, browser):
    page = browser.new_page()
    page.goto(f"{address}/boards/passages")
    page.evaluate("window.sameDocument = true")
    page.select_option("select[name=team]", "Rivers")
    page.get_by_text("It is the only run.").wait_for()
    assert page.evaluate("window.sameDocument === true")
    assert "team=Rivers" in page.url
    page.get_by_role("button", name="Save as CSV").first.wait_for()
    page.close()


def test_filters_work_without_a_script(address, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/boards/passages")
    page.select_option("select[name=team]", "Rivers")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("It is the only run.").wait_for()
    context.close()


def test_a_run_is_submitted_and_its_page_waits(address, browser, tmp_path):
    file = tmp_path / "mine.run"
    file.write_text("q1 Q0 d1 1 2.5 mine\n", encoding="utf-8")
    page = browser.new_page()
    page.goto(f"{address}/boards/passages/submit")
    page.set_input_files("input[type=file]", str(file))
    page.fill("input[name=name]", "sent by a browser")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/runs/*")
    page.get_by_role("heading", name="sent by a browser").wait_for()
    page.get_by_text("It is waiting to be scored.").wait_for()
    page.close()
