"""Boards, their comparisons and quotas."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from runoff.errors import NotFoundError
from runoff.reports.rounding import rounded_data
from runoff.store.boards import StoredBoard, load_board_by_slug, load_boards
from runoff.store.quotas import Quota, load_quota
from runoff.store.teams import Team
from runoff.web.api.shapes import FAULTS, BoardAnswer, BoardsAnswer, QuotaAnswer
from runoff.web.site import Site
from runoff.web.visitors import AnySite, AnyVisitor, SignedIn, Visitor
from runoff.workflows.board import board_of
from runoff.workflows.board_data import PUBLIC
from runoff.workflows.duel_numbers import judged, numbers_of
from runoff.workflows.permissions import Thing, require
from runoff.workflows.public_duel import for_public
from runoff.workflows.stored_board import StoredBoardData, kernel_for, load_board_data, load_visible_runs
from runoff.workflows.submit_run import own_team

router = APIRouter(tags=["boards"], responses=FAULTS)
Slug = Annotated[str, Path(max_length=60, description="The name of the board in its address.")]
SetName = Annotated[str, Query(max_length=60, description="An open query set.")]
LabelName = Annotated[str | None, Query(max_length=60, description="An open label set; the oldest if left out.")]
RunName = Annotated[str, Query(max_length=200, description="A run of the board, by its name or its number.")]


@router.get("/boards")
def list_boards(site: AnySite, visitor: AnyVisitor) -> BoardsAnswer:
    """All boards."""
    require(visitor.actor, "see board", Thing(published=True))
    now = site.now()
    with site.database.read() as connection:
        boards = [
            BoardAnswer(
                slug=board.slug,
                title=board.title,
                description=board.description,
                measure=board.measure,
                is_open=board.is_open(now),
                opens_at=board.opens_at,
                closes_at=board.closes_at,
                upload_limit=min(board.upload_limit, site.settings.upload_limit),
                runs=len(load_visible_runs(connection, board, viewer=visitor.actor, now=now)),
                url=f"{site.settings.base_url}/api/v1/boards/{board.slug}",
            )
            for board in load_boards(connection)
        ]
    return BoardsAnswer(boards=boards)


@router.get("/boards/{slug}")
def show_board(
    slug: Slug, site: AnySite, visitor: AnyVisitor, query_set: SetName = PUBLIC, labels: LabelName = None
) -> dict[str, Any]:
    """The leaderboard, as `runoff board --format json` writes it; `runs` is empty where nothing is scored yet."""
    board = find_board(site, visitor, slug)
    try:
        data = _data(site, visitor, board, query_set, labels)
    except NotFoundError:
        return {"title": board.title, "measure": board.measure, "queries": 0, "runs": []}
    key = ("board", _key(visitor, board, data))
    return site.answers.get(key, lambda: rounded_data(board_of(data).to_dict(), board.digits))


@router.get("/boards/{slug}/compare")
def compare_runs(
    slug: Slug,
    champion: RunName,
    challenger: RunName,
    site: AnySite,
    visitor: AnyVisitor,
    query_set: SetName = PUBLIC,
    labels: LabelName = None,
) -> dict[str, Any]:
    """One run of the board against another, as `runoff compare --format json` writes it."""
    board = find_board(site, visitor, slug)
    data = _data(site, visitor, board, query_set, labels)
    names = data.name_of(champion), data.name_of(challenger)

    def make() -> dict[str, Any]:
        first, second = (data.serps_of(name) for name in names)
        duel = judged([numbers_of(first, second, data.question, data.policy)], data.policy)[0]
        return rounded_data(for_public(duel, kernel_for(visitor.actor, board)).to_dict(), board.digits)

    return site.answers.get(("compare", names, _key(visitor, board, data)), make)


@router.get("/boards/{slug}/quota")
def show_quota(
    slug: Slug,
    site: AnySite,
    visitor: SignedIn,
    team: Annotated[str | None, Query(max_length=100, description="Your team; needed if you are in several.")] = None,
) -> QuotaAnswer:
    """What a team may still submit to the board."""
    board = find_board(site, visitor, slug)
    with site.database.read() as connection:
        own = own_team(connection, visitor.actor, team)
        return quota_answer(board, own, load_quota(connection, board, own.id, site.now()))


def find_board(site: Site, visitor: Visitor, slug: str) -> StoredBoard:
    """The board of a name that the visitor may see."""
    require(visitor.actor, "see board", Thing(published=True))
    with site.database.read() as connection:
        return load_board_by_slug(connection, slug)


def quota_answer(board: StoredBoard, team: Team, quota: Quota) -> QuotaAnswer:
    """A quota in the form of an answer."""
    return QuotaAnswer(
        team=team.name,
        used=quota.used,
        most=quota.most,
        left=quota.left,
        window_days=board.window_days,
        variants_used=quota.variants_used,
        variants=quota.variants,
        free_at=quota.free_at,
        variant_free_at=quota.variant_free_at,
    )


def _data(site: Site, visitor: Visitor, board: StoredBoard, query_set: str, labels: str | None) -> StoredBoardData:
    with site.database.read() as connection:
        return load_board_data(
            connection, board, query_set=query_set, label_set=labels, viewer=visitor.actor, now=site.now()
        )


def _key(visitor: Visitor, board: StoredBoard, data: StoredBoardData) -> tuple[Any, ...]:
    """Everything that a result of the board depends on."""
    runs = tuple((one.run.id, one.name, one.team) for one in data.visible)
    seen = kernel_for(visitor.actor, board), board.digits
    return data.title, data.question, data.policy, data.labels.id, data.queries.id, seen, runs
