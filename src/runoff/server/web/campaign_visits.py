"""The pages of a campaign for whoever asked: who may see them, and the head of each page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fastapi.responses import HTMLResponse

from runoff.errors import NotFoundError
from runoff.phrases import as_sentence
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.reads import Campaign, StoredBoard, load_board, load_campaign, load_label_sets
from runoff.server.cases.views.stored_board import load_open_means, load_visible_runs
from runoff.server.site import Site
from runoff.server.web.frame.context import Crumb, PageFrame, Row
from runoff.server.web.frame.flash import done_words
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import board_crumbs, frame_of
from runoff.server.web.visitors import Visitor

if TYPE_CHECKING:
    from sqlalchemy import Connection

TABS: Final = {
    "": "Overview",
    "/results": "Results",
    "/assessors": "Assessors",
    "/test-pairs": "Test pairs",
    "/new-labels": "New labels",
    "/files": "Files",
    "/settings": "Settings",
}
"""The pages of a campaign, by the end of their address."""
OF_DRAFTS: Final = ("", "/test-pairs", "/settings")
"""Those that a draft has something for."""


@dataclass(frozen=True, kw_only=True)
class Tab:
    """A page of the campaign."""

    text: str
    href: str
    is_here: bool


@dataclass(frozen=True, kw_only=True)
class CampaignHead:
    """The head of every page of a campaign."""

    title: str
    state: str
    about: str
    tabs: tuple[Tab, ...]


@dataclass(frozen=True, kw_only=True)
class CampaignVisit:
    """A campaign of a board, which an organiser looks at."""

    site: Site
    visitor: Visitor
    board: StoredBoard
    campaign: Campaign

    @property
    def address(self) -> str:
        """Where the campaign is."""
        return f"{campaigns_address(self.board)}/{self.campaign.id}"

    def head(self, page: str) -> CampaignHead:
        """The head of a page."""
        return CampaignHead(
            title=self.campaign.title,
            state=self.campaign.state,
            about=about_words(self.campaign),
            tabs=tuple(
                Tab(text=text, href=f"{self.address}{end}", is_here=end == page)
                for end, text in TABS.items()
                if self.campaign.planned_at is not None or end in OF_DRAFTS
            ),
        )

    def frame(self, *, done: str = "", notices: tuple[str, ...] = ()) -> PageFrame:
        """The parts around a page."""
        crumbs = (*board_path(self.board), Crumb(text="Campaigns", href=campaigns_address(self.board)))
        return frame_of(self.site, self.visitor, crumbs=crumbs, notices=(*done_words(done), *notices))

    def answer(
        self,
        template: str,
        page: str,
        *,
        done: str = "",
        notice: str = "",
        problem: str = "",
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **parts: Any,
    ) -> HTMLResponse:
        """A page of the campaign.

        page     the end of its address
        done     the word for what was just done; `notice` is a sentence of its own
        problem  why nothing was done; the answer's status is 422 then, unless another is given
        parts    what the template shows besides
        """
        values = Row(
            frame=self.frame(done=done, notices=(notice,) if notice else ()),
            board=self.board.title,
            head=self.head(page),
            address=f"{self.address}{page}",
            problem=as_sentence(problem),
            **parts,
        )
        code = status or (422 if problem else 200)
        return HTMLResponse(render_page(template, values), status_code=code, headers=headers)


def visit_campaign(site: Site, visitor: Visitor, slug: str, number: int) -> CampaignVisit:
    """A campaign, for organisers alone; one of another board is not there."""
    with site.database.read() as connection:
        board = visit_board(connection, visitor, slug)
        campaign = load_campaign(connection, number)
    if campaign.board_id != board.id:
        raise NotFoundError(f"there is no campaign {number}")
    return CampaignVisit(site=site, visitor=visitor, board=board, campaign=campaign)


def visit_board(connection: Connection, visitor: Visitor, slug: str) -> StoredBoard:
    """The board of campaigns, for organisers alone."""
    require(visitor.actor, "manage campaign")
    return load_board(connection, slug)


def board_path(board: StoredBoard) -> tuple[Crumb, ...]:
    """The path to the organisers' view of a board."""
    return (*board_crumbs(board.slug, board.title), Crumb(text="Organise", href=f"/boards/{board.slug}/organise"))


def campaigns_address(board: StoredBoard) -> str:
    """Where the campaigns of a board are."""
    return f"/boards/{board.slug}/campaigns"


def about_words(campaign: Campaign) -> str:
    """What a campaign judges, in a line."""
    queries = "all queries" if campaign.sample is None else f"{campaign.sample:,} queries (seed {campaign.seed})"
    times = {1: "once", 2: "twice"}.get(campaign.judgments_per_pair, f"{campaign.judgments_per_pair:,} times")
    # Sequential judging: a match takes as many judgments as it needs.
    way = f"all pairs, each judged {times}" if campaign.way == "full" else "sequential"
    standing = " · standing" if campaign.standing else ""
    return f"Labels {campaign.label_set} · {queries} · depth {campaign.depth} · {way}{standing}"


def load_open_labels(connection: Connection, board: StoredBoard) -> tuple[str, ...]:
    """Names of the label sets that can be judged: private ones cannot."""
    return tuple(dict.fromkeys(labels.name for labels in load_label_sets(connection, board.id) if not labels.sealed))


def load_run_words(connection: Connection, board: StoredBoard, visitor: Visitor, site: Site) -> dict[int, str]:
    """The scored runs of a board, the highest mean first: name, team and mean of each, by number."""
    means = load_open_means(connection, board, viewer=visitor.actor)
    visible = load_visible_runs(connection, board, viewer=visitor.actor, now=site.now())
    words = {}
    for row in sorted(visible, key=lambda row: -means.get(row.run.id, -1.0)):
        mean = f" · {means[row.run.id]:.{board.digits}f}" if row.run.id in means else ""
        words[row.run.id] = f"{row.name}{f' · {row.team}' if row.team else ''}{mean}"
    return words
