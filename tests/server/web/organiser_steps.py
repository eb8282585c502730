"""The steps of a board from its making to its reveal in browsers; each is a test, and all in a row are one too."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.server.cases.served import NOW
from tests.server.web.organised import ORGANISER, REVEAL
from tests.server.web.serving import Clock
from tests.server.web.travel import Traveller

Files = dict[str, Path]


def link_on(page: Any) -> str:
    """The link that a page shows this once."""
    return str(page.locator(".notice code").inner_text()).strip()


def make_an_account(olga: Traveller, link: str) -> None:
    olga.go(link)
    olga.look("link")
    olga.join(link, "Olga", ORGANISER)


def make_a_board(olga: Traveller, files: Files) -> None:
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
    olga.press("Create the board")
    olga.sees("4 fields have to be fixed")
    olga.sees("broken-qrels:2:")
    olga.sees("broken-qrels:3:")
    olga.look("new-board-wrong")
    page.fill("input[name=slug]", "trees")
    page.fill("input[name=measure]", "RR@10")
    page.fill("input[name=depth]", "10")
    for name in ("private_until", "closes_at"):
        page.fill(f"input[name={name}]", f"{REVEAL:%Y-%m-%dT%H:%M}")
    page.set_input_files("input[name=label_file_1]", str(files["qrels"]))
    page.set_input_files("input[name=private_labels]", str(files["secret"]))
    olga.press("Create the board")
    page.wait_for_url("**/boards/trees/organise?done=made")
    olga.sees("The board was created.")
    olga.look("organise-new")


def gather_people(olga: Traveller, ann: Traveller, bob: Traveller, cleo: Traveller) -> None:
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        olga.go("/organise/people")
        olga.page.fill("input[name=email]", f"{name.lower()}@example.org")
        olga.press("Create a link")
        person.join(link_on(olga.page), name, f"{name.lower()}@example.org")
    olga.look("people")
    for person, team in ((ann, "Oaks"), (bob, "Elms & Sons")):
        person.page.fill("form[action='/account/teams'] input[name=name]", team)
        person.press("Create a team")
        person.sees("This team waits for an organiser to approve it.")
        olga.go("/organise/people")
        olga.press(f"Approve {team}")
        olga.sees("The team can submit and invite now.")
    bob.go("/teams/elms-sons")
    bob.page.fill("input[name=email]", "cleo@example.org")
    bob.press("Create a link to the team")
    cleo.go(link_on(bob.page))
    cleo.sees("You join the team “Elms & Sons” with a new account")
    cleo.join(link_on(bob.page), "Cleo", "cleo@example.org")
    cleo.look("account")
    bob.go("/teams/elms-sons")
    bob.sees("Bob, Cleo")
    bob.look("team")


def send_broken_runs(ann: Traveller, files: Files) -> None:
    ann.go("/boards/trees/submit")
    ann.sees("0 of 2 submissions used in the last 30 days, 2 left")
    ann.look("submit")
    ann.submit(files["broken"], "broken", button="Dry run")
    ann.sees("Dry run: this run would be refused.")
    ann.sees("broken:2:")
    ann.look("dry-run-wrong")
    ann.submit(files["run1"], "oak 1", button="Dry run")
    ann.sees("Dry run: the file is fine (24 queries)")
    ann.submit(files["broken"], "broken")
    ann.sees("broken:2:")
    ann.sees("0 of 2 submissions used in the last 30 days, 2 left")
    ann.look("submit-wrong")


def submit_until_none_is_left(ann: Traveller, files: Files) -> None:
    for number in (1, 2):
        ann.submit(files[f"run{number}"], f"oak {number}")
        ann.page.wait_for_url("**/runs/*")
        ann.sees("It has been read and scored.")
    ann.look("run-scored")
    ann.go("/boards/trees/submit")
    ann.sees("2 of 2 submissions used in the last 30 days, 0 left; the next is possible from 2026-04-14 (UTC)")
    ann.sees("Your team has no submissions left for now.")
    ann.look("submit-none-left")


def submit_under_an_embargo(bob: Traveller, cleo: Traveller, files: Files) -> None:
    bob.submit(files["run3"], "elm under embargo", embargo_until="2026-04-01")
    bob.page.wait_for_url("**/runs/*")
    bob.sees("It has been read and scored. Others see it from 2026-04-01")
    cleo.submit(files["run4"], "elm 4")
    cleo.page.wait_for_url("**/runs/*")
    cleo.sees("It has been read and scored.")
    cleo.go("/boards/trees")
    cleo.sees("Your runs that others do not see yet")
    cleo.look("board-team")


def look_for_near_duplicates(olga: Traveller) -> None:
    page = olga.page
    olga.go("/boards/trees/organise")
    olga.sees("Others see these means from 2026-04-24")
    olga.press("Look for near-duplicates")
    olga.sees("search for near-duplicates has started")
    olga.sees_after_a_while("found among 4 runs on 2026-03-15", "/boards/trees/organise")
    page.get_by_role("heading", name="Submission limit").wait_for()
    olga.look("organise")
    page.select_option("select[name=action]", "submit")
    page.get_by_text(re.compile("Changes 1 to 4 of 4")).wait_for()


def take_a_run_out_of_the_rule(olga: Traveller, ann: Traveller) -> None:
    olga.go("/boards/trees/runs/2")
    olga.press("Do not count it towards the limit")
    olga.sees("no longer counts towards the submission limit")
    ann.go("/boards/trees/submit")
    ann.sees("1 of 2 submissions used in the last 30 days, 1 left")


def choose_another_measure(olga: Traveller) -> None:
    """Every run is scored again."""
    page = olga.page
    olga.go("/boards/trees/settings")
    olga.look("settings")
    page.fill("input[name=closes_at]", "2020-01-01T00:00")
    page.fill("input[name=opens_at]", "2021-01-01T00:00")
    olga.press("Save settings")
    olga.sees("expected a later time")
    page.fill("input[name=opens_at]", "")
    page.fill("input[name=closes_at]", f"{REVEAL:%Y-%m-%dT%H:%M}")
    page.fill("input[name=measure]", "nDCG@10")
    olga.press("Save settings")
    olga.sees("Every run is being rescored")
    olga.sees_after_a_while("No job is waiting, and none has failed.", "/boards/trees/organise")


def add_labels(olga: Traveller, ann: Traveller, files: Files) -> None:
    """They are seen before they are used, and those before them can be chosen afterwards."""
    page = olga.page
    olga.go("/boards/trees/labels")
    page.fill("input[name=name]", "labels")
    page.set_input_files("input[name=file]", str(files["better"]))
    page.fill("textarea[name=note]", "q0 and q1 judged again")
    olga.press("Add the labels")
    olga.sees_after_a_while("From version 1 to 2 the best known answers of 2 of 24 queries change")
    olga.look("label-version")
    olga.press("Use this version")
    olga.sees("The board ranks by these labels now.")
    olga.go("/boards/trees/labels")
    olga.look("labels")
    ann.go("/boards/trees")
    ann.page.select_option("select[name=labels]", "labels (version 1)")
    ann.page.wait_for_url("**labels=labels+%28version+1%29*")


def compare_runs(ann: Traveller) -> None:
    page = ann.page
    ann.go("/boards/trees/compare?champion=2&challenger=3")
    ann.sees("run '3' is not on this board, or you may not see it")
    ann.go("/boards/trees/compare")
    page.select_option("select[name=champion]", label="oak 1 · Oaks")
    page.select_option("select[name=challenger]", label="elm 4 · Elms & Sons")
    ann.press("Compare")
    ann.sees("elm 4 against oak 1")
    ann.sees("would give labels away")
    ann.look("compare")


def wait_for_the_reveal(ann: Traveller, clock: Clock) -> None:
    page = ann.page
    ann.go("/boards/trees")
    ann.sees("private results are shown from 2026-04-24")
    assert page.get_by_text("elm under embargo").count() == 0
    clock.moment = NOW + timedelta(days=20)
    ann.go("/boards/trees")
    ann.sees("elm under embargo")
    assert page.get_by_role("columnheader", name=re.compile("private")).count() == 0
    clock.moment = NOW + timedelta(days=41)
    # The session ended with the week.
    ann.go("/boards/trees")
    ann.sees("private results are shown")
    page.get_by_role("columnheader", name=re.compile("private")).first.wait_for()
    ann.look("board-revealed")
