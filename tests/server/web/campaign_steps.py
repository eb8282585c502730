"""The steps of a campaign from its form to new labels in an organiser's browser; assessors judge meanwhile.

Each step is a test, and all in a row are one too.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from tests.server.web.campaign_site import QUERY_TEXTS, JudgedCampaign
from tests.server.web.travel import Traveller
from tests.server.web.waiting import wait_until

Files = dict[str, Path]


def make_a_draft(olga: Traveller) -> str:
    """The form, wrong and right; returns the address of the campaign."""
    page = olga.page
    olga.go("/boards/trees/organise")
    page.get_by_role("link", name="Judging campaigns").click()
    olga.sees("There is no campaign yet.")
    page.get_by_role("link", name="New campaign").click()
    olga.look("campaign-new")
    page.fill("input[name=title]", "Spring")
    page.fill("input[name=slug]", "Spring!")
    page.fill("input[name=depth]", "0")
    page.fill("input[name=pay]", "-1")
    page.select_option("select[name=runs]", "chosen")
    olga.press("Create the draft")
    olga.sees("4 fields have to be fixed")
    olga.sees("no run is chosen")
    olga.look("campaign-new-wrong")
    page.fill("input[name=slug]", "spring")
    page.fill("input[name=depth]", "2")
    page.fill("input[name=pay]", "1.5")
    page.fill("input[name=pairs_per_task]", "6")
    page.fill("input[name=tests_per_task]", "2")
    page.select_option("select[name=runs]", "all")
    olga.press("Create the draft")
    page.wait_for_url("**/campaigns/*?done=campaign")
    place = str(page.url.partition("?")[0].removeprefix(olga.address))
    olga.sees_after_a_while("Work and cost")
    olga.sees("it finds only the best answer of each query")
    return place


def send_texts(olga: Traveller, files: Files, place: str) -> None:
    page = olga.page
    olga.go(place)
    # While something goes on, the page may load itself again, and files that were just chosen are gone.
    wait_until(page, "!document.querySelector('[data-refresh]')")
    page.set_input_files("input[name=queries]", str(files["queries.tsv"]))
    page.set_input_files("input[name=docs]", str(files["broken.tsv"]))
    olga.press("Upload the texts")
    olga.sees("One field has to be fixed")
    olga.sees("broken.tsv:2: id 'a.q0' is listed twice")
    olga.look("campaign-texts-wrong")
    olga.go(place)
    olga.look("campaign-draft")
    page.set_input_files("input[name=queries]", str(files["queries.tsv"]))
    page.set_input_files("input[name=docs]", str(files["part.tsv"]))
    olga.press("Upload the texts")
    olga.sees("The texts were stored, but some are missing")
    page.get_by_text("Upload other texts").click()
    page.set_input_files("input[name=queries]", str(files["queries.tsv"]))
    page.set_input_files("input[name=docs]", str(files["collection.tsv"]))
    olga.press("Upload the texts")
    olga.sees("The texts were uploaded. Assessors will see them instead of ids.")


def choose_test_pairs(olga: Traveller, place: str) -> None:
    page = olga.page
    olga.go(place)
    page.get_by_role("link", name="See the test pairs").click()
    olga.press("Draw test pairs")
    olga.sees("Test pairs were drawn.")
    olga.sees(QUERY_TEXTS["q0"].partition(" an ")[0])
    olga.press("Switch off")
    olga.sees("It no longer counts")
    page.fill("textarea[name=pairs]", "q0 a.q0\nq0 a.q0 a.q0\n")
    olga.press("Add test pairs")
    olga.sees("line 1: 2 words")
    page.fill("textarea[name=pairs]", "q0 a.q0 a.q1\n")
    olga.press("Add test pairs")
    olga.sees("The test pairs were added.")
    olga.look("campaign-test-pairs")


def start_the_campaign(olga: Traveller, place: str) -> None:
    olga.go(f"{place}/settings")
    olga.look("campaign-settings")
    olga.go(place)
    olga.press("Start the campaign")
    olga.sees_after_a_while("Links for assessors")
    olga.look("campaign-open")


def make_links(olga: Traveller, place: str) -> None:
    page = olga.page
    olga.go(place)
    page.fill("input[name=most_uses]", "5")
    olga.press("Create a link")
    olga.sees("It is shown only once")
    assert "/enter/" in page.locator(".notice code").inner_text()
    olga.look("campaign-link")
    page.fill("input[name=site]", "Prolific")
    page.fill("input[name=most_uses]", "")
    olga.press("Create a link")
    olga.sees("workers of Prolific")
    olga.press("Withdraw")
    olga.sees("The link was withdrawn.")
    olga.go(place)
    assert "/enter/" not in page.content()


def watch_the_progress(olga: Traveller, judged: JudgedCampaign) -> None:
    """It is asked for again by itself, and nothing else of the page; the browser's clock is set forward."""
    page = olga.page
    (assessor,) = judged.assessors(1)
    page.clock.install()
    olga.go(judged.place)
    olga.sees("in progress")
    page.evaluate("window.sameDocument = true")
    value = page.locator("#progress .value").first
    before = value.inner_text()
    assert judged.judge(assessor) == "done"
    page.clock.fast_forward(10_000)
    wait_until(page, "was => document.querySelector('#progress .value').textContent !== was", before)
    assert page.evaluate("window.sameDocument === true")


def read_results(olga: Traveller, judged: JudgedCampaign) -> None:
    olga.go(f"{judged.place}/results")
    olga.sees("No judgments count yet.")
    careful, slow = judged.assessors(2)
    for actor in (careful, slow, careful):
        assert judged.judge(actor) == "done"
    olga.go(f"{judged.place}/results")
    olga.sees("Judging is not finished.")
    olga.sees("Win ratios on")
    olga.has_all_pictures()
    olga.look("campaign-results")


def reinstate_an_assessor(olga: Traveller, place: str) -> None:
    olga.go(f"{place}/assessors")
    olga.sees("2 active, 1 barred")
    olga.look("campaign-assessors")
    olga.press("Reinstate")
    olga.sees("The assessor gets tasks again.")


def make_labels(olga: Traveller, place: str) -> None:
    page = olga.page
    olga.go(f"{place}/new-labels")
    olga.sees("the best known answers of")
    olga.look("campaign-new-labels")
    page.fill("textarea[name=note]", "Spring judgments")
    olga.press("Make this version")
    page.wait_for_url("**/boards/trees/labels/*")
    olga.sees("The version was created")
    olga.go(f"{place}/new-labels")
    olga.sees("dev, version 2")


def exchange_files(olga: Traveller, files: Files, place: str) -> None:
    page = olga.page
    olga.go(f"{place}/files")
    olga.look("campaign-files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="spring.zip").click()
    assert saved.value.suggested_filename == "spring.zip"
    page.set_input_files("input[name=file]", str(files["broken.csv"]))
    olga.press("Import judgments")
    olga.sees("broken.csv:")
    page.set_input_files("input[name=file]", str(files["more.txt"]))
    olga.press("Import judgments")
    olga.sees("Imported 8 judgments in 1 task from more.txt.")


def extend_and_close(olga: Traveller, place: str, working: Lock) -> None:
    page = olga.page
    olga.go(place)
    olga.press("Pause")
    olga.sees("The campaign is paused")
    page.fill("form[action*='/look'] input[name=judgments_per_pair]", "2")
    page.fill("form[action*='/look'] input[name=depth]", "2")
    olga.press("See what it would take")
    olga.sees("This is what it would add. Nothing has changed yet.")
    olga.look("campaign-extension")
    with working:
        olga.press("Extend the campaign")
        olga.sees("The larger plan is being made.")
    olga.sees("The campaign was extended.")
    page.get_by_text("Close the campaign").click()
    olga.press("Yes, close it")
    olga.sees("The campaign is closed.")
    page.get_by_role("link", name="Campaigns").first.click()
    olga.look("campaigns")


def look_in_the_dark(olga: Traveller, place: str) -> None:
    """Pages of a campaign that is closed."""
    for name in ("", "/results", "/assessors"):
        olga.go(f"{place}{name}")
        olga.look(f"campaign{name.replace('/', '-')}")
