"""A campaign of 40 pairs by three assessors and an organiser, each in a browser, up to numbers that `runoff` repeats.

One assessor is careless, and the task is judged again by another. The labels that come of it, the ranks under them and
every number on the way are those that `runoff tally` computes of the files that the organiser saves.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from runoff.files.label_versions import read_labels
from runoff.store.campaign_plans import load_progress
from runoff.store.campaigns import load_campaign
from runoff.store.database import open_database
from runoff.store.label_sets import load_label_sets
from runoff.store.passwords import hash_password
from runoff.store.people import save_password
from runoff.workflows.judging.results import load_results
from tests.store.upgraded import put_upgraded
from tests.web.real import RealServer
from tests.web.travel import NARROW, PICTURES, WIDE, WORDS, Traveller
from tests.workflows.judging import campaigned as module
from tests.workflows.judging.campaigned import DOCS, NOW, Campaigned

pytestmark = pytest.mark.browser
TREES = {"q0": "oak", "q1": "elm", "q2": "ash", "q3": "yew"}
QUESTIONS = {query: f"how old can an {tree} become" for query, tree in TREES.items()}
PASSAGES = {
    f"{letter}.{query}": f"It is told of the {tree} that {100 * place} years are within its reach. "
    + "It grows slowly, and in a good place it outlives whoever planted it. " * place
    for query, tree in TREES.items()
    for place, letter in enumerate(DOCS, start=1)
}
IDS = {text.strip(): doc for doc, text in PASSAGES.items()} | {text: query for query, text in QUESTIONS.items()}
PAIRS, COPIES, PER_TASK, TESTS = 40, 2, 10, 2
DIGITS = 10
PATIENCE = 45_000


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A server process with a board of three scored runs, whose organiser has a password."""
    folder = tmp_path_factory.mktemp("site")
    url = put_upgraded(folder / "runoff.db")
    database = open_database(url)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "QUERIES", list(TREES))
        campaigned = Campaigned.made_in(database, folder)
    person, hashed = int(campaigned.organiser.id or 0), hash_password(WORDS)
    database.write(lambda connection: save_password(connection, person, hashed, actor=None, now=NOW))
    with RealServer(url, folder / "files") as server:
        yield server.base, campaigned
    database.close()


@dataclass
class Judge(Traveller):
    """An assessor in a browser; `wrong` knows the answers and gives the others, `taste` differs in some real pairs."""

    size: dict[str, int] = field(default_factory=lambda: WIDE)
    wrong: bool = False
    taste: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.page.set_viewport_size(self.size)
        self.page.set_default_timeout(PATIENCE)

    def come_in(self, link: str) -> None:
        self.go(link)
        self.see("enter")
        self.page.get_by_label("I have read this").check()
        self.press("Go on")
        self.sees("Ready when you are")

    def side(self) -> str:
        query, left, right = (
            IDS[self.page.locator(one).inner_text().strip()] for one in ("#question", "#first", "#second")
        )
        worth = [doc if doc.endswith(f".{query}") else "" for doc in (left, right)]
        is_left = worth[0] > worth[1]
        if all(worth) and self.taste and zlib.crc32(f"{self.taste} {query} {sorted(worth)}".encode()) % 3 == 0:
            is_left = not is_left
        return "left" if is_left != self.wrong else "right"

    def judge(self, *, button: str, look: bool = False) -> None:
        """Do a task: with keys at a desk, with the thumb on a phone."""
        self.press(button)
        for place in range(1, PER_TASK + TESTS + 1):
            self.sees(f"{place} of {PER_TASK + TESTS}")
            if look and place == 1:
                self.see("pair")
            if self.size is WIDE:
                self.page.keyboard.press({"left": "ArrowLeft", "right": "ArrowRight"}[self.side()])
            else:
                self.page.get_by_role("button", name={"left": "Passage 1", "right": "Passage 2"}[self.side()]).click()
        self.sees("All 12 pairs are answered")
        if look:
            self.see("answered")
        self.press("Hand in")

    def see(self, what: str) -> None:
        """The page as it is, at this size: nothing is wider than the screen."""
        over = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{what} is {over} pixels wider than the screen"
        if PICTURES:
            self.page.screenshot(path=str(Path(PICTURES) / f"joint-{what}-{self.size['width']}.png"), full_page=True)


def sign_in(olga: Traveller) -> None:
    olga.page.set_default_timeout(PATIENCE)
    olga.go("/sign-in")
    olga.page.fill("input[name=email]", "olga@example.org")
    olga.page.fill("input[name=password]", WORDS)
    olga.page.locator("main").get_by_role("button", name="Sign in").click()
    olga.page.wait_for_url("**/account")


def wait_for(traveller: Traveller, text: str) -> None:
    """Load the page again until a text is there."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not traveller.page.get_by_text(text).count():
        assert time.monotonic() < deadline, text
        traveller.page.wait_for_timeout(200)
        traveller.page.reload()


def test_three_assessors_and_an_organiser(world, browser, tmp_path):
    address, campaigned = world
    olga = Traveller(browser, address)
    sign_in(olga)
    place = make_campaign(olga, tmp_path)
    links = [make_link(olga, place) for _ in range(3)]
    careful = Judge(browser, address, size=WIDE)
    careless = Judge(browser, address, size=NARROW, wrong=True)
    other = Judge(browser, address, size=NARROW, taste="short")
    for judge, link in zip((careful, careless, other), links, strict=True):
        judge.come_in(link)
    judge_all(olga, place, careful, careless, other)
    campaign = campaigned.read(load_campaign, int(place.rpartition("/")[2]))
    progress = campaigned.read(load_progress, campaign.id)
    assert (progress.tasks_done, progress.judgments_done) == (8, COPIES * PAIRS)
    assert (progress.tasks_open, progress.tasks_given) == (0, 0)
    saved = save_files(olga, place, tmp_path)
    told = tallied(campaigned.folder, saved)
    check_results(olga, place, campaigned, campaign, told)
    check_labels(olga, place, campaigned, saved, told)
    for traveller in (olga, careful, careless, other):
        assert [text for text in traveller.said if "status of 503" not in text] == []
        traveller.context.close()


def make_campaign(olga, folder):
    """The form, the texts, the preview, the start."""
    page = olga.page
    olga.go("/boards/trees/settings")
    page.fill("input[name=digits]", str(DIGITS))
    olga.press("Save the settings")
    olga.page.wait_for_url("**done=*")
    olga.go("/boards/trees/campaigns/new")
    row = {"title": "Spring", "slug": "spring", "depth": len(DOCS), "judgments_per_pair": COPIES}
    row |= {"pairs_per_task": PER_TASK, "tests_per_task": TESTS, "pay": 1.5, "currency": "EUR"}
    for name, value in row.items():
        page.fill(f"input[name={name}]", str(value))
    olga.press("Make the draft")
    page.wait_for_url("**/campaigns/*?done=campaign")
    place = page.url.partition("?")[0].removeprefix(olga.address)
    wait_for(olga, "What it will take")
    # While something goes on, the page may load itself again, and files that were just chosen are gone.
    page.wait_for_function("!document.querySelector('[data-refresh]')")
    for name, texts in (("queries", QUESTIONS), ("docs", PASSAGES)):
        file = folder / f"{name}.tsv"
        file.write_text("".join(f"{one}\t{text}\n" for one, text in texts.items()))
        page.set_input_files(f"input[name={name}]", str(file))
    olga.press("Send the texts")
    olga.sees("The texts are there.")
    preview = page.locator("section[aria-labelledby=preview]").inner_text()
    assert f"{PAIRS}" in preview, preview
    olga.look("joint-draft")
    olga.press("Start the campaign")
    wait_for(olga, "Links for assessors")
    return place


def make_link(olga, place):
    olga.go(place)
    olga.page.fill("input[name=most_uses]", "1")
    olga.press("Make a link")
    olga.sees("shown this once")
    return str(olga.page.locator(".notice code").first.inner_text()).strip()


def judge_all(olga, place, careful, careless, other):
    """The careless one fails a test pair, and what is left, that task with it, is judged by the two others."""
    careless.judge(button="Begin", look=True)
    careless.sees("No more tasks")
    careless.sees("Thank you for your time.")
    careless.see("stopped")
    careless.press("Finish and get your code")
    careless.sees("Your code")
    careless.see("stopped-code")
    careful.judge(button="Begin", look=True)
    careful.sees("The task is handed in.")
    careful.see("handed-in")
    other.judge(button="Begin")
    other.sees("The task is handed in.")
    olga.go(place)
    olga.look("joint-under-way")
    olga.go(f"{place}/results")
    olga.sees("Judging goes on.")
    for _ in range(3):
        for judge in (careful, other):
            judge.judge(button="Next task")
            judge.sees("The task is handed in.")
    for judge in (careful, other):
        judge.press("Next task")
        judge.sees("No more work now")
        judge.see("nothing")
        judge.page.get_by_role("link", name="Finish here").click()
        judge.press("Leave and get the code")
        judge.sees("Your code")
        judge.sees("6.00 EUR")
        judge.see("code")
    olga.go(f"{place}/assessors")
    olga.sees("1 barred")
    olga.look("joint-assessors")


def save_files(olga, place, folder):
    """What the organiser saves."""
    page = olga.page
    olga.go(f"{place}/files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="spring.zip").click()
    saved.value.save_as(folder / "spring.zip")
    with zipfile.ZipFile(folder / "spring.zip") as archive:
        archive.extractall(folder)
        return {name: folder / name for name in archive.namelist()}


def tallied(folder, saved):
    """What `runoff tally` says of the saved files and the files of the board; the runs have their names there."""
    home = saved["judgments.csv"].parent
    runs = []
    for number in range(3):
        runs += ["--runs", str(home / f"run {number}")]
        (home / f"run {number}").write_bytes((folder / "described" / f"run{number}.txt").read_bytes())
    command = [sys.executable, "-m", "runoff", "tally", str(saved["judgments.csv"]), "--tasks", str(saved["tasks.csv"])]
    command += [*runs, "--qrels", str(folder / "described" / "qrels.txt"), "--qrels-out", str(home / "told.qrels")]
    done = subprocess.run([*command, "--format", "json", "--quiet"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (home / "told.qrels").read_bytes() == saved["preference.qrels"].read_bytes()
    return json.loads(done.stdout)


def cells(page: Any, caption: str) -> list[dict[str, str]]:
    """The rows of the table with a caption, each value by the name of its column."""
    found = page.evaluate(
        """(caption) => [...document.querySelectorAll("table")]
            .filter((table) => table.caption && table.caption.textContent.trim() === caption)
            .map((table) => {
                const names = [...table.querySelectorAll("thead th")].map((one) => one.dataset.name);
                return [...table.querySelectorAll("tbody tr")].map((row) =>
                    Object.fromEntries([...row.cells].map((one, at) =>
                        [names[at], one.dataset.v ?? one.textContent.trim()])));
            })""",
        caption,
    )
    assert len(found) == 1, caption
    return list(found[0])


def check_results(olga, place, campaigned, campaign, told):
    """The page of the results, and what it was made of."""
    page = olga.page
    found = campaigned.read(load_results, campaigned.files, campaign, actor=campaigned.organiser)
    own = json.loads(json.dumps(found.tally.to_dict()))
    assert {name: value for name, value in own.items() if name != "files"} == {
        name: value for name, value in told.items() if name != "files"
    }
    assert (told["judgments"], told["quality"]["discarded"]) == (COPIES * PAIRS, PER_TASK)
    assert len(told["quality"]["excluded"]) == 1
    assert told["quality"]["reissue"] == []
    olga.go(f"{place}/results")
    olga.sees("Best known answers")
    assert page.get_by_text("Judging goes on.").count() == 0
    page.wait_for_load_state("networkidle")
    olga.look("joint-results")
    check_tables(page, told)


def check_tables(page, told):
    """What stands in the tables: the numbers of the command, with the digits of the board."""
    shown = {row["run"]: row for row in cells(page, "Impact on RR@10, 4 queries")}
    assert len(shown) == 3
    for row in told["impact"]["runs"]:
        own = shown[row["run"]]
        for kind, rank in (("original", "rank"), ("preference", "new_rank")):
            low, high = row[kind]["ci95"]
            for name, value in ((kind, row[kind]["mean"]), (f"{kind}_low", low), (f"{kind}_high", high)):
                assert float(own[name]) == round(value, DIGITS), (row["run"], name)
            assert float(own[rank]) == row[kind]["rank"]
    table = cells(page, "Win ratios on 4 queries")
    for row in table:
        ratios = [told["win_ratios"][row["run"]].get(other["run"]) for other in table]
        found = [row[name] for name in row if name not in ("run", "wins")]
        assert found == ["" if one is None else f"{one:.1%}" for one in ratios]
        assert int(row["wins"]) == told["wins"][row["run"]]


def check_labels(olga, place, campaigned, saved, told):
    """One click makes the version, another takes it into use, and the board ranks by it."""
    page = olga.page
    olga.go(f"{place}/new-labels")
    olga.look("joint-new-labels")
    changed = {row["run"]: row for row in cells(page, "RR@10 under two versions of the labels, 4 queries")}
    for row in told["impact"]["runs"]:
        own = changed[row["run"]]
        for kind, name in (("original", "old"), ("preference", "new")):
            assert float(own[f"{name}_mean"]) == round(row[kind]["mean"], DIGITS)
            assert float(own[f"{name}_rank"]) == row[kind]["rank"]
    olga.press("Make this version")
    page.wait_for_url("**/boards/trees/labels/*")
    wait_for(olga, "3 of 3 runs are scored on it.")
    olga.look("joint-version")
    labels = campaigned.read(load_label_sets, campaigned.board.id)[-1]
    kept = read_labels(campaigned.files.path(str(labels.content_hash)), name=labels.name).qrels
    assert {query: [doc for one, doc, grade in kept if one == query and grade > 0] for query in TREES} == told[
        "preference_qrels"
    ]
    before = api_board(olga)
    olga.press("Use this version")
    olga.sees("The board ranks by these labels now.")
    after = api_board(olga)
    for board, kind in ((before, "original"), (after, "preference")):
        means = {row["run"]: row[kind]["mean"] for row in told["impact"]["runs"]}
        assert {row["run"]: row["mean"] for row in board["runs"]} == {
            run: round(mean, DIGITS) for run, mean in means.items()
        }
        ranks = {row["run"]: row[kind]["rank"] for row in told["impact"]["runs"]}
        assert [ranks[row["run"]] for row in board["runs"]] == sorted(ranks.values()), kind
    assert [row["run"] for row in before["runs"]] != [row["run"] for row in after["runs"]]
    olga.go("/boards/trees")
    olga.look("joint-board")


def api_board(olga):
    answer = olga.context.request.get(f"{olga.address}/api/v1/boards/trees")
    assert answer.ok, answer.text()
    return answer.json()
