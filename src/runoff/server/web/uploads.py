"""Uploads: requests with a file, read only after it is known who sends them, and written to disk once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from runoff.errors import InputError, UsageError
from runoff.files.submission_folder import LONGEST, RunMetadata, metadata_of_json
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.reads import Incoming, StoredBoard, StoredRun
from runoff.server.cases.runs.submit import CheckResult, Submission, check_run, draw_key, submit_run
from runoff.server.site import Site
from runoff.server.web._multipart import FormStream
from runoff.server.web.forms import check_fields

_BLOCK: Final = 1 << 20
_LONGEST_KEY: Final = 100


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file that was sent, whole and on the disk under a temporary name, and the other fields of the form."""

    file: Incoming
    file_name: str
    fields: dict[str, str]

    @property
    def is_nothing(self) -> bool:
        """Whether it is what browsers send if no file was chosen."""
        return not self.file_name and not self.file.size

    def blocks(self) -> Iterator[bytes]:
        """The content from the beginning."""
        with self.file.path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                yield block


@asynccontextmanager
async def read_upload(request: Request, *, limit: int | None = None) -> AsyncIterator[Upload]:
    """The form of a request; afterwards the file is gone, unless it was kept.

    limit  bytes of the file; the guards limit the whole request by the limit of the site
    """
    async with read_uploads(request, ["file"], limit=limit) as uploads:
        if uploads["file"].is_nothing:
            raise InputError(["request: no file; expected one in the field 'file'"])
        yield uploads["file"]


@asynccontextmanager
async def read_uploads(
    request: Request, file_fields: Sequence[str], *, limit: int | None = None
) -> AsyncIterator[dict[str, Upload]]:
    """The form of a request with a file in each of these fields; afterwards they are gone, unless they were kept.

    A field for which nothing was chosen has an upload that is nothing.
    """
    site: Site = request.app.state.site
    form = FormStream(request.headers.get("content-type", ""), file_fields=file_fields, longest=LONGEST)
    most = site.settings.upload_limit if limit is None else min(limit, site.settings.upload_limit)
    with ExitStack() as stack:
        files = {name: stack.enter_context(site.files.receive(limit=most)) for name in file_fields}
        waiting = {name: bytearray() for name in file_fields}
        try:
            async for chunk in request.stream():
                for name, block in form.feed(chunk):
                    waiting[name] += block
                for name, held in waiting.items():
                    if len(held) >= _BLOCK:
                        await run_in_threadpool(files[name].write, bytes(held))
                        held.clear()
        except ClientDisconnect:
            # Nobody hears it; the log would only tell of a fault that is none of ours.
            raise InputError(["request: the connection ended before the file did; send it again"]) from None
        form.close()
        check_fields(form.fields)
        for name, held in waiting.items():
            await run_in_threadpool(files[name].write, bytes(held))
            await run_in_threadpool(files[name].settle)
        yield {name: Upload(file=files[name], file_name=form.file_names[name], fields=form.fields) for name in files}


def submission_of(upload: Upload, *, key: str | None) -> Submission:
    """What was sent with a run, with a key of the sender or a new one."""
    if key is not None and not (0 < len(key) <= _LONGEST_KEY and key.isprintable()):
        raise UsageError(f"the Idempotency-Key cannot be used; expected 1 to {_LONGEST_KEY} printable characters")
    text = upload.fields.get("metadata", "")
    metadata = metadata_of_json(text) if text.strip() else RunMetadata()
    return Submission(file_name=upload.file_name, submission_key=key or draw_key(), metadata=metadata)


def take_upload(site: Site, actor: Actor, board: StoredBoard, upload: Upload, submission: Submission) -> StoredRun:
    """Submit a file that was sent; what is wrong with it is found first, and then nothing is kept."""
    return submit_run(
        site.database,
        site.files,
        board,
        actor,
        upload.file,
        submission,
        reader=site.reader,
        turn=reading(site, actor),
        now=site.now(),
    )


def check_upload(site: Site, actor: Actor, board: StoredBoard, upload: Upload, submission: Submission) -> CheckResult:
    """Look whether a file that was sent would be taken; nothing is kept."""
    return check_run(
        site.database,
        site.files,
        board,
        actor,
        upload.file,
        submission,
        reader=site.reader,
        turn=reading(site, actor),
        now=site.now(),
    )


def reading(site: Site, actor: Actor) -> AbstractContextManager[None]:
    """A turn to read files in a request: few at once, and one of each person."""
    return site.reading.turn(f"person {actor.id}")
