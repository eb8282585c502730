"""A board from its making to its reveal, all in a browser: an organiser, and two teams that submit to it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from runoff.web.server import prepare
from tests.web.serving import Clock
from tests.web.travel import Traveller, new_site, running
from tests.workflows.served import NOW, PRIVATE, PUBLIC, run_text

pytestmark = pytest.mark.browser
ORGANISER = "olga@example.org"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A running server with nothing in it, its clock, and the first link."""
    folder = tmp_path_factory.mktemp("site")
    clock = Clock(NOW)
    site, port = new_site(folder, clock)
    *_, link = prepare(site, organiser=ORGANISER)
    with running(site, port):
        yield site.settings.base_url, clock, link.strip()
    site.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Labels, queries, and runs good and bad."""
    folder = tmp_path_factory.mktemp("sent")
    texts = {
        "qrels": "".join(f"{query} 0 d 1\n{query} 0 x 0\n" for query in PUBLIC),
        "better": "".join(f"{query} 0 d 1\n{query} 0 x 0\n" for query in PUBLIC[2:]) + "q0 0 none 1\nq1 0 none 1\n",
        "broken-qrels": "q0 0 d 1\nq1 0 d\nq2 0 d many\n",
        "secret": "".join(f"{query} 0 d 1\n" for query in PRIVATE),
        "broken": "q0 Q0 d 1 2.5 mine\nq1 Q0 d 1 high mine\nq2 Q0 d\n",
        **{f"run{number}": run_text(number, skill=0.2 + 0.15 * number) for number in range(5)},
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}


def link_on(page) -> str:
    return str(page.locator(".notice code").inner_text()).strip()


def in_days(days: int) -> str:
    return f"{datetime.combine(NOW.date(), NOW.time()) + timedelta(days=days):%Y-%m-%dT%H:%M}"


def test_a_board_from_its_making_to_its_reveal(world, browser, files):
    address, clock, link = world
    olga = Traveller(browser, address)
    olga.go(link)
    olga.look("link")
    olga.join(link, "Olga", ORGANISER)
    make_board(olga, files)
    ann, bob, cleo = (Traveller(browser, address, dark=dark) for dark in (True, False, True))
    gather(olga, ann, bob, cleo)
    ann_submits(ann, files)
    bob_submits(bob, cleo, files)
    olga_organises(olga, files)
    others_look(ann, cleo, clock)
    for traveller in (olga, ann, bob, cleo):
        # A form that is sent back with its faults has the status 422, which browsers note as an error.
        assert [text for text in traveller.said if "status of 422" not in text] == []
        traveller.context.close()


def make_board(olga, files):
    page = olga.page
    olga.go("/")
    olga.look("home-empty")
    page.get_by_role("link", name="New board").click()
    olga.look("new-board")
    page.fill("input[name=title]", "Trees")
    page.fill("input[name=slug]", "Trees!")
    page.fill("input[name=measure]", "RR@ten")
    page.fill("input[name=depth]", "0")
    page.set_input_files("input[name=label_file_1]", str(files["broken-qrels"]))
    olga.press("Make the board")
    olga.sees("4 fields have to be mended")
    olga.sees("broken-qrels:2:")
    olga.sees("broken-qrels:3:")
    olga.look("new-board-wrong")
    page.fill("input[name=slug]", "trees")
    page.fill("input[name=measure]", "RR@10")
    page.fill("input[name=depth]", "10")
    page.fill("input[name=private_until]", in_days(40))
    page.set_input_files("input[name=label_file_1]", str(files["qrels"]))
    page.set_input_files("input[name=private_labels]", str(files["secret"]))
    olga.press("Make the board")
    page.wait_for_url("**/boards/trees/organise?done=made")
    olga.sees("The board is made.")
    olga.look("organise-new")


def gather(olga, ann, bob, cleo):
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        olga.go("/organise/people")
        olga.page.fill("input[name=email]", f"{name.lower()}@example.org")
        olga.press("Make a link")
        person.join(link_on(olga.page), name, f"{name.lower()}@example.org")
    olga.look("people")
    for person, team in ((ann, "Oaks"), (bob, "Elms & Sons")):
        person.page.fill("form[action='/account/teams'] input[name=name]", team)
        person.press("Make a team")
        person.sees("The team is made.")
    bob.page.fill("input[name=email]", "cleo@example.org")
    bob.press("Make a link into the team")
    cleo.go(link_on(bob.page))
    cleo.sees("You join the team “Elms & Sons” with a new account")
    cleo.join(link_on(bob.page), "Cleo", "cleo@example.org")
    cleo.look("account")
    bob.go("/teams/elms-sons")
    bob.sees("Bob, Cleo")
    bob.look("team")


def ann_submits(ann, files):
    page = ann.page
    ann.go("/boards/trees/submit")
    ann.sees("0 of 2 submissions in any 30 days are used, 2 left")
    ann.look("submit")
    ann.submit(files["broken"], "broken", button="Dry run")
    ann.sees("Dry run: it would not be taken.")
    ann.sees("broken:2:")
    ann.look("dry-run-wrong")
    ann.submit(files["run1"], "oak 1", button="Dry run")
    ann.sees("Dry run: the file is fine (24 queries)")
    ann.submit(files["broken"], "broken")
    ann.sees("broken:2:")
    ann.sees("0 of 2 submissions in any 30 days are used, 2 left")
    ann.look("submit-wrong")
    for number in (1, 2):
        ann.submit(files[f"run{number}"], f"oak {number}")
        page.wait_for_url("**/runs/*")
        ann.sees("It has been read and scored.")
    ann.look("run-scored")
    ann.go("/boards/trees/submit")
    ann.sees("2 of 2 submissions in any 30 days are used, 0 left; the next can be made from 2026-04-14 (UTC)")
    ann.sees("The rule of this board leaves your team no submission now.")
    ann.look("submit-none-left")


def bob_submits(bob, cleo, files):
    bob.submit(files["run3"], "elm under embargo", embargo_until="2026-04-01")
    bob.page.wait_for_url("**/runs/*")
    bob.sees("It has been read and scored. Others see it from 2026-04-01")
    cleo.submit(files["run4"], "elm 4")
    cleo.page.wait_for_url("**/runs/*")
    cleo.sees("It has been read and scored.")
    cleo.go("/boards/trees")
    cleo.sees("Your runs that others do not see yet")
    cleo.look("board-team")


def olga_organises(olga, files):
    page = olga.page
    olga.go("/boards/trees/organise")
    olga.sees("Others see these means from 2026-04-24")
    olga.press("Look for near-duplicates")
    olga.sees("are being looked for")
    wait_for(olga, "pairs of 4 runs, looked for on 2026-03-15")
    page.get_by_role("heading", name="Rule for submissions").wait_for()
    olga.look("organise")
    page.select_option("select[name=action]", "submit")
    page.get_by_text(re.compile("Changes 1 to 4 of 4")).wait_for()
    # A run that the organiser takes out of the rule.
    olga.go("/boards/trees/runs/2")
    olga.press("Do not count it for the rule")
    olga.sees("does not count for the rule any more")
    # Another measure: every run is scored again.
    olga.go("/boards/trees/settings")
    olga.look("settings")
    page.fill("input[name=closes_at]", "2020-01-01T00:00")
    page.fill("input[name=opens_at]", "2021-01-01T00:00")
    olga.press("Save the settings")
    olga.sees("expected a later time")
    page.fill("input[name=opens_at]", "")
    page.fill("input[name=closes_at]", "")
    page.fill("input[name=measure]", "nDCG@10")
    olga.press("Save the settings")
    olga.sees("Every run is scored again")
    wait_for(olga, "Nothing waits, and nothing has failed.", path="/boards/trees/organise")
    # New labels, seen before they are used.
    olga.go("/boards/trees/labels")
    page.fill("input[name=name]", "labels")
    page.set_input_files("input[name=file]", str(files["better"]))
    page.fill("textarea[name=note]", "q0 and q1 judged again")
    olga.press("Add the labels")
    wait_for(olga, "From version 1 to 2 the best known answers of 2 of 24 queries change", path=None)
    olga.look("label-version")
    olga.press("Use this version")
    olga.sees("The board ranks by these labels now.")
    olga.go("/boards/trees/labels")
    olga.look("labels")


def others_look(ann, cleo, clock):
    page = ann.page
    ann.go("/boards/trees/submit")
    ann.sees("1 of 2 submissions in any 30 days are used, 1 left")
    ann.go("/boards/trees")
    ann.sees("Results on private labels are shown from 2026-04-24")
    assert page.get_by_text("elm under embargo").count() == 0
    page.select_option("select[name=labels]", "labels (version 1)")
    page.wait_for_url("**labels=labels+%28version+1%29*")
    ann.go("/boards/trees/compare?champion=2&challenger=3")
    ann.sees("run '3' is not on this board, or you may not see it")
    ann.go("/boards/trees/compare")
    page.select_option("select[name=champion]", label="oak 1 · Oaks")
    page.select_option("select[name=challenger]", label="elm 4 · Elms & Sons")
    ann.press("Compare")
    ann.sees("elm 4 against oak 1: ")
    ann.sees("lines of evidence")
    ann.look("compare")
    clock.moment = NOW + timedelta(days=20)
    ann.go("/boards/trees")
    ann.sees("elm under embargo")
    assert page.get_by_role("columnheader", name=re.compile("private")).count() == 0
    clock.moment = NOW + timedelta(days=41)
    # The session ended with the week.
    ann.go("/boards/trees")
    ann.sees("Results on private labels are shown.")
    page.get_by_role("columnheader", name=re.compile("private")).first.wait_for()
    ann.look("board-revealed")


def wait_for(traveller, text, *, path="/boards/trees/organise"):
    """Load a page again until a text is there."""
    for _ in range(60):
        if traveller.page.get_by_text(text).count():
            return
        traveller.page.wait_for_timeout(200)
        traveller.go(path) if path else traveller.page.reload()
    raise AssertionError(text)
