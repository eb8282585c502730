"""The steps of a campaign by three assessors and an organiser, each in a browser; every number is that of `runoff`."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from runoff.files.qrels import read_labels
from runoff.server.cases.judging.results import load_results
from runoff.server.store.campaigns import Campaign
from runoff.server.store.label_sets import load_label_sets
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.web.together_site import (
    COPIES,
    DIGITS,
    PAIRS,
    PASSAGES,
    PER_TASK,
    QUESTIONS,
    SETTINGS,
    TREES,
    Judge,
    text_file,
)
from tests.server.web.travel import Traveller
from tests.server.web.waiting import wait_until

Tally = dict[str, Any]


def make_campaign(olga: Traveller, folder: Path) -> str:
    """The form, the texts, the preview, the start."""
    page = olga.page
    olga.go("/boards/trees/settings")
    page.fill("input[name=digits]", str(DIGITS))
    olga.press("Save settings")
    olga.page.wait_for_url("**done=*")
    olga.go("/boards/trees/campaigns/new")
    for name, value in SETTINGS.items():
        page.fill(f"input[name={name}]", str(value))
    olga.press("Create the draft")
    page.wait_for_url("**/campaigns/*?done=campaign")
    place = str(page.url.partition("?")[0].removeprefix(olga.address))
    olga.sees_after_a_while("Work and cost")
    # While something goes on, the page may load itself again, and files that were just chosen are gone.
    wait_until(page, "!document.querySelector('[data-refresh]')")
    for name, texts in (("queries", QUESTIONS), ("docs", PASSAGES)):
        file = folder / f"{name}.tsv"
        file.write_text(text_file(texts))
        page.set_input_files(f"input[name={name}]", str(file))
    olga.press("Upload the texts")
    olga.sees("The texts were uploaded.")
    preview = page.locator("section[aria-labelledby=preview]").inner_text()
    assert f"{PAIRS}" in preview, preview
    olga.look("joint-draft")
    olga.press("Start the campaign")
    olga.sees_after_a_while("Links for assessors")
    return place


def make_link(olga: Traveller, place: str) -> str:
    olga.go(place)
    olga.page.fill("input[name=most_uses]", "1")
    olga.press("Create a link")
    olga.sees("It is shown only once")
    return str(olga.page.locator(".notice code").first.inner_text()).strip()


def a_careless_one_is_stopped(careless: Judge) -> None:
    """A test pair is failed."""
    careless.judge(button="Begin", look=True)
    careless.sees("No more tasks")
    careless.sees("Thank you for your time.")
    careless.see("stopped")
    careless.press("Finish and get your code")
    careless.sees("Your code")
    careless.see("stopped-code")


def two_do_their_first_task(careful: Judge, other: Judge) -> None:
    careful.judge(button="Begin", look=True)
    careful.sees("Your task was handed in.")
    careful.see("handed-in")
    other.judge(button="Begin")
    other.sees("Your task was handed in.")


def look_on(olga: Traveller, place: str) -> None:
    olga.go(place)
    olga.look("joint-under-way")
    olga.go(f"{place}/results")
    olga.sees("Judging is not finished.")


def nothing_is_left(judge: Judge, *, button: str) -> None:
    """Four tasks are paid."""
    judge.press(button)
    judge.sees("No more tasks right now")
    judge.see("nothing")
    judge.page.get_by_role("link", name="Finish here").click()
    judge.press("Leave and get the code")
    judge.sees("Your code")
    judge.sees("6.00 EUR")
    judge.see("code")


def see_who_is_barred(olga: Traveller, place: str) -> None:
    olga.go(f"{place}/assessors")
    olga.sees("1 barred")
    olga.look("joint-assessors")


def save_files(olga: Traveller, place: str, folder: Path) -> dict[str, Path]:
    """What the organiser saves."""
    page = olga.page
    olga.go(f"{place}/files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="spring.zip").click()
    saved.value.save_as(folder / "spring.zip")
    with zipfile.ZipFile(folder / "spring.zip") as archive:
        archive.extractall(folder)
        return {name: folder / name for name in archive.namelist()}


def tallied(folder: Path, saved: dict[str, Path]) -> Tally:
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
    return dict(json.loads(done.stdout))


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


def tally_here(campaigned: Campaigned, campaign: Campaign) -> Tally:
    """What the server computes of the campaign, without the names of files."""
    found = campaigned.read(load_results, campaigned.files, campaign, actor=campaigned.organiser)
    tally = json.loads(json.dumps(found.tally.to_dict()))
    return {name: value for name, value in tally.items() if name != "files"}


def check_results(olga: Traveller, place: str, campaigned: Campaigned, campaign: Campaign, told: Tally) -> None:
    """The page of the results, and what it was made of."""
    page = olga.page
    assert tally_here(campaigned, campaign) == {name: value for name, value in told.items() if name != "files"}
    assert (told["judgments"], told["quality"]["discarded"]) == (COPIES * PAIRS, PER_TASK)
    assert len(told["quality"]["excluded"]) == 1
    assert told["quality"]["reissue"] == []
    olga.go(f"{place}/results")
    olga.sees("Best known answers")
    assert page.get_by_text("Judging is not finished.").count() == 0
    olga.has_all_pictures()
    olga.look("joint-results")
    check_tables(page, told)


def check_tables(page: Any, told: Tally) -> None:
    """What stands in the tables: the numbers of the command, with the digits of the board."""
    shown = {row["run"].removesuffix("°"): row for row in cells(page, "Impact on RR@10, 4 queries")}
    assert len(shown) == 4  # three runs and the perfect ranking
    for row in told["impact"]["runs"]:
        own = shown[row["run"]]
        for kind, rank in (("original", "rank"), ("preference", "new_rank")):
            low, high = row[kind]["ci95"]
            for name, value in ((kind, row[kind]["mean"]), (f"{kind}_low", low), (f"{kind}_high", high)):
                assert float(own[name]) == round(value, DIGITS), (row["run"], name)
            assert float(own[rank]) == row[kind]["rank"]
    *table, wins = cells(page, "Win ratios on 4 queries")
    runs = [row["run"].removesuffix("°") for row in table]
    known = {(cell["row"], cell["column"]): cell for cell in told["win_ratio_cells"]}
    for run, row in zip(runs, table, strict=True):
        _, *found = row.values()
        assert found == [_cell(known.get((run, other))) for other in runs]
    assert [int(number) for number in list(wins.values())[1:]] == [told["wins"][run] for run in runs]


def _cell(cell: dict[str, Any] | None) -> str:
    """A win ratio with its number of queries, as a page shows it."""
    if cell is None:
        return ""
    ratio = "–" if cell["ratio"] is None else f"{cell['ratio']:.1%}"
    return f"{ratio} ({cell['queries']}){'*' if cell['significant'] else ''}"


def check_labels(olga: Traveller, place: str, campaigned: Campaigned, told: Tally) -> None:
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
    olga.sees_after_a_while("3 of 3 runs are scored on it.")
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


def api_board(olga: Traveller) -> Any:
    answer = olga.context.request.get(f"{olga.address}/api/v1/boards/trees")
    assert answer.ok, answer.text()
    return answer.json()
