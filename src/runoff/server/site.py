"""What a server is made of: its settings, its database, its files, and the only clock."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final

from runoff.errors import InputError, StoreError, UsageError
from runoff.phrases import counted
from runoff.reading.cluster_connection import LOCAL, encrypted_address
from runoff.server.cache import PersonalTurns
from runoff.server.cases.boards.board_views import BoardViews
from runoff.server.cases.judging.live_results import CampaignMemory
from runoff.server.cases.mail.mail_server import read_mail_server
from runoff.server.cases.mail.send_mail import Mailing, read_sender
from runoff.server.cases.uploads.limited_process import LEAST_MEMORY, MEMORY, SECONDS, USUAL_READER, LimitedReader
from runoff.server.store.database import (
    Database,
    make_folder_of,
    open_database,
    open_existing_database,
    upgrade,
)
from runoff.server.store.files import FileStore, load_known_hashes
from runoff.server.store.private_files import close_to_others

PREFIX: Final = "RUNOFF_"
NEW_TEAMS: Final = ("approval", "free")

MOST_WAITING: Final = 8
WAIT_SECONDS: Final = 60
"""Files of one person that may wait to be read, beside the one that is, and for how long."""


@dataclass(frozen=True, kw_only=True)
class SiteSettings:
    """What whoever runs a server chooses.

    database        address of the database: sqlite:///FILE or postgresql://PERSON@HOST/NAME
    folder          where uploaded files are kept
    base_url        the address at which people reach the server; one with https makes cookies secure
    title           what the pages are called
    session_hours   how long a person stays signed in
    link_hours      how long a one-time link can be used
    upload_limit    bytes of an upload, whatever a board allows
    read_limit      bytes of an uploaded file after decompression
    read_memory     bytes of memory that reading an uploaded file may take
    read_seconds    how long reading an uploaded file may take
    login_failures  attempts to sign in that may fail in 15 minutes, for one account from one network address; ten times
                    as many for an account from all new addresses, and from one address for all accounts
    new_views       filters and comparisons that nobody has asked for yet, for one visitor in five minutes
    connections     clients that may be connected at once; one address of the network has a tenth of them
    header_seconds  how long a client may take to send the headers of a request
    body_seconds    how long a client may lag behind 2,000 bytes a second while it sends a body or reads an answer
    trusted_proxies addresses and networks of reverse proxies, with commas: only from these are X-Forwarded-For and
                    X-Forwarded-Proto believed
    new_teams       "approval": a team that a member makes waits for an organiser; "free": it can submit at once, and
                    whoever has several accounts has the submissions of each
    team_invitations  people that a team may invite in all; organisers may invite more
    lease_seconds   how long a worker has a job without a sign of life; after that another takes the job over
    cluster         address of a Dask scheduler that scores runs on open labels; empty for none
    mail            address of a mail server, smtp://user:password@host:587 or smtps://...; empty: no mail is sent
    mail_from       the sender of mails, needed with `mail`
    """

    database: str = "sqlite:///runoff.db"
    folder: Path = Path("runoff-files")
    base_url: str = "http://127.0.0.1:8000"
    title: str = "runoff"
    session_hours: int = 24 * 7
    link_hours: int = 72
    upload_limit: int = 500_000_000
    read_limit: int = 3_000_000_000
    read_memory: int = MEMORY
    read_seconds: int = SECONDS
    login_failures: int = 10
    new_views: int = 100
    connections: int = 1000
    header_seconds: int = 10
    body_seconds: int = 30
    trusted_proxies: str = "127.0.0.1, ::1"
    new_teams: str = "approval"
    team_invitations: int = 20
    lease_seconds: int = 60
    cluster: str = ""
    # It may hold a password, so it is not shown.
    mail: str = field(default="", repr=False)
    mail_from: str = ""

    def __post_init__(self) -> None:
        # All that are whole numbers.
        for name in [item.name for item in fields(self) if item.type == "int"]:
            least = LEAST_MEMORY if name == "read_memory" else 1
            if getattr(self, name) < least:
                raise UsageError(f"{name}={getattr(self, name)} cannot be used; expected {least:,} or more; raise it")
        if self.new_teams not in NEW_TEAMS:
            raise UsageError(f"new_teams={self.new_teams!r} cannot be used; expected one of {', '.join(NEW_TEAMS)}")
        if not self.base_url.startswith(("http://", "https://")):
            raise UsageError(f"base_url={self.base_url!r} is not an address; expected one such as https://example.org")
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        if self.mail and not self.mail_from:
            raise UsageError("mail is set and mail_from is not; expected the sender too, such as runoff@example.org")
        if self.mail_from:
            read_sender(self.mail_from)
        # Looked at here, so that a fault is reported at the start.
        _ = self.mailing, self.proxy_networks, encrypted_address(self.cluster or LOCAL)

    @property
    def secure_cookies(self) -> bool:
        """Whether cookies are sent over https alone."""
        return self.base_url.startswith("https://")

    @property
    def session_time(self) -> timedelta:
        """How long a person stays signed in."""
        return timedelta(hours=self.session_hours)

    @property
    def mailing(self) -> Mailing | None:
        """How mail is sent; None if none is."""
        if not self.mail:
            return None
        server, sender = read_mail_server(self.mail), read_sender(self.mail_from)
        return Mailing(server=server, sender=sender, base_url=self.base_url, title=self.title)

    @property
    def proxy_networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Where the reverse proxies are."""
        written = [item.strip() for item in self.trusted_proxies.split(",") if item.strip()]
        networks = tuple(_network_of(item) for item in written)
        for item, network in zip(written, networks, strict=True):
            if network.prefixlen == 0:
                raise UsageError(
                    f"trusted_proxies={item!r} is every address, so that anybody could pretend to be somebody else; "
                    "expected the addresses of your proxies; name them"
                )
        return networks

    @property
    def reader(self) -> LimitedReader:
        """What reads files from strangers, within limits."""
        return LimitedReader(memory=self.read_memory, seconds=self.read_seconds, max_bytes=self.read_limit)


def read_site_settings(
    path: Path | None = None, *, environment: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None
) -> SiteSettings:
    """The settings of a TOML file, overruled by variables such as RUNOFF_BASE_URL, and these by options.

    >>> read_site_settings(environment={"RUNOFF_SESSION_HOURS": "2", "RUNOFF_TITLE": "a"}, options={"title": "b"})
    SiteSettings(database='sqlite:///runoff.db', ... title='b', session_hours=2, ...)
    """
    types = {item.name: type(item.default) for item in fields(SiteSettings)}
    names = {f"{PREFIX}{name.upper()}": name for name in types}
    values = {} if path is None else _read_toml(path, types)
    values |= {names[key]: value for key, value in (environment or {}).items() if key in names}
    values |= {name: value for name, value in (options or {}).items() if value is not None}
    return SiteSettings(**{name: _converted(name, value, types[name]) for name, value in values.items()})


@dataclass(frozen=True, eq=False, kw_only=True)
class Site:
    """A server that is open: everything that a page or a job needs.

    now      the only clock
    hashing  bounds how many passwords are hashed at once: each takes 64 MB
    reader   reads files from strangers, in processes of their own
    reading  bounds how many files are read at once in requests: two, and one of each person
    views      what is cached for the pages of boards
    campaigns  what is cached for the pages of campaigns
    """

    database: Database
    files: FileStore
    settings: SiteSettings
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    hashing: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(2))
    reader: LimitedReader = USUAL_READER
    reading: PersonalTurns = field(
        default_factory=lambda: PersonalTurns(at_once=2, waiting=MOST_WAITING, seconds=WAIT_SECONDS)
    )
    views: BoardViews = field(init=False)
    campaigns: CampaignMemory = field(init=False)

    def __post_init__(self) -> None:
        memory = CampaignMemory(self.database, self.files, reader=self.reader)
        object.__setattr__(self, "views", BoardViews(self.database, new_views=self.settings.new_views))
        object.__setattr__(self, "campaigns", memory)

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_site(settings: SiteSettings, *, new: bool = True) -> Site:
    """Open the database and the file store, with tables of the newest version.

    new  whether they are made where there are none; else it is a StoreError, and nothing is made
    """
    if new:
        make_folder_of(settings.database)
        database = open_database(settings.database)
    else:
        database = open_existing_database(settings.database)
        with database.read() as connection:
            files = len(load_known_hashes(connection))
        if files and not settings.folder.is_dir():
            database.close()
            raise StoreError(
                f"{settings.folder}: there is no folder of files; the database refers to {counted(files, 'file')}; "
                "name the folder with --folder or --config"
            )
    try:
        upgrade(database)
    except Exception:
        database.close()
        raise
    close_to_others(settings.folder)
    return Site(database=database, files=FileStore(settings.folder), settings=settings, reader=settings.reader)


def _read_toml(path: Path, types: Mapping[str, type]) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError([f"{path}: {error}; expected TOML such as title = 'My board'; fix the file"]) from None
    unknown = sorted(set(values) - set(types))
    if unknown:
        raise InputError([f"{path}: unknown key {name!r}; expected some of {', '.join(types)}" for name in unknown])
    return values


def _network_of(written: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(written)
    except ValueError:
        raise UsageError(
            f"trusted_proxies={written!r} is not an address or a network; expected one such as 10.0.0.5 or "
            "172.16.0.0/12, several with commas; correct it"
        ) from None


def _converted(name: str, value: Any, kind: type) -> Any:
    if issubclass(kind, Path):
        return Path(str(value))
    try:
        return int(value) if kind is int else str(value)
    except ValueError:
        raise UsageError(f"{name}={value!r} cannot be used; expected a whole number") from None
