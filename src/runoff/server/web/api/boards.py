"""The API of boards: results, settings, comparisons and quotas."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel

from runoff.errors import NotFoundError
from runoff.server.cases.accounts.permissions import Thing, require
from runoff.server.cases.boards.board_views import Choice, chosen_sets, load_asked_view, load_offer
from runoff.server.cases.reads import Quota, StoredBoard, Team, load_board, load_boards, load_quota
from runoff.server.cases.runs.submit import own_team
from runoff.server.cases.views.analysis import Pair
from runoff.server.cases.views.stored_board import VisibleRun, find_run, load_visible_runs
from runoff.server.site import Site
from runoff.server.web.api.shapes import FAULTS, BoardAnswer, BoardsAnswer, QuotaAnswer, SettingsAnswer
from runoff.server.web.response_cache import shared
from runoff.server.web.visitors import AnySite, AnyVisitor, SignedIn, Visitor
from runoff.tables.board import PUBLIC
from runoff.tables.settings import settings_of

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


@router.get("/boards/{slug}", response_model=dict[str, Any])
@shared
def show_board(
    slug: Slug,
    site: AnySite,
    visitor: AnyVisitor,
    query_set: SetName = PUBLIC,
    labels: LabelName = None,
    runs: Annotated[
        Literal["all", "entries"], Query(description="`entries`: of each team the run that it chose, or its newest.")
    ] = "all",
) -> Response:
    """The leaderboard, as `runoff board --format json` writes it; `runs` is empty where nothing is scored yet."""
    require(visitor.actor, "see board", Thing(published=True))
    choice = Choice(labels=labels or "", queries=query_set, entries=runs == "entries")
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        asked = load_asked_view(connection, board, choice, viewer=visitor.actor, now=now)
    answer = site.views.answer(asked, asker=visitor.asker, now=now)
    if answer is None:
        return JSONResponse({"title": board.title, "measure": board.measure, "queries": 0, "runs": []})
    return _json(answer)


@router.get("/boards/{slug}/settings", response_model=SettingsAnswer)
def show_settings(slug: Slug, site: AnySite, visitor: AnyVisitor) -> BaseModel:
    """The settings of a board, as `board.toml` names them."""
    return SettingsAnswer(**settings_of(find_board(site, visitor, slug)))


@router.get("/boards/{slug}/compare", response_model=dict[str, Any])
@shared
def compare_runs(
    slug: Slug,
    champion: RunName,
    challenger: RunName,
    site: AnySite,
    visitor: AnyVisitor,
    query_set: SetName = PUBLIC,
    labels: LabelName = None,
) -> Response:
    """One run of the board against another, as `runoff compare --format json` writes it."""
    require(visitor.actor, "see board", Thing(published=True))
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        seen = load_visible_runs(connection, board, viewer=visitor.actor, now=now)
        sets = chosen_sets(load_offer(connection, board, seen), Choice(labels=labels or "", queries=query_set))
    first, second = (_named(seen, name) for name in (champion, challenger))
    pair = Pair(champion=first, challenger=second, labels=sets[0], queries=sets[1])
    comparison = site.views.comparison(board, pair, viewer=visitor.actor, asker=visitor.asker, now=now)
    if comparison is None:
        raise NotFoundError("one of these runs is not scored on these labels yet; come back when it is")
    return _json(comparison.answer)


@router.get("/boards/{slug}/quota")
def show_quota(
    slug: Slug,
    site: AnySite,
    visitor: SignedIn,
    team: Annotated[str | None, Query(max_length=100, description="Your team; needed if you are in several.")] = None,
) -> QuotaAnswer:
    """What a team may still submit to the board."""
    require(visitor.actor, "see board", Thing(published=True))
    with site.database.read() as connection:
        board = load_board(connection, slug)
        own = own_team(connection, visitor.actor, team)
        return quota_answer(board, own, load_quota(connection, board, own.id, site.now()))


def find_board(site: Site, visitor: Visitor, slug: str) -> StoredBoard:
    """The board of a name that the visitor may see."""
    require(visitor.actor, "see board", Thing(published=True))
    with site.database.read() as connection:
        return load_board(connection, slug)


def quota_answer(board: StoredBoard, team: Team, quota: Quota) -> QuotaAnswer:
    """A quota in the form of an answer."""
    return QuotaAnswer(team=team.name, left=quota.left, window_days=board.window_days, **asdict(quota))


def _named(seen: tuple[VisibleRun, ...], wanted: str) -> VisibleRun:
    run = find_run(seen, wanted)
    if run is None:
        names = ", ".join(visible.name for visible in seen)
        raise NotFoundError(f"there is no run {wanted[:100]!r} on this board; expected one of {names}")
    return run


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
