"""Forms with several files: read after it is known who sends them, and copied under names of our own."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from runoff.errors import InputError
from runoff.server.cases.boards.files import SentFile
from runoff.server.web.forms import FIELD, check_csrf, check_origin
from runoff.server.web.visitors import Visitor

_MOST_FIELDS: Final = 60
_LONGEST: Final = 100_000


@dataclass(frozen=True, kw_only=True)
class FilesForm:
    """The fields of a form, and the files that were chosen, by field."""

    fields: dict[str, str]
    files: dict[str, UploadFile]

    def copied_to(self, folder: Path) -> dict[str, SentFile]:
        """Every file in the folder, under a name that nobody chose."""
        found = {}
        for place, (name, file) in enumerate(self.files.items()):
            path = folder / f"sent-{place}"
            with path.open("wb") as target:
                file.file.seek(0)
                shutil.copyfileobj(file.file, target)
            found[name] = SentFile(path=path, file_name=file.filename or "")
        return found


@asynccontextmanager
async def read_files_form(request: Request, visitor: Visitor, *, most_files: int) -> AsyncIterator[FilesForm]:
    """A form that this server made, with so many files at most; its size is limited as it arrives, by the guards."""
    check_origin(request)
    try:
        form = await request.form(max_files=most_files, max_fields=_MOST_FIELDS, max_part_size=_LONGEST)
    except (HTTPException, KeyError, ValueError):
        raise InputError(["request: the form cannot be read; send it again"]) from None
    try:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        check_csrf(visitor, fields.get(FIELD, ""))
        files = {name: value for name, value in form.items() if isinstance(value, UploadFile) and value.filename}
        yield FilesForm(fields=fields, files=files)
    finally:
        await form.close()
