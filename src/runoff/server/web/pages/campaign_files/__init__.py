"""The files of a campaign, as `runoff tally` reads them: export and import."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import Final

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from runoff.errors import ConflictError, InputError, NotFoundError, UsageError
from runoff.phrases import counted
from runoff.server.cases.accounts.permissions import require
from runoff.server.cases.boards.files import renamed_problems
from runoff.server.cases.judging.import_judgments import ImportResult, import_judgments
from runoff.server.cases.judging.votes import CampaignExport, export_campaign
from runoff.server.cases.uploads.run import clean_file_name
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.forms import Field, FieldGroup, check_csrf, check_origin
from runoff.server.web.frame.context import Row
from runoff.server.web.uploads import Upload, read_uploads, reading
from runoff.server.web.visitors import AnySite, Number, SignedIn, Visitor

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}"
ABOUT: Final = {
    "judgments.csv": "All judgments, including discarded ones and test pairs. Use: runoff tally judgments.csv",
    "tasks.csv": "All tasks, with the answers of test pairs; keep it private. Use: runoff tally --tasks tasks.csv",
    "pool.csv": "The documents that are judged, how many runs retrieved each, and which are labels",
    "preference.qrels": "The best answers so far as qrels, as runoff tally --qrels-out writes them",
}
BLOCK: Final = 1 << 16


@router.get(ADDRESS + "/files", response_class=HTMLResponse)
def show_files(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> HTMLResponse:
    """What can be saved, and the form for judgments from elsewhere."""
    return _page(visit_campaign(site, visitor, slug, number))


@router.get(ADDRESS + "/files/{name}")
def save_file(site: AnySite, visitor: SignedIn, slug: str, number: Number, name: str) -> Response:
    """One file of the campaign, or all of them in a zip."""
    visit = visit_campaign(site, visitor, slug, number)
    archive = f"{visit.campaign.slug}.zip"
    if name not in (*ABOUT, archive):
        raise NotFoundError(f"campaign {number} has no file {name[:60]!r}")
    with site.database.read() as connection:
        export = export_campaign(connection, visit.campaign, actor=visitor.actor)
    if name == archive:
        return _saved(zipped(export), archive, "application/zip")
    lines = (line.encode() for line in export.files()[name])
    return _saved(lines, f"{visit.campaign.slug}-{name}", "text/plain" if name.endswith("qrels") else "text/csv")


@router.post(ADDRESS + "/judgments")
async def take_judgments(request: Request, site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Take in judgments that were made elsewhere; every line that is wrong is said, and then nothing is kept."""
    require(visitor.actor, "manage campaign")
    check_origin(request)
    visit = await run_in_threadpool(visit_campaign, site, visitor, slug, number)
    async with read_uploads(request, ["file"]) as uploads:
        check_csrf(visitor, uploads["file"].fields.get("csrf", ""))
        return await run_in_threadpool(_taken, visit, visitor, uploads["file"])


def zipped(export: CampaignExport) -> Iterator[bytes]:
    """All files of a campaign in one, a block after the other."""
    with TemporaryFile() as target:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, lines in export.files().items():
                # A fixed time: the same campaign is the same archive.
                with archive.open(zipfile.ZipInfo(name), "w") as member:
                    for line in lines:
                        member.write(line.encode())
        target.seek(0)
        while block := target.read(BLOCK):
            yield block


def _saved(blocks: Iterable[bytes], name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(blocks, media_type=media_type, headers=headers)


def _taken(visit: CampaignVisit, visitor: Visitor, sent: Upload) -> Response:
    site = visit.site
    if sent.is_nothing:
        return _page(visit, problem="No file was chosen; choose a file with judgments.")
    if visit.campaign.planned_at is None:
        return _page(visit, problem="The campaign is a draft; start it first.")
    called = clean_file_name(sent.file_name)
    try:
        with reading(site, visitor.actor):
            found = import_judgments(
                site.database,
                visit.campaign.id,
                sent.file.path,
                actor=visitor.actor,
                now=site.now(),
                reader=site.reader,
            )
    except InputError as error:
        problems = tuple(renamed_problems(error, {str(sent.file.path): called}))
        return _page(visit, problem="The file has problems.", problems=problems)
    except (ConflictError, UsageError) as error:
        return _page(visit, problem=str(error))
    return _page(visit, notice=import_words(called, found))


def import_words(called: str, found: ImportResult) -> str:
    """What came in, in a sentence."""
    if not found.tasks:
        return f"Nothing in {called} is new: all of its tasks are here already."
    words = f"Imported {counted(found.judgments, 'judgment')} in {counted(found.tasks, 'task')} from {called}."
    if found.known_tasks:
        words += f" Already here: {counted(found.known_tasks, 'task')}."
    if found.discarded_tasks:
        words += f" {counted(found.discarded_tasks, 'new task')} failed a test pair, so the answers do not count."
    return words


def _page(visit: CampaignVisit, *, notice: str = "", problem: str = "", problems: tuple[str, ...] = ()) -> HTMLResponse:
    folder = f"{visit.address}/files"
    every = Row(name=f"{visit.campaign.slug}.zip", href=f"{folder}/{visit.campaign.slug}.zip", about="All files")
    return visit.answer(
        "campaign_files/files.html",
        "/files",
        notice=notice,
        problem=problem,
        files=(*(Row(name=name, href=f"{folder}/{name}", about=about) for name, about in ABOUT.items()), every),
        import_address=f"{visit.address}/judgments",
        groups=_groups(problem),
        problems=problems,
    )


def _groups(problem: str) -> tuple[FieldGroup, ...]:
    return (
        FieldGroup(title="Judgments from elsewhere", fields=(
            Field(name="file", label="Judgments", kind="file", required=True, problem=problem,
                  hint="Any format that runoff tally reads: CSV, MTurk results, Label Studio, or lines with a query, "
                       "two documents and the preferred one."),
        )),
    )  # fmt: skip
