"""A server with an open campaign whose documents have texts, for tests of what assessors see."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from runoff.server.cases.judging.enter import make_campaign_link
from runoff.server.site import Site, SiteSettings
from runoff.server.store.campaigns import Campaign, load_campaign_problems
from runoff.server.store.database import Database
from runoff.server.web.app import create_app
from runoff.server.web.visitors import csrf_of
from tests.server.cases.judging.campaigned import DOCS, QUERIES, Campaigned
from tests.server.cases.reading_here import HERE
from tests.server.store.snapshots import filled

JSON = {"Accept": "application/json"}
INSTRUCTIONS = "Prefer what answers.\nDo not look anything up."
CONSENT = "Your choices are kept without your name."
TALES = {
    "a": "It is a plain answer. <b>Not bold</b> & not markup.",
    "b": "\u200fהתשובה היא כאן, מימין לשמאל.",
    "c": "日本語の文章です。",
    "d": "A long tale. " * 150,
    "e": "हिन्दी और English \x07 with a bell.",
}


def question(number: int) -> str:
    """The text of a query; the question is which words of it stand in a passage."""
    return f"What is known about Topic {number}, <i>exactly</i>?"


def passage(letter: str, number: int) -> str:
    """The text of a document; `worth` finds in it which is the better one."""
    return f"Tale {letter * 3} of topic {number}. {TALES[letter]}"


def worth(asked: str, text: str) -> str:
    """How good a passage is for a question: those on other topics are worth nothing, the last letters are the best."""
    topic = re.findall(r"Topic (\d+)", asked)[0]
    letter, told = re.findall(r"Tale (\w)\w\w of topic (\d+)", text)[0]
    return letter if told == topic else ""


def better(asked: str, left: str, right: str) -> str:
    """The side that answers better."""
    return "left" if worth(asked, left) > worth(asked, right) else "right"


def add_texts(made: Campaigned) -> dict[str, Any]:
    """Texts for a campaign, as its settings name them."""
    queries = "".join(f"{name}\t{question(number)}\n" for number, name in enumerate(QUERIES))
    docs = "".join(
        f"{letter}.{name}\t{passage(letter, number)}\n" for letter in DOCS for number, name in enumerate(QUERIES)
    )
    return {
        name: made.files.save([text.encode()], limit=1_000_000).content_hash
        for name, text in (("query_texts", queries), ("doc_texts", docs))
    }


@dataclass
class JudgeSite:
    """What tests talk to; `clock` can be moved."""

    campaigned: Campaigned
    campaign: Campaign
    site: Site
    client: TestClient

    @classmethod
    @contextmanager
    def made_in(cls, database: Database, folder: Path, **changes: Any) -> Iterator[JudgeSite]:
        """A server whose campaign `best` is open: five tasks of nine pairs and four test pairs, twice."""
        row: dict[str, Any] = {
            "instructions": INSTRUCTIONS, "consent": CONSENT, "pairs_per_task": 9, "tests_per_task": 4, "depth": 2,
            "judgments_per_pair": 2,
        }  # fmt: skip

        def fill() -> tuple[Campaigned, Campaign]:
            campaigned = Campaigned.made_in(database, folder)
            campaign = campaigned.opened(**(row | add_texts(campaigned) | changes))
            assert campaign.state == "open", campaigned.read(load_campaign_problems, campaign.id)
            return campaigned, campaign

        campaigned, campaign = filled(database, folder, (cls, tuple(QUERIES), tuple(sorted(changes.items()))), fill)
        campaigned = campaigned.moved(database, folder)
        settings = SiteSettings(base_url="http://testserver", login_failures=1, title="Test site")
        site = Site(database=database, files=campaigned.files, settings=settings, now=campaigned.now, reader=HERE)
        with TestClient(create_app(site), follow_redirects=False) as client:
            yield cls(campaigned, campaign, site, client)

    @property
    def now(self) -> datetime:
        """The time of the server."""
        return self.campaigned.now()

    @property
    def csrf(self) -> str:
        """What forms of whoever is signed in send."""
        token = str(self.client.cookies.get("runoff") or "")
        return csrf_of(token) if token else ""

    def link(self, **options: Any) -> str:
        """The address of a new link into the campaign."""
        made = self.campaigned
        token = make_campaign_link(made.database, self.campaign.id, actor=made.organiser, now=self.now, **options)
        return f"/enter/{token}"

    def come_in(self, link: str, query: str = "", **more: str) -> Any:
        """Open a link and go on as a browser does: with the hidden fields of the form."""
        shown = self.client.get(link + query)
        assert shown.status_code == 200, shown.text
        fields = {"csrf": self.csrf, "agree": "yes", **hidden(shown.text), **more}
        return self.client.post(link, data=fields)

    def post(self, path: str, headers: dict[str, str] | None = None, **fields: Any) -> Any:
        """Send a form of the campaign."""
        data = {"csrf": self.csrf, **{name: str(value) for name, value in fields.items()}}
        return self.client.post(f"/judge/best/{path}", data=data, headers=headers or {})

    def page(self, more: str = "") -> str:
        """The page of the assessor."""
        answer = self.client.get(f"/judge/best{more}")
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def take(self) -> Any:
        """The next task, as a program gets it."""
        answer = self.post("task", JSON).json()
        assert answer["state"] == "given", answer
        return answer["task"]

    def answer(self, task: Any, *, pairs: int | None = None, wrong: bool = False, seconds: float = 4) -> None:
        """Choose as somebody does who knows, or with `wrong` who does not."""
        for pair in task["pairs"][:pairs]:
            side = better(pair["question"], "".join(pair["left"]), "".join(pair["right"]))
            side = {"left": "right", "right": "left"}[side] if wrong else side
            self.campaigned.wait(seconds=5)
            row = {"task": task["id"], "pair": pair["id"], "side": side, "key": f"k{pair['id']}", "seconds": seconds}
            kept = self.post("choices", JSON, **row)
            assert kept.json() == {"kept": True, "task": task["id"], "pair": pair["id"]}, kept.text


def hidden(text: str) -> dict[str, str]:
    """The hidden fields of a page, of its last form with each name."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text)
    return {name: html.unescape(value) for name, value in found if name != "csrf"}
