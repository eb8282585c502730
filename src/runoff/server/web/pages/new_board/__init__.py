"""Make a board: from a form with its files, or from an archive with a board.toml."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import ConflictError, InputError, UsageError
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.files import SentFile, SentSets, describe_sets, renamed_problems, unpack_board
from runoff.server.cases.boards.make import make_board
from runoff.server.cases.reads import StoredBoard, clean_slug
from runoff.server.site import Site
from runoff.server.web.board_form import read_settings, setting_groups
from runoff.server.web.forms import Field, FieldGroup, Form, filled, read_files_form
from runoff.server.web.frame.visit import HOME, show_page
from runoff.server.web.uploads import reading
from runoff.server.web.visitors import AnySite, SignedIn, Visitor
from runoff.tables.board import Board
from runoff.tables.settings import SETTINGS, OrganiserSettings

LABEL_ROWS: Final = 3
EMPTY: Final = OrganiserSettings(title="", measure="RR@10")
"""What a new form holds."""


def board_groups() -> tuple[FieldGroup, ...]:
    """The whole form of a new board."""
    first, second, *rest = setting_groups(EMPTY, is_new=True)
    return first, second, FILE_GROUP, *rest


ARCHIVE_GROUPS: Final = (
    FieldGroup(
        title="The archive",
        fields=(
            Field(name="archive_slug", label=SETTINGS["slug"].label, required=True, hint=SETTINGS["slug"].help),
            Field(name="archive", label="Archive", kind="file", required=True),
            Field(name="archive_most", label="Submissions per team in 30 days", kind="number", value="2"),
        ),
    ),
)


def sent_sets(values: Form, files: dict[str, SentFile]) -> SentSets:
    """The files of the form; what is missing is in `values.problems`."""
    labels: list[tuple[str, str, SentFile]] = []
    for row in range(1, LABEL_ROWS + 1):
        name, field = " ".join(values.text(f"label_name_{row}").split()), f"label_file_{row}"
        if field in files:
            if not 0 < len(name) <= 50 or not name.isprintable():
                values.problems[f"label_name_{row}"] = f"{name[:40]!r} cannot be used; expected 1 to 50 characters"
            if name in [earlier for earlier, _, _ in labels]:
                values.problems[f"label_name_{row}"] = f"{name!r} is listed twice; expected another name"
            labels.append((name, field, files[field]))
    if not labels:
        values.problems["label_file_1"] = "no file; expected labels, a qrels file; choose one"
    return SentSets(
        labels=labels,
        public=files.get("public_queries"),
        development=files.get("development_queries"),
        private=files.get("private_queries"),
        private_labels=files.get("private_labels"),
    )


def _label_fields(row: int) -> tuple[Field, Field]:
    """The name of labels, and their file."""
    if row == 1:
        hint = "A qrels file: query, 0, document, grade. Plain or compressed."
        return (
            Field(name="label_name_1", label="Name of the labels", value="labels", hint="The board ranks by these."),
            Field(name="label_file_1", label="Labels", kind="file", hint=hint),
        )
    return (
        Field(name=f"label_name_{row}", label=f"Name of more labels ({row})", hint="Optional."),
        Field(name=f"label_file_{row}", label=f"More labels ({row})", kind="file"),
    )


FILE_GROUP: Final = FieldGroup(
    title="Queries and labels",
    fields=(
        *(field for row in range(1, LABEL_ROWS + 1) for field in _label_fields(row)),
        Field(
            name="public_queries",
            label="Public queries",
            kind="file",
            hint="Teams see scores on them, not their labels; the board ranks by them. One query id per line. "
            "Without a file: all queries with labels that are in no other list.",
        ),
        Field(
            name="development_queries",
            label="Development queries",
            kind="file",
            hint="Teams have their labels. They are shown as a separate condition.",
        ),
        Field(
            name="private_queries",
            label="Private queries",
            kind="file",
            hint="Sealed with their labels: no scores are shown before the end, and then only means.",
        ),
        Field(
            name="private_labels",
            label="Private labels",
            kind="file",
            hint="A qrels file for the private queries, if the labels above do not have them.",
        ),
    ),
)
FILES: Final = sum(field.kind == "file" for field in FILE_GROUP.fields)
"""How many files the form of a new board has; a browser sends them all, empty ones too."""


router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/organise/new-board"
ARCHIVE: Final = "/organise/board-archive"


@router.get(ADDRESS, response_class=HTMLResponse)
def show_form(site: AnySite, visitor: SignedIn) -> HTMLResponse:
    """The forms for a new board."""
    require(visitor.actor, "manage board")
    return _page(site, visitor)


@router.post(ADDRESS)
async def take_form(request: Request, site: AnySite, visitor: SignedIn) -> Response:
    """Make a board of settings and files; everything that is wrong is said at once, beside its field."""
    require(visitor.actor, "manage board")
    async with read_files_form(request, visitor, most_files=FILES) as form:
        return await run_in_threadpool(_made, site, visitor, form)


@router.post(ARCHIVE)
async def take_archive(request: Request, site: AnySite, visitor: SignedIn) -> Response:
    """Make a board of a board.toml and its files, packed into one."""
    require(visitor.actor, "manage board")
    async with read_files_form(request, visitor, most_files=1) as form:
        return await run_in_threadpool(_unpacked, site, visitor, form)


def _made(site: Site, visitor: Visitor, form: Form) -> Response:
    settings = read_settings(form, EMPTY, is_new=True)
    problem = ""
    with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
        sets = sent_sets(form, form.copied_to(Path(folder)))
        described = None
        try:
            with reading(site, visitor.actor):
                described, wrong = describe_sets(sets, Path(folder), settings, reader=site.reader)
            form.problems |= wrong
        except InputError as error:
            problem = f"{error}."
        if described is not None and not form.problems:
            try:
                with reading(site, visitor.actor):
                    board = _make(site, visitor, described, settings.slug)
            except ConflictError as error:
                form.problems["slug"] = str(error)
            except (InputError, UsageError) as error:
                problem = f"{error}."
            else:
                return _done(board)
    return _page(site, visitor, form=form, problem=problem)


def _unpacked(site: Site, visitor: Visitor, form: Form) -> Response:
    slug = form.made("archive_slug", clean_slug)
    most = form.whole("archive_most", 1, 1_000_000)
    if "archive" not in form.files:
        form.problems["archive"] = "no file; expected a .zip or .tar.gz; choose one"
    elif not form.problems and slug is not None:
        with tempfile.TemporaryDirectory(prefix="runoff-") as folder:
            target = Path(folder) / "board"
            try:
                sent = form.copied_to(Path(folder))["archive"]
                with reading(site, visitor.actor):
                    described = unpack_board(sent, target, reader=site.reader)
                    board = _make(site, visitor, described, slug, {"most": most})
            except ConflictError as error:
                form.problems["archive_slug"] = str(error)
            except InputError as error:
                form.problems["archive"] = "\n".join(renamed_problems(error, {f"{target}/": ""}))
            except UsageError as error:
                form.problems["archive"] = str(error).replace(f"{target}/", "")
            else:
                return _done(board)
    return _page(site, visitor, archive=form)


def _make(
    site: Site, visitor: Visitor, described: Board, slug: str, settings: dict[str, int] | None = None
) -> StoredBoard:
    actor, now = visitor.actor.id, site.now()
    return make_board(
        site.database, site.files, described, slug=slug, settings=settings, actor=actor, now=now, reader=site.reader
    )


def _done(board: StoredBoard) -> Response:
    return RedirectResponse(f"/boards/{board.slug}/organise?done=made", status_code=303)


def _page(
    site: Site, visitor: Visitor, *, form: Form | None = None, archive: Form | None = None, problem: str = ""
) -> HTMLResponse:
    return show_page(
        "new_board/new_board.html",
        site,
        visitor,
        path=ADDRESS,
        crumbs=[HOME],
        status=422 if form or archive else 200,
        groups=filled(board_groups(), form),
        archive=filled(ARCHIVE_GROUPS, archive),
        problem=problem,
    )
