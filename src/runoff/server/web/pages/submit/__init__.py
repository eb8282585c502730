"""Submit a run, or only look whether it would be taken."""

from __future__ import annotations

import secrets
from datetime import date

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import InputError, NotAllowedError, RunoffError, UsageError
from runoff.files.submission_folder import RunMetadata
from runoff.phrases import listed
from runoff.server.cases.reads import StoredBoard, load_board, load_quota, load_runs, load_teams
from runoff.server.cases.runs.submit import CheckResult, Submission, draw_key
from runoff.server.site import Site
from runoff.server.web.forms import check_csrf, check_origin
from runoff.server.web.frame.boards import QuotaView, quota_view
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.visit import board_crumbs, show_page
from runoff.server.web.problems import answer_to
from runoff.server.web.uploads import Upload, check_upload, read_upload, take_upload
from runoff.server.web.visitors import AnySite, AnyVisitor, SignedIn, Visitor

router = APIRouter(include_in_schema=False)
LONGEST, LONGEST_KEY = 5_000, 100
MORE = ("paper", "code", "type")
TEXTS = ("team", "name", "description", "variant_of", "anonymous_until", "embargo_until", *MORE)


@router.get("/boards/{slug}/submit", response_class=HTMLResponse)
def show_form(site: AnySite, visitor: AnyVisitor, slug: str) -> HTMLResponse:
    """The form for a submission."""
    return _page(site, visitor, slug, _draft({}), None)


@router.post("/boards/{slug}/submit")
async def take_form(request: Request, site: AnySite, visitor: SignedIn, slug: str) -> Response:
    """Take a submission, or check its file; what is wrong is said above the form, which keeps what was filled in."""
    check_origin(request)
    board = await run_in_threadpool(_board, site, slug)
    async with read_upload(request, limit=board.upload_limit) as upload:
        check_csrf(visitor, upload.fields.get("csrf", ""))
        return await run_in_threadpool(_taken, site, visitor, board, upload)


def _board(site: Site, slug: str) -> StoredBoard:
    with site.database.read() as connection:
        return load_board(connection, slug)


def _taken(site: Site, visitor: Visitor, board: StoredBoard, upload: Upload) -> Response:
    draft = _draft(upload.fields)
    try:
        key = upload.fields.get("key", "")[:LONGEST_KEY] or draw_key()
        submission = Submission(file_name=upload.file_name, submission_key=key, metadata=_metadata(draft))
        if upload.fields.get("action") == "check":
            check = check_upload(site, visitor.actor, board, upload, submission)
            return _page(site, visitor, board.slug, draft, _checked(check))
        run = take_upload(site, visitor.actor, board, upload, submission)
    except NotAllowedError:
        raise
    except RunoffError as error:
        status = answer_to(error, signed_in=True).status
        if status >= 500:
            raise
        sentence = "the file has problems" if isinstance(error, InputError) else str(error)
        problems = error.problems if isinstance(error, InputError) else ()
        answer = Row(is_fine=False, sentence=f"Nothing was submitted: {sentence}.", problems=problems)
        return _page(site, visitor, board.slug, draft, answer, status=status)
    return RedirectResponse(f"/boards/{board.slug}/runs/{run.id}", status_code=303)


def _draft(fields: dict[str, str]) -> Row:
    texts = {name: fields.get(name, "").strip()[:LONGEST] for name in TEXTS}
    return Row(**texts, anonymous=bool(fields.get("anonymous")))


def _metadata(draft: Row) -> RunMetadata:
    named = _day(draft.anonymous_until)
    return RunMetadata(
        name=draft.name or None,
        team=draft.team or None,
        description=draft.description,
        variant_of=draft.variant_of or None,
        anonymous=draft.anonymous or named is not None,
        anonymous_until=named,
        embargo_until=_day(draft.embargo_until),
        more={key: text for key in MORE if (text := getattr(draft, key))},
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"{text[:40]!r} is not a date; expected one such as 2026-05-01") from None


def _checked(check: CheckResult) -> Row:
    """What a dry run found; the file is gone afterwards."""
    if not check.is_fine:
        sentence = "Dry run: this run would be refused. Nothing was submitted."
        return Row(is_fine=False, sentence=sentence, problems=check.problems)
    lacks = f", of which the file lacks {check.missing_queries:,}" if check.missing_queries else ""
    sentence = f"Dry run: the file is fine ({check.queries:,} queries{lacks}). Nothing was submitted yet."
    return Row(is_fine=True, sentence=sentence, problems=())


def _page(
    site: Site, visitor: Visitor, slug: str, draft: Row, answer: Row | None, *, status: int = 200
) -> HTMLResponse:
    now = site.now()
    with site.database.read() as connection:
        board = load_board(connection, slug)
        required = board.required_metadata or ()
        own = load_teams(connection, person_id=visitor.person.id) if visitor.person else ()
        teams = [(team, quota_view(load_quota(connection, board, team.id, now), board, now)) for team in own]
        runs = [run for team in own for run in load_runs(connection, board.id, team_id=team.id)]
    names = [run.name for run in runs if run.state != "rejected" and run.variant_of is None]
    return show_page(
        "submit/submit.html",
        site,
        visitor,
        crumbs=board_crumbs(board.slug, board.title),
        status=status,
        board=board,
        why_not=_why_not(board, visitor, [quota for _, quota in teams], is_open=board.is_open(now)),
        sign_in=visitor.person is None,
        limit=_size(min(site.settings.upload_limit, board.upload_limit)),
        required=listed(required, most=len(required)),
        key=secrets.token_urlsafe(16),
        teams=teams,
        variants=[("", "no other run"), *((name, name) for name in names)],
        draft=draft,
        answer=answer,
    )


def _why_not(board: StoredBoard, visitor: Visitor, quotas: list[QuotaView], *, is_open: bool) -> str:
    if visitor.person is None:
        return "Sign in to submit a run."
    if not quotas:
        return "You are not in a team. Create one on your account page, or ask a team to invite you."
    if not is_open:
        return f"{board.title} takes no submissions now."
    if not any(quota.can_submit for quota in quotas):
        return "Your team has no submissions left for now."
    return ""


def _size(limit: int) -> str:
    return f"{limit / 1e6:,.0f} MB" if limit >= 1_000_000 else f"{limit:,} bytes"
