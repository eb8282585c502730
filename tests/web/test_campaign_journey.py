"""A judging campaign from its form to new labels, all in an organiser's browser; assessors judge meanwhile."""

from __future__ import annotations

import pytest

from runoff.store.campaigns import load_campaign
from runoff.store.passwords import hash_password
from runoff.store.people import save_password
from runoff.workflows.judging.judge import choose, finish_task
from tests.web.serving import Clock
from tests.web.travel import WORDS, Traveller, new_site, running
from tests.workflows.judging.campaigned import DOCS, NOW, QUERIES, Campaigned

pytestmark = pytest.mark.browser
TREES = ("oak", "elm", "ash", "yew", "fir", "lime", "plum", "pine")
QUERY_TEXTS = {query: f"how old can an {tree} become" for query, tree in zip(QUERIES, TREES, strict=True)}
DOC_TEXTS = {
    f"{letter}.{query}": f"{'Some say' if letter == 'a' else 'It is known'} that the {tree} can become "
    f"{(ord(letter) - 96) * 100} years old. "
    + "It grows slowly, and in a good place it outlives whoever planted it. "
    * 2
    for query, tree in zip(QUERIES, TREES, strict=True)
    for letter in DOCS
}
IDS = {text.strip(): doc for doc, text in DOC_TEXTS.items()} | {text: query for query, text in QUERY_TEXTS.items()}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A running server with a board of three scored runs, whose organiser has a password."""
    folder = tmp_path_factory.mktemp("site")
    site, port = new_site(folder, Clock(NOW))
    campaigned = Campaigned.made_in(site.database, folder)
    person = int(campaigned.organiser.id or 0)
    hashed = hash_password(WORDS)
    site.database.write(lambda connection: save_password(connection, person, hashed, actor=None, now=NOW))
    with running(site, port):
        yield site.settings.base_url, campaigned
    site.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Texts and judgments, good and bad."""
    folder = tmp_path_factory.mktemp("sent")
    texts = {
        "queries.tsv": "".join(f"{one}\t{text}\n" for one, text in QUERY_TEXTS.items()),
        "collection.tsv": "".join(f"{one}\t{text}\n" for one, text in DOC_TEXTS.items()),
        "part.tsv": "".join(f"{one}\t{text}\n" for one, text in list(DOC_TEXTS.items())[:1]),
        "broken.tsv": "a.q0\tone\na.q0\tanother\nno tab here\n",
        "broken.csv": "q0 a.q0 b.q0 c.q0\nq1 a.q1\n",
        "more.txt": "".join(f"{query} a.{query} e.{query} e.{query}\n" for query in QUERIES),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}


def judge(campaigned, campaign, actor, *, wrong=False):
    """Do a task as somebody who reads the texts and knows the answers."""
    sheet = campaigned.offer(campaign, actor).sheet
    if sheet is None:
        return None
    for pair in sheet.pairs:
        query = IDS[pair.query.strip()]
        worth = [doc if doc.endswith(f".{query}") else "" for doc in (IDS[pair.left.strip()], IDS[pair.right.strip()])]
        is_left = (worth[0] > worth[1]) != wrong
        choose(
            campaigned.database, sheet.assignment.id, pair.id, "left" if is_left else "right", seconds=1 + pair.place,
            actor=actor, now=campaigned.wait(seconds=7),
        )  # fmt: skip
    return finish_task(campaigned.database, sheet.assignment.id, actor=actor, now=campaigned.now())


def wait_for(traveller, text):
    """Load the page again until a text is there."""
    for _ in range(60):
        if traveller.page.get_by_text(text).count():
            return
        traveller.page.wait_for_timeout(200)
        traveller.page.reload()
    raise AssertionError(text)


def sign_in(traveller):
    traveller.go("/sign-in")
    traveller.page.fill("input[name=email]", "olga@example.org")
    traveller.page.fill("input[name=password]", WORDS)
    traveller.page.locator("main").get_by_role("button", name="Sign in").click()
    traveller.page.wait_for_url("**/account")


def test_a_campaign_from_its_form_to_new_labels(world, browser, files):
    address, campaigned = world
    olga = Traveller(browser, address)
    sign_in(olga)
    place = make_draft(olga)
    prepare(olga, files, place)
    campaign = campaigned.read(load_campaign, int(place.rpartition("/")[2]))
    invite(olga, place)
    look_on(olga, campaigned, campaign, place)
    make_labels(olga, place)
    exchange(olga, files, place)
    end(olga, place)
    dark = Traveller(browser, address, dark=True)
    sign_in(dark)
    for name in ("", "/results", "/assessors"):
        dark.go(f"{place}{name}")
        dark.look(f"campaign{name.replace('/', '-')}")
    for traveller in (olga, dark):
        # A form that is sent back with its faults has the status 422, which browsers note as an error.
        assert [text for text in traveller.said if "status of 422" not in text] == []
        traveller.context.close()


def make_draft(olga):
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
    olga.press("Make the draft")
    olga.sees("4 fields have to be mended")
    olga.sees("no run; expected one or more")
    olga.look("campaign-new-wrong")
    page.fill("input[name=slug]", "spring")
    page.fill("input[name=depth]", "2")
    page.fill("input[name=pay]", "1.5")
    page.fill("input[name=pairs_per_task]", "6")
    page.fill("input[name=tests_per_task]", "2")
    page.select_option("select[name=runs]", "all")
    olga.press("Make the draft")
    page.wait_for_url("**/campaigns/*?done=campaign")
    place = page.url.partition("?")[0].removeprefix(olga.address)
    wait_for(olga, "What it will take")
    olga.sees("It looks for the best answer alone")
    return place


def prepare(olga, files, place):
    page = olga.page
    page.set_input_files("input[name=queries]", str(files["queries.tsv"]))
    page.set_input_files("input[name=docs]", str(files["broken.tsv"]))
    olga.press("Send the texts")
    olga.sees("One field has to be mended")
    olga.sees("broken.tsv:2: id 'a.q0' stands twice")
    olga.look("campaign-texts-wrong")
    olga.go(place)
    olga.look("campaign-draft")
    page.set_input_files("input[name=queries]", str(files["queries.tsv"]))
    page.set_input_files("input[name=docs]", str(files["part.tsv"]))
    olga.press("Send the texts")
    olga.sees("The texts are there, but not all of them")
    page.get_by_text("Send other texts").click()
    page.set_input_files("input[name=queries]", str(files["queries.tsv"]))
    page.set_input_files("input[name=docs]", str(files["collection.tsv"]))
    olga.press("Send the texts")
    olga.sees("The texts are there. Assessors read them in place of ids.")
    page.get_by_role("link", name="See the test pairs").click()
    olga.press("Draw test pairs")
    olga.sees("Test pairs are drawn.")
    olga.sees(QUERY_TEXTS["q0"].partition(" an ")[0])
    olga.press("Remove")
    olga.sees("It decides nothing any more")
    page.fill("textarea[name=pairs]", "q0 a.q0\nq0 a.q0 a.q0\n")
    olga.press("Add them")
    olga.sees("line 1: 2 words")
    page.fill("textarea[name=pairs]", "q0 a.q0 a.q1\n")
    olga.press("Add them")
    olga.sees("The test pairs are added.")
    olga.look("campaign-test-pairs")
    olga.go(f"{place}/settings")
    olga.look("campaign-settings")
    olga.go(place)
    olga.press("Start the campaign")
    wait_for(olga, "Links for assessors")
    olga.look("campaign-open")


def invite(olga, place):
    page = olga.page
    page.fill("input[name=most_uses]", "5")
    olga.press("Make a link")
    olga.sees("shown this once")
    assert "/enter/" in page.locator(".notice code").inner_text()
    olga.look("campaign-link")
    page.fill("input[name=site]", "Prolific")
    page.fill("input[name=most_uses]", "")
    olga.press("Make a link")
    olga.sees("workers of Prolific")
    olga.press("Withdraw")
    olga.sees("The link is withdrawn.")
    olga.go(place)
    assert "/enter/" not in page.content()


def look_on(olga, campaigned, campaign, place):
    page = olga.page
    olga.go(f"{place}/results")
    olga.sees("No judgment counts yet.")
    careful, careless, slow = (campaigned.assessor(campaign) for _ in range(3))
    for actor in (careful, slow, careful):
        assert judge(campaigned, campaign, actor) == "done"
    assert judge(campaigned, campaign, careless, wrong=True) == "discarded"
    olga.go(place)
    olga.sees("neither barred nor gone")
    before = page.locator("#progress .value").first.inner_text()
    judge(campaigned, campaign, slow)
    # The progress is asked for again by itself, and nothing else of the page.
    page.wait_for_function("was => document.querySelector('#progress .value').textContent !== was", arg=before)
    olga.go(f"{place}/results")
    olga.sees("Judging goes on.")
    olga.sees("Win ratios on")
    page.wait_for_load_state("networkidle")
    olga.look("campaign-results")
    while any([judge(campaigned, campaign, actor) for actor in (careful, slow)]):  # noqa: C419  # all of them work
        pass
    olga.go(f"{place}/assessors")
    olga.sees("2 active, 1 barred")
    olga.look("campaign-assessors")
    olga.press("Reinstate")
    olga.sees("They get tasks again.")


def make_labels(olga, place):
    page = olga.page
    olga.go(f"{place}/new-labels")
    olga.sees("the best known answers of")
    olga.look("campaign-new-labels")
    page.fill("textarea[name=note]", "Spring judgments")
    olga.press("Make this version")
    page.wait_for_url("**/boards/trees/labels/*")
    olga.sees("The version is made")
    olga.go(f"{place}/new-labels")
    olga.sees("dev, version 2")


def exchange(olga, files, place):
    page = olga.page
    olga.go(f"{place}/files")
    olga.look("campaign-files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="spring.zip").click()
    assert saved.value.suggested_filename == "spring.zip"
    page.set_input_files("input[name=file]", str(files["broken.csv"]))
    olga.press("Take them in")
    olga.sees("broken.csv:")
    page.set_input_files("input[name=file]", str(files["more.txt"]))
    olga.press("Take them in")
    olga.sees("8 judgments in 1 task came in from more.txt.")


def end(olga, place):
    page = olga.page
    olga.go(place)
    olga.press("Pause")
    olga.sees("The campaign is paused")
    page.fill("form[action*='/look'] input[name=judgments_per_pair]", "2")
    page.fill("form[action*='/look'] input[name=depth]", "2")
    olga.press("See what it takes")
    olga.sees("This is what it adds. Nothing has been done yet.")
    olga.look("campaign-extension")
    olga.press("Extend the campaign")
    olga.sees("The larger plan is being made.")
    page.get_by_text("Close the campaign").click()
    olga.press("Yes, close it")
    olga.sees("The campaign is closed.")
    page.get_by_role("link", name="Campaigns").first.click()
    olga.look("campaigns")
