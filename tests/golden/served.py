"""A server on SQLite with the board of the short year, scored, at a fixed time; what an anonymous visitor gets."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from tests.golden.demo_year import FOLDER
from tests.server.cases.reading_here import HERE

NOW = datetime(2025, 1, 2, 12, 30, tzinfo=UTC)
"""Some weeks after the last run of the year."""
API = "/api/v1"
BOARD = f"{API}/boards/{FOLDER}"


@dataclass(frozen=True)
class Address:
    """An address of the server, with the status of its answer."""

    path: str
    status: int = 200
    suffix: str = "json"


ADDRESSES = {
    "page-board": Address(f"/boards/{FOLDER}", suffix="html"),
    "api-description": Address(f"{API}/openapi.json"),
    "api-boards": Address(f"{API}/boards"),
    "api-board": Address(BOARD),
    "api-board-entries": Address(f"{BOARD}?runs=entries"),
    "api-compare": Address(f"{BOARD}/compare?champion=ebro-3&challenger=forth-3"),
    "api-quota": Address(f"{BOARD}/quota", status=401),
    "api-settings": Address(f"{BOARD}/settings"),
    "api-run": Address(f"{API}/runs/2"),
    "api-run-missing": Address(f"{API}/runs/99", status=404),
}
"""By the name of the golden file. Every address of the API that answers to GET is here; a test compares them."""

Client = Callable[[Address], bytes]


@contextmanager
def served_demo(board: Path, folder: Path) -> Iterator[Client]:
    """Serve a board from a new database; yields what asks for an address."""
    from runoff.server.cases.boards.make import make_board
    from runoff.server.site import SiteSettings, open_site
    from runoff.server.web.app import create_app
    from runoff.server.worker import Worker

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Using .httpx. with .starlette.testclient. is deprecated")
        from fastapi.testclient import TestClient

    folder.mkdir()
    settings = SiteSettings(
        database=f"sqlite:///{folder / 'runoff.db'}", folder=folder / "files", base_url="http://testserver"
    )
    site = replace(open_site(settings), now=lambda: NOW, reader=HERE)
    try:
        make_board(site.database, site.files, board, slug=FOLDER, now=NOW, reader=HERE)
        worker = Worker(site)
        while worker.work_once():
            pass
        with TestClient(create_app(site), follow_redirects=False) as client:

            def get(address: Address) -> bytes:
                answer = client.get(address.path)
                if answer.status_code != address.status:
                    raise AssertionError(f"{address.path}: status {answer.status_code}, not {address.status}")
                return bytes(answer.content)

            yield get
    finally:
        site.close()
