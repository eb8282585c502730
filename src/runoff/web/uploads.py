"""Requests with a file in them: read only after it is known who sends them."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from runoff.errors import InputError, UsageError
from runoff.files.run_metadata import LONGEST, RunMetadata, metadata_of_json
from runoff.workflows.submit_run import Submission

_BLOCK: Final = 1 << 20
_LONGEST_KEY: Final = 100


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file that was sent, and the other fields of the form."""

    file: BinaryIO
    file_name: str
    fields: dict[str, str]

    def blocks(self) -> Iterator[bytes]:
        """The content from the beginning."""
        self.file.seek(0)
        while block := self.file.read(_BLOCK):
            yield block

    def copy_to(self, folder: str) -> Path:
        """The content in a file of its own, under a name that nobody chose."""
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as target:
            for block in self.blocks():
                target.write(block)
        return Path(target.name)


@asynccontextmanager
async def read_upload(request: Request, *, file_field: str = "file") -> AsyncIterator[Upload]:
    """The form of a request; its size is limited as it arrives, by the guards."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise InputError([f"request: not a form; expected multipart/form-data with a field {file_field!r}"])
    try:
        form = await request.form(max_files=1, max_fields=20, max_part_size=LONGEST)
    except HTTPException as error:
        raise InputError([f"request: the form cannot be read: {error.detail}; send it again"]) from None
    except (KeyError, ValueError) as error:
        # What the parser makes of a form without a boundary or with broken names.
        raise InputError([f"request: the form cannot be read ({type(error).__name__}); send it again"]) from None
    try:
        file = form.get(file_field)
        if not isinstance(file, UploadFile):
            raise InputError([f"request: no file; expected one in the field {file_field!r}"])
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        yield Upload(file=file.file, file_name=file.filename or "", fields=fields)
    finally:
        await form.close()


def submission_of(upload: Upload, *, key: str | None) -> Submission:
    """What was sent with a run, with a key of the sender or a new one."""
    if key is not None and not (0 < len(key) <= _LONGEST_KEY and key.isprintable()):
        raise UsageError(f"the Idempotency-Key cannot be used; expected 1 to {_LONGEST_KEY} printable characters")
    text = upload.fields.get("metadata", "")
    metadata = metadata_of_json(text) if text.strip() else RunMetadata()
    return Submission(
        file_name=upload.file_name, submission_key=key or f"drawn {secrets.token_hex(16)}", metadata=metadata
    )
