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
from runoff.server.web.frame.context import Crumb, Row
from runoff.server.web.frame.render import render_page
from runoff.server.web.frame.visit import frame_of
from runoff.server.web.uploads import reading
from runoff.server.web.visitors import AnySite, SignedIn, Visitor
from runoff.tables.settings import SETTINGS, OrganiserSettings

LABEL_ROWS: Final = 3
EMPTY: Final = OrganiserSettings(title="", measure="RR@10")
"""What a new form holds."""


def board_groups() -> tuple[FieldGroup, ...]:
    """The whole form of a new board."""
    first, second, *rest = setting_groups(EMPTY, is_new=True)
    return first, second, _files(), *rest


def archive_groups() -> tuple[FieldGroup, ...]:
    """The form with an archive."""
    slug = Field(name="archive_slug", label=SETTINGS["slug"].label, required=True, hint=SETTINGS["slug"].help)
    file = Field(name="archive", label="Archive", kind="file", required=True)
    most = Field(name="archive_most", label="Submissions of a team in 30 days", kind="number", value="2")
    return (FieldGroup(title="The archive", fields=(slug, file, most)),)


def sent_sets(values: Form, files: dict[str, SentFile]) -> SentSets:
    """The files of the form; what is missing is in `values.problems`."""
    labels: list[tuple[str, str, SentFile]] = []
    for row in range(1, LABEL_ROWS + 1):
        name, field = " ".join(values.text(f"label_name_{row}").split()), f"label_file_{row}"
        if field in files:
            if not 0 < len(name) <= 50 or not name.isprintable():
                values.problems[f"label_name_{row}"] = "nothing here; expected a name of at most 50 characters"
            if name in [one[0] for one in labels]:
                values.problems[f"label_name_{row}"] = f"{name!r} is there twice; expected another name"
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


def _files() -> FieldGroup:
    rows = []
    for row in range(1, LABEL_ROWS + 1):
        rows += [
            Field(name=f"label_name_{row}", label="Name of the labels" if row == 1 else f"Name of more labels ({row})",
                  value="labels" if row == 1 else "",
                  hint="The board ranks by the first labels." if row == 1 else "If there are any."),
            Field(name=f"label_file_{row}", label="Labels" if row == 1 else f"More labels ({row})", kind="file",
                  hint="A qrels file: query, 0, document, grade. Plain or compressed." if row == 1 else ""),
        ]  # fmt: skip
    return FieldGroup(
        title="Queries and labels",
        fields=(
            *rows,
            Field(name="public_queries", label="Public queries", kind="file",
                  hint="Teams see scores on them, not their labels; the board ranks by them. A query id on each line. "
                       "Without a file: all queries with labels that are in no other list."),
            Field(name="development_queries", label="Development queries", kind="file",
                  hint="Teams hold their labels. They are shown as a condition of their own."),
            Field(name="private_queries", label="Private queries", kind="file",
                  hint="Sealed with their labels: no scores are shown before the end, and then means alone."),
            Field(name="private_labels", label="Private labels", kind="file",
                  hint="A qrels file of the private queries, if the labels above do not hold them."),
        ),
    )  # fmt: skip


FILES: Final = sum(field.kind == "file" for field in _files().fields)
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
            with reading(site):
                described, wrong = describe_sets(sets, Path(folder), settings, reader=site.reader)
            form.problems |= wrong
        except InputError as error:
            problem = f"{error}."
        if described is not None and not form.problems:
            try:
                with reading(site):
                    board = make_board(
                        site.database,
                        site.files,
                        described,
                        slug=settings.slug,
                        actor=visitor.actor.id,
                        now=site.now(),
                        reader=site.reader,
                    )
            except ConflictError as error:
                form.problems["slug"] = str(error)
            except (InputError, UsageError) as error:
                problem = f"{error}."
            else:
                return _done(board)
    return _page(site, visitor, groups=filled(board_groups(), form.fields, form.problems), problem=problem)


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
                with reading(site):
                    described = unpack_board(sent, target, max_bytes=site.settings.read_limit, reader=site.reader)
                    board = make_board(
                        site.database, site.files, described, slug=slug, settings={"most": most},
                        actor=visitor.actor.id, now=site.now(), reader=site.reader,
                    )  # fmt: skip
            except ConflictError as error:
                form.problems["archive_slug"] = str(error)
            except InputError as error:
                form.problems["archive"] = "\n".join(renamed_problems(error, {f"{target}/": ""}))
            except UsageError as error:
                form.problems["archive"] = str(error).replace(f"{target}/", "")
            else:
                return _done(board)
    return _page(site, visitor, archive=filled(archive_groups(), form.fields, form.problems))


def _done(board: StoredBoard) -> Response:
    return RedirectResponse(f"/boards/{board.slug}/organise?done=made", status_code=303)


def _page(
    site: Site,
    visitor: Visitor,
    *,
    groups: tuple[FieldGroup, ...] = (),
    archive: tuple[FieldGroup, ...] = (),
    problem: str = "",
) -> HTMLResponse:
    page = Row(
        frame=frame_of(site, visitor, path=ADDRESS, crumbs=[Crumb(text="Boards", href="/")]),
        address=ADDRESS,
        archive_address=ARCHIVE,
        groups=groups or board_groups(),
        archive=archive or archive_groups(),
        problem=problem,
        archive_problem="",
    )
    status = 422 if groups or archive else 200
    return HTMLResponse(render_page("new_board/new_board.html", page), status_code=status)
