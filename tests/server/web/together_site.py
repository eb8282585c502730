"""A campaign of 40 pairs on four queries whose passages have texts, and three assessors who know the answers.

One is careless and fails a test pair; one has a taste of their own in some real pairs.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.change import change_board
from runoff.server.cases.judging.judge import choose, finish_task
from runoff.server.site import Site
from runoff.server.store.access import hash_password
from runoff.server.store.campaigns import Campaign, load_campaigns
from runoff.server.store.database import Database
from runoff.server.store.participation import load_participations
from runoff.server.store.people import save_password
from runoff.tables.settings import BoardSettings
from tests.axe import overflow
from tests.server.cases.judging import campaigned as module
from tests.server.cases.judging.campaigned import DOCS, NOW, Campaigned
from tests.server.store.snapshots import filled
from tests.server.web.serving import Clock
from tests.server.web.travel import PICTURES, WIDE, WORDS, Traveller, new_site, running

ORGANISER = "olga@example.org"
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
SETTINGS: dict[str, Any] = {
    "title": "Spring", "slug": "spring", "depth": len(DOCS), "judgments_per_pair": COPIES, "pairs_per_task": PER_TASK,
    "tests_per_task": TESTS, "pay": 1.5, "currency": "EUR",
}  # fmt: skip
TASTE = "short"
Stage = Literal["board", "open", "judged"]


def better_side(query: str, left: str, right: str, *, wrong: bool = False, taste: str = "") -> Literal["left", "right"]:
    """The side of the better passage, from the texts of a pair; a taste turns some real pairs round."""
    query = IDS[query.strip()]
    docs = IDS[left.strip()], IDS[right.strip()]
    worth = [doc if doc.endswith(f".{query}") else "" for doc in docs]
    is_left = worth[0] > worth[1]
    if all(worth) and taste and zlib.crc32(f"{taste} {query} {sorted(worth)}".encode()) % 3 == 0:
        is_left = not is_left
    return "left" if is_left != wrong else "right"


def made_board(database: Database, folder: Path) -> Campaigned:
    """A board of three scored runs, whose organiser has a password."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "QUERIES", list(TREES))
        campaigned = Campaigned.made_in(database, folder)
    person, hashed = int(campaigned.organiser.id or 0), hash_password(WORDS)
    database.write(lambda connection: save_password(connection, person, hashed, actor=None, now=NOW))
    return campaigned


@dataclass
class TogetherSite:
    """A running server with the campaign; `folder` is for files."""

    site: Site
    campaigned: Campaigned
    folder: Path

    @property
    def address(self) -> str:
        """Where it is."""
        return self.site.settings.base_url

    @property
    def campaign(self) -> Campaign:
        """The only campaign."""
        campaigns: tuple[Campaign, ...] = self.campaigned.read(load_campaigns)
        return campaigns[0]

    @property
    def place(self) -> str:
        """The address of its page."""
        return f"/boards/trees/campaigns/{self.campaign.id}"

    @property
    def newest(self) -> Actor:
        """Who came in last."""
        parts = self.campaigned.read(load_participations, self.campaign.id)
        return Actor(id=max(part.person_id for part in parts), role="assessor")

    def organiser(self, browser: Any) -> Traveller:
        """The organiser, who is signed in."""
        traveller = Traveller(browser, self.address)
        traveller.is_signed_in(self.site, ORGANISER)
        return traveller


@contextmanager
def together_site(folder: Path, stage: Stage) -> Iterator[TogetherSite]:
    """A server with the board alone, with the open campaign, or when all is judged."""
    site, port = new_site(folder, Clock(NOW))

    def fill() -> Campaigned:
        made = made_board(site.database, folder)
        if stage != "board":
            _open(made)
        if stage == "judged":
            (campaign,) = made.read(load_campaigns)
            careful, careless, other = (made.assessor(campaign) for _ in range(3))
            assert do_task(made, campaign, careless, wrong=True) == "discarded"
            while any([do_task(made, campaign, careful), do_task(made, campaign, other, taste=TASTE)]):
                pass
        return made

    made = filled(site.database, folder, ("together", stage), fill).moved(site.database, folder)
    with running(site, port):
        yield TogetherSite(site, made, folder)
    site.close()


def _open(made: Campaigned) -> None:
    """The campaign that the organiser makes in the browser."""
    board = made.board
    kept = {one.name: getattr(board, one.name) for one in fields(BoardSettings)}
    settings = BoardSettings(**(kept | {"digits": DIGITS}))
    change_board(made.database, board.id, settings, version=board.version, actor=made.organiser, now=NOW)
    texts = {
        name: made.files.save([text_file(texts).encode()], limit=100_000).content_hash
        for name, texts in (("query_texts", QUESTIONS), ("doc_texts", PASSAGES))
    }
    assert made.opened(**SETTINGS, **texts).state == "open"


def text_file(texts: dict[str, str]) -> str:
    """Texts by id, as a file."""
    return "".join(f"{name}\t{text}\n" for name, text in texts.items())


def do_task(made: Campaigned, campaign: Campaign, actor: Actor, **judge: Any) -> str | None:
    """Do a task without a browser; None if there is none."""
    sheet = made.offer(campaign, actor).sheet
    if sheet is None:
        return None
    for pair in sheet.pairs:
        side = better_side(pair.query, pair.left, pair.right, **judge)
        times: Any = {"claimed": 5.0 + pair.place, "now": made.wait(seconds=7)}
        choose(made.database, sheet.assignment.id, pair.id, side, actor=actor, **times)
    return finish_task(made.database, sheet.assignment.id, actor=actor, now=made.now())


@dataclass
class Judge(Traveller):
    """An assessor in a browser; `wrong` knows the answers and gives the others, `taste` differs in some real pairs."""

    size: dict[str, int] = field(default_factory=lambda: WIDE)
    wrong: bool = False
    taste: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.page.set_viewport_size(self.size)

    def come_in(self, link: str) -> None:
        """Open a link and consent."""
        self.go(link)
        self.see("enter")
        self.page.get_by_label("I have read this").check()
        self.press("Continue")
        self.sees("Ready when you are")

    def side(self) -> str:
        """Which passage of the pair is better."""
        texts = [self.page.locator(one).inner_text() for one in ("#question", "#first", "#second")]
        return better_side(*texts, wrong=self.wrong, taste=self.taste)

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
        over = overflow(self.page)
        assert over <= 0, f"{what} is {over} pixels wider than the screen"
        if PICTURES:
            self.page.screenshot(path=str(Path(PICTURES) / f"joint-{what}-{self.size['width']}.png"), full_page=True)
