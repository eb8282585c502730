"""The page in a real browser: no request, no fault, no overflow; it sorts, searches, folds, saves; axe is content."""

from __future__ import annotations

import pytest

from runoff.reports.page import render_page
from runoff.reports.sections import sections_of
from runoff.verbs.report import ReportOptions, report
from tests.axe import grave_faults
from tests.reports.sections.made import inputs_of
from tests.verbs.reported import write_reported

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    names = ['<b>bold</b> "x"', "a-very-long-name-of-a-run-" + "x" * 60, *(f"run {place}" for place in range(28))]
    inputs = inputs_of(30, called=names, full=True)
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(render_page("Board", "30 runs", sections_of(inputs)), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def report_address(tmp_path_factory):
    """A whole report of a board with dates, teams, private queries and two sets of labels."""
    folder = tmp_path_factory.mktemp("report")
    made = report(write_reported(folder), options=ReportOptions(trials=60))
    file = folder / "report.html"
    file.write_text(made.to_page(), encoding="utf-8")
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


def test_a_report_is_two_screens_until_it_is_unfolded(browser, report_address):
    page, faults = opened(browser, report_address)
    height = "document.documentElement.scrollHeight / 900"
    assert page.evaluate(height) <= 2.0
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.evaluate(height) > 4.0
    assert faults == []
    page.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_scrolls_sideways_and_names_are_whole(browser, report_address, width):
    page, _ = opened(browser, report_address, width=width)
    overflow = "document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(overflow) <= 0
    # a name that is broken inside has more than one box
    lines = (
        "nodes => nodes.map((node) => { const range = document.createRange(); range.selectNodeContents(node);"
        " return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size; })"
    )
    names = page.locator(".chapter > .table tbody th, .nb:visible")
    assert names.count() > 6
    assert set(names.evaluate_all(lines)) == {1}
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((fold) => { fold.open = true; })")
    assert page.evaluate(overflow) <= 0
    if width == 390:  # tables are cards: each cell has its heading beside it, and no table is wider than the screen
        wide = "boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"
        assert page.locator(".report .scroll").evaluate_all(wide) == 0
    page.close()


def test_long_tables_in_a_fold_scroll_on_a_phone(browser, address):
    page, _ = opened(browser, address, width=390)
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((fold) => { fold.open = true; })")
    heights = page.locator(".folded [data-filter] > .scroll").evaluate_all(
        "nodes => nodes.map((node) => node.clientHeight)"
    )
    assert len(heights) > 2
    assert max(heights) <= 0.75 * 900
    page.close()


def test_folds_and_links_into_them_work_without_scripts(browser, report_address):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(report_address)
    labels = page.locator("#labels")
    assert not labels.is_visible()
    page.locator("summary", has_text="Are the labels good enough?").click()
    assert labels.is_visible()
    assert not page.locator("#leader-more").is_visible()
    page.locator("#doubts a[href='#leader-more']").first.click()
    assert page.locator("#leader-more").is_visible()
    context.close()


def test_tables_can_be_sorted_searched_and_saved(browser, address):
    page, faults = opened(browser, address)
    page.locator("#leader summary", has_text="Board in detail").click()
    table = page.locator("#leader-t1")
    firsts = table.locator("tbody tr:visible th")
    head = table.locator("thead th").nth(1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    values = table.locator("tbody td:nth-child(2)").evaluate_all("cells => cells.map((cell) => Number(cell.dataset.v))")
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
    assert lines[0] == "run,mean,low,high,p"
    assert len(lines) == 31
    assert any(line.startswith('"<b>bold</b> ""x""",') for line in lines)
    assert faults == []
    page.close()


def test_charts_are_saved_as_they_look(browser, address):
    page, faults = opened(browser, address, scheme="dark")
    page.locator("#leader summary", has_text="Board in detail").click()
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
