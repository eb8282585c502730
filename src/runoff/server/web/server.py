"""Starting and stopping a server: the app, the workers beside it, and the first organiser."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from runoff.errors import NotFoundError
from runoff.server.cases.accounts.sign_in import make_link
from runoff.server.cases.boards.make import make_board, slug_of
from runoff.server.cases.reads import load_board, load_people
from runoff.server.log import start_log
from runoff.server.site import Site, SiteSettings, open_site
from runoff.server.web.app import STOP_SECONDS, create_app
from runoff.server.web.connections import ConnectionLimits, connections_within_files, limited_protocol
from runoff.server.worker import work_forever

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess
    from types import FrameType

FIRST_ORGANISER: Final = "organiser@example.org"
BACKLOG: Final = 256
"""Connections that the system holds until they are taken."""
_CHECK_SECONDS: Final = 1.0


def serve(
    settings: SiteSettings,
    *,
    host: str,
    port: int,
    workers: int = 1,
    boards: tuple[Path, ...] = (),
    organiser: str = FIRST_ORGANISER,
    say: Callable[[str], object] = print,
) -> None:
    """Run a server until it is stopped.

    workers    processes that score runs; with 0 a thread of the server does
    boards     board.toml files; each is made a board of the server unless one of its name is there
    organiser  the address of mail for whom a one-time link is printed while there is no organiser
    """
    start_log()
    # uvicorn sends SIGTERM again when it is done; without this the process would end there, before its workers do.
    signal.signal(signal.SIGTERM, _leave)
    site = open_site(settings)
    try:
        for line in prepare(site, boards=boards, organiser=organiser):
            say(line)
        say(f"Serving {settings.title} at {settings.base_url}; stop it with Ctrl-C.")
        with _workers(settings, workers):
            uvicorn.run(create_app(site, with_worker=workers == 0), host=host, port=port, **uvicorn_options(settings))
    finally:
        site.close()


def uvicorn_options(settings: SiteSettings) -> dict[str, Any]:
    """How uvicorn serves a site: within limits of connections, and with addresses that only trusted proxies forward."""
    limits = ConnectionLimits(
        connections=connections_within_files(settings.connections),
        header_seconds=settings.header_seconds,
        body_seconds=settings.body_seconds,
        proxies=settings.proxy_networks,
    )
    return {
        "http": limited_protocol(limits),
        "ws": "none",
        # Addresses are not logged: those of one-time links are secrets. Other lines go where ours go.
        "access_log": False,
        "log_config": None,
        "log_level": "warning",
        "server_header": False,
        "forwarded_allow_ips": [str(network) for network in settings.proxy_networks],
        "backlog": BACKLOG,
        "timeout_graceful_shutdown": STOP_SECONDS,
    }


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def prepare(site: Site, *, boards: tuple[Path, ...] = (), organiser: str = FIRST_ORGANISER) -> Iterator[str]:
    """Make what a new server lacks, and tell it: the boards of some files, a link for the first organiser."""
    for path in boards:
        slug = slug_of(path.resolve().parent.name)
        if not _has_board(site, slug):
            made = make_board(site.database, site.files, path, slug=slug, now=site.now(), reader=site.reader)
            yield f"Made the board {made.title!r} of {path}: {site.settings.base_url}/boards/{slug}"
    with site.database.read() as connection:
        organisers = [person for person in load_people(connection) if person.role == "organiser"]
    if not organisers:
        yield f"There is no organiser yet. Open this once, to make an account for {organiser}:"
        # Not mailed: whoever starts the server reads it here, and the address may be the example.
        yield f"  {invite(site, organiser, 'organiser')}"


def invite(site: Site, email: str, role: str, *, mailed: bool = False) -> str:
    """A one-time link for somebody, to make an account or to choose a new password."""
    hours = site.settings.link_hours
    token = site.database.write(
        lambda connection: make_link(
            connection,
            email=email,
            role=role,  # type: ignore[arg-type]
            hours=hours,
            actor=None,
            now=site.now(),
            mailed=mailed,
        )
    )
    return f"{site.settings.base_url}/links/{token}"


def _has_board(site: Site, slug: str) -> bool:
    with site.database.read() as connection:
        try:
            load_board(connection, slug)
        except NotFoundError:
            return False
    return True


@contextmanager
def _workers(settings: SiteSettings, count: int) -> Iterator[None]:
    """Worker processes; one that dies is started again, and all end with the server."""
    # Spawned, because a forked process would share the connections to the database.
    context = multiprocessing.get_context("spawn")
    stop = Event()
    running: list[BaseProcess] = []

    def start(number: int) -> BaseProcess:
        process = context.Process(target=work_forever, args=(settings, number), name=f"runoff worker {number}")
        process.start()
        return process

    def watch() -> None:
        while not stop.wait(_CHECK_SECONDS):
            for number, process in enumerate(running):
                if not process.is_alive() and not stop.is_set():
                    running[number] = start(number)

    running += [start(number) for number in range(count)]
    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()
        for process in running:
            process.terminate()
        for process in running:
            process.join(STOP_SECONDS)
