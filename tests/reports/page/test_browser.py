"""The page in a real browser: no request, no fault, no overflow; it sorts, searches, folds, saves; axe is content."""

from __future__ import annotations

import pytest

from runoff.reports.page import render_page
from runoff.reports.sections import SECTIONS
from tests.axe import grave_faults
from tests.reports.sections.made import inputs_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    names = ['<b>bold</b> "x"', "a-very-long-name-of-a-run-" + "x" * 60, *(f"run {place}" for place in range(28))]
    inputs = inputs_of(30, called=names)
    file = tmp_path_factory.mktemp("page") / "report.html"
    content = [(section, section.content(inputs)) for section in SECTIONS]
    file.write_text(render_page("Board", "30 runs", content), encoding="utf-8")
    return file.as_uri()


def opened(browser, address, *, width=1440, scheme="light"):
    """The page with the network off, and what went wrong on it."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True)
    faults: list[str] = []

    def guard(route):
        if route.request.url.startswith("file:") and route.request.url == address:
            route.continue_()
        else:
            faults.append(route.request.url)
            route.abort()

    page.route("**/*", guard)
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    return page, faults


@pytest.mark.parametrize("width, scheme", [(1440, "light"), (1440, "dark"), (390, "light"), (390, "dark")])
def test_alone_and_accessible(browser, address, width, scheme):
    page, faults = opened(browser, address, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.evaluate("document.querySelectorAll('.menu').forEach((one) => { one.open = false; })")
    assert grave_faults(page) == []
    assert faults == []
    page.close()


def test_tables_can_be_sorted_searched_and_saved(browser, address):
    page, faults = opened(browser, address)
    table = page.locator("#leader-t1")
    firsts = table.locator("tbody tr:visible th")
    head = table.locator("thead th").nth(1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    values = table.locator("tbody td").evaluate_all("cells => cells.map((cell) => Number(cell.dataset.v))")
    assert values == sorted(values, reverse=True)
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    table.locator("input").fill("BOLD")
    assert firsts.all_inner_texts() == ['<b>bold</b> "x"']
    assert table.locator(".count").inner_text() == "1 of 30"
    with page.expect_download() as waiting:
        table.get_by_role("button", name="Save as CSV").click()
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert waiting.value.suggested_filename == "leader-t1.csv"
    assert lines[0] == "run,mean"
    assert len(lines) == 31
    assert any(line.startswith('"<b>bold</b> ""x""",') for line in lines)
    assert faults == []
    page.close()


def test_charts_are_saved_as_they_look(browser, address):
    page, faults = opened(browser, address, scheme="dark")
    with page.expect_download() as waiting:
        page.locator("#leader-f1").get_by_role("button", name="Save as SVG").click()
    saved = waiting.value.path().read_text(encoding="utf-8")
    assert saved.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "var(" not in saved
    assert "#15181d" in saved
    assert faults == []
    page.close()


def test_folds_the_theme_and_the_menu(browser, address):
    page, faults = opened(browser, address, width=390)
    method = page.locator("#leader details.method")
    method.locator("summary").focus()
    page.keyboard.press("Enter")
    assert method.locator("p").first.is_visible()
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(paper) != before
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(paper) == before
    page.locator(".menu summary").click()
    page.locator(".menu a", has_text="Labels").click()
    assert page.locator(".menu").get_attribute("open") is None
    assert page.url.endswith("#labels")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.method:not([open])").count() == 0
    assert faults == []
    page.close()
