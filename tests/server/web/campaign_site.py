"""A running server with a campaign as it is after some steps of its organiser, and assessors who know the answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.judge import choose, finish_task
from runoff.server.cases.judging.manage import close_campaign
from runoff.server.site import Site
from runoff.server.store.access import hash_password
from runoff.server.store.campaigns import Campaign, load_campaigns
from runoff.server.store.people import save_password
from tests.server.cases.judging.campaigned import DOCS, NOW, QUERIES, Campaigned
from tests.server.store.snapshots import filled
from tests.server.web.serving import Clock
from tests.server.web.travel import WORDS, Traveller, new_site, running

ORGANISER = "olga@example.org"
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
FILES = {
    "queries.tsv": "".join(f"{query}\t{text}\n" for query, text in QUERY_TEXTS.items()),
    "collection.tsv": "".join(f"{doc}\t{text}\n" for doc, text in DOC_TEXTS.items()),
    "part.tsv": "".join(f"{doc}\t{text}\n" for doc, text in list(DOC_TEXTS.items())[:1]),
    "broken.tsv": "a.q0\tone\na.q0\tanother\nno tab here\n",
    "broken.csv": "q0 a.q0 b.q0 c.q0\nq1 a.q1\n",
    "more.txt": "".join(f"{query} a.{query} e.{query} e.{query}\n" for query in QUERIES),
}
"""Texts and judgments that an organiser sends, good and bad."""
SETTINGS: dict[str, Any] = {
    "slug": "spring", "title": "Spring", "depth": 2, "pay": 1.5, "pairs_per_task": 6, "tests_per_task": 2,
}  # fmt: skip
Stage = Literal["none", "draft", "texts", "open", "judged", "closed"]
STAGES: tuple[Stage, ...] = ("none", "draft", "texts", "open", "judged", "closed")


@dataclass
class JudgedCampaign:
    """A campaign and those who judge in it."""

    campaigned: Campaigned
    campaign: Campaign

    @property
    def place(self) -> str:
        """The address of its page."""
        return f"/boards/trees/campaigns/{self.campaign.id}"

    def assessors(self, number: int) -> list[Actor]:
        """So many new assessors."""
        return [self.campaigned.assessor(self.campaign) for _ in range(number)]

    def judge(self, actor: Actor, *, wrong: bool = False) -> str | None:
        """Do a task as somebody who reads the texts and knows the answers; `wrong` gives the others."""
        made = self.campaigned
        sheet = made.offer(self.campaign, actor).sheet
        if sheet is None:
            return None
        for pair in sheet.pairs:
            query = IDS[pair.query.strip()]
            docs = IDS[pair.left.strip()], IDS[pair.right.strip()]
            worth = [doc if doc.endswith(f".{query}") else "" for doc in docs]
            is_left = (worth[0] > worth[1]) != wrong
            choose(
                made.database, sheet.assignment.id, pair.id, "left" if is_left else "right", claimed=1 + pair.place,
                actor=actor, now=made.wait(seconds=7),
            )  # fmt: skip
        return finish_task(made.database, sheet.assignment.id, actor=actor, now=made.now())

    def judge_all(self, actors: list[Actor]) -> None:
        """Let them do tasks in turn until there are none for any of them."""
        while any([self.judge(actor) for actor in actors]):  # noqa: C419  # all of them work
            pass


@dataclass
class CampaignServer:
    """A running server, the files that its organiser sends, and what its worker holds while it works."""

    site: Site
    campaigned: Campaigned
    files: dict[str, Path]
    working: Lock

    def judged(self) -> JudgedCampaign:
        """The only campaign."""
        (campaign,) = self.campaigned.read(load_campaigns)
        return JudgedCampaign(self.campaigned, campaign)

    def organiser(self, browser: Any, *, dark: bool = False) -> Traveller:
        """The organiser, who is signed in."""
        traveller = Traveller(browser, self.site.settings.base_url, dark=dark)
        traveller.is_signed_in(self.site, ORGANISER)
        return traveller


@contextmanager
def campaign_server(folder: Path, stage: Stage) -> Iterator[CampaignServer]:
    """A server with a board of three scored runs and a campaign that is so far; all have judged all when it is."""
    site, port = new_site(folder, Clock(NOW))
    made = filled(site.database, folder, ("campaign server", stage), lambda: _filled(site, folder, stage))
    campaigned = made.moved(site.database, folder)
    sent = folder / "sent"
    sent.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (sent / name).write_text(text, encoding="utf-8")
    with running(site, port) as working:
        yield CampaignServer(site, campaigned, {name: sent / name for name in FILES}, working)
    site.close()


def _filled(site: Site, folder: Path, stage: Stage) -> Campaigned:
    made = Campaigned.made_in(site.database, folder)
    person, hashed = int(made.organiser.id or 0), hash_password(WORDS)
    site.database.write(lambda connection: save_password(connection, person, hashed, actor=None, now=NOW))
    at = STAGES.index(stage)
    if at >= STAGES.index("draft"):
        texts = {"query_texts": "queries.tsv", "doc_texts": "collection.tsv"} if at >= STAGES.index("texts") else {}
        hashes = {name: made.files.save([FILES[file].encode()], limit=100_000) for name, file in texts.items()}
        draft = made.draft(**(SETTINGS | {name: file.content_hash for name, file in hashes.items()}))
    if at >= STAGES.index("open"):
        judged = JudgedCampaign(made, made.start(draft))
    if at >= STAGES.index("judged"):
        careful, careless, slow = judged.assessors(3)
        assert judged.judge(careful) == judged.judge(slow) == "done"
        assert judged.judge(careless, wrong=True) == "discarded"
        judged.judge_all([careful, slow])
    if at >= STAGES.index("closed"):
        close_campaign(made.database, judged.campaign.id, actor=made.organiser, now=NOW)
    return replace(made, clock=list(made.clock))
