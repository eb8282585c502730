"""The database: how it is opened, read and written."""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from runoff.errors import BusyError, MissingExtraError, NoRoomError, StoreError
from runoff.server.store.group_commit import Together
from runoff.server.store.migrations import HEAD, current_revision, migrate
from runoff.server.store.private_files import close_to_others, make_private_file, make_private_folder


class FairLock:
    """One writer at a time, in the order in which they asked.

    SQLite has one writer, and those who find it busy sleep and look again: who looks at the right moment is next, and
    some look for seconds. In a line nobody is passed over.

    >>> turns = FairLock()
    >>> turns.take(seconds=1), turns.take(seconds=0)
    (True, False)
    >>> turns.give_back()
    >>> turns.take(seconds=0)
    True
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: deque[Lock] = deque()
        self._taken = False

    def take(self, *, seconds: float) -> bool:
        """Wait for the turn, for at most this many seconds; return whether it came."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            own = Lock()
            own.acquire()
            self._waiting.append(own)
        if own.acquire(timeout=seconds):
            return True
        with self._guard:
            # Perhaps it was handed over between the end of the wait and here.
            if own.acquire(blocking=False):
                return True
            self._waiting.remove(own)
            return False

    def give_back(self) -> None:
        """Hand the turn to who has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


Kind = TypeVar("Kind")

TRIES: Final = 6
BUSY_SECONDS: Final = 10
_FIRST_WAIT: Final = 0.01

# What PostgreSQL calls: serialization failure, deadlock, lock not available; disk full.
_PASSING_STATES: Final = {"40001", "40P01", "55P03"}
_FULL_STATES: Final = {"53100"}
# No state: the connection was refused. Too many connections; shutting down; starting.
_AWAY_STATES: Final = {None, "53300", "57P01", "57P03"}
_PASSING_CODES: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


@dataclass(frozen=True)
class Database:
    """An open database.

    `read()` is a transaction that cannot write and sees one moment; `write(work)` is one that can, and what it wrote
    is on the disk when it returns. All functions of the store take the connection of either.

    turns  in which threads write, where the database has one writer at a time (SQLite); else None
    """

    url: URL
    engine: Engine
    reader: Engine
    turns: FairLock | None = None
    together: Together | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.turns is not None:
            object.__setattr__(self, "together", Together(self.write, _is_passing))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees the database as it was at its first question."""
        try:
            with self.reader.begin() as connection:
                yield connection
        except (DBAPIError, PoolTimeoutError) as error:
            if _is_away(error) or _is_lost(error):
                raise self._away() from error
            raise

    def write(self, work: Callable[[Connection], Kind]) -> Kind:
        """Do `work` in one transaction and return what it returned.

        The work is done again, from its start and in a new transaction, where the database asks for that (a deadlock,
        a lock that was not available), at most 6 times. So it must do nothing outside the database that cannot be
        done twice.
        """
        for attempt in range(TRIES):
            is_done = False
            try:
                with self._turn(), self.engine.begin() as connection:
                    result = work(connection)
                    is_done = True
                return result
            except PoolTimeoutError as error:
                raise self._away() from error
            except DBAPIError as error:
                if _is_away(error) or (_is_lost(error) and not is_done):
                    raise self._away() from error
                if _is_full(error):
                    raise NoRoomError(f"{_shown(self.url)}: the disk is full; nothing was saved; make room") from error
                if _is_lost(error):
                    # While it was committing: doing the work again could do it twice.
                    raise StoreError(
                        f"{_shown(self.url)}: the connection was lost, so it may or may not have been saved; check "
                        "before you try again"
                    ) from error
                if not _is_passing(error):
                    raise
                # A wait, not a clock.
                Event().wait(_FIRST_WAIT * 2**attempt)
        raise self._busy()

    def write_small(self, work: Callable[[Connection], Kind]) -> Kind:
        """Do `work`, a few quick statements, as `write` does; on SQLite in one transaction with others that wait.

        The disk is waited for once for all of them. If one fails, the others stand.
        """
        return self.write(work) if self.together is None else self.together.do(work)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        # Before a connection is asked for: who waits must not keep one from those who read.
        if self.turns is None:
            yield
            return
        if not self.turns.take(seconds=TRIES * BUSY_SECONDS):
            raise self._busy()
        try:
            yield
        finally:
            self.turns.give_back()

    def _busy(self) -> BusyError:
        return BusyError(f"{_shown(self.url)}: the database was locked in all {TRIES} tries; try again later")

    def _away(self) -> BusyError:
        return BusyError(f"{_shown(self.url)}: the database cannot be reached now; nothing was done; try again later")

    @property
    def folder(self) -> Path | None:
        """Where the file of an SQLite database is; None of other databases."""
        file = self._file
        return None if file is None else file.parent

    @property
    def _file(self) -> Path | None:
        is_file = self.url.get_backend_name() == "sqlite"
        return Path(str(self.url.database)).absolute() if is_file else None

    def check_writable(self) -> None:
        """Raise a StoreError if nothing can be written; a change is made for that and taken back."""
        file = self._file
        # Connections that are open could still write to a file that was moved or is read-only now; later ones not.
        if file is not None and not os.access(file, os.W_OK):
            raise StoreError(f"{file}: the database cannot be written")
        if self.turns is not None and not self.turns.take(seconds=0):
            return  # somebody is writing just now
        try:
            with self.engine.connect() as connection:
                if file is None:
                    connection.exec_driver_sql("SET LOCAL lock_timeout = '2s'")
                connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
                connection.rollback()
        except (DBAPIError, PoolTimeoutError) as error:
            if not _is_passing(error):
                raise StoreError(f"{_shown(self.url)}: the database cannot be written: {error}") from error
        finally:
            if self.turns is not None:
                self.turns.give_back()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def open_database(url: str, *, connections: int = 10) -> Database:
    """Open the database of a URL; its tables are made and renewed by `upgrade`.

    url          `sqlite:///runoff.db`, or `postgresql://person@host/name`
    connections  how many may be open at once
    """
    address = _checked_url(url)
    options: dict[str, Any] = {"pool_size": connections, "max_overflow": 0}
    if address.get_backend_name() == "sqlite":
        _keep_private(Path(str(address.database)))
        engine = create_engine(address, connect_args={"timeout": BUSY_SECONDS}, **options)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        reader = engine.execution_options(runoff_reads=True)
    else:
        try:
            engine = create_engine(address, pool_pre_ping=True, **options)
        except ModuleNotFoundError as error:
            raise MissingExtraError("a PostgreSQL store", "postgresql") from error
        reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    turns = FairLock() if address.get_backend_name() == "sqlite" else None
    database = Database(url=address, engine=engine, reader=reader, turns=turns)
    _check_reachable(database)
    return database


def open_existing_database(url: str) -> Database:
    """Open the database of a server; if there is none, it is a StoreError and none is made."""
    address = _checked_url(url)
    where = _shown(address)
    if address.get_backend_name() == "sqlite":
        file = Path(str(address.database)).absolute()
        where = str(file)
        if not file.is_file() or not file.stat().st_size:
            raise _no_server(where)
    database = open_database(url)
    with database.read() as connection:
        revision = current_revision(connection)
    if revision is None:
        database.close()
        raise _no_server(where)
    return database


def _no_server(where: str) -> StoreError:
    return StoreError(
        f"{where}: there is no database of a server; expected an existing one; name it with --database or --config, or "
        "change to the server's folder (runoff serve makes a new one)"
    )


def make_folder_of(url: str) -> None:
    """Make the folder of an SQLite file, unless it is there; other databases have none."""
    address = _checked_url(url)
    if address.get_backend_name() == "sqlite" and address.database is not None:
        make_private_folder(Path(address.database).absolute().parent)


def _keep_private(file: Path) -> None:
    """Only our own account may open the file of a database, its log and its index; SQLite gives these the same mode."""
    # Without the folder, or the right to write there, opening the database says so.
    with suppress(FileNotFoundError, PermissionError):
        make_private_file(file)
        for part in (file, *(file.with_name(f"{file.name}-{kind}") for kind in ("wal", "shm"))):
            close_to_others(part)


def upgrade(database: Database, revision: str = HEAD) -> tuple[str, ...]:
    """Bring the tables to a version, by default the newest, and return the versions passed; all of it or nothing."""
    return database.write(lambda connection: migrate(connection, revision))


def _checked_url(url: str) -> URL:
    expected = "expected sqlite:///FILE or postgresql://PERSON@HOST/NAME"
    try:
        address = make_url(url)
    except ArgumentError:
        raise StoreError(f"database address {url!r} cannot be read; {expected}") from None
    backend = address.get_backend_name()
    if backend in {"postgres", "postgresql"}:
        return address.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StoreError(f"database address {_shown(address)!r} is of an unknown kind; {expected}")
    if address.database in {None, "", ":memory:"}:
        raise StoreError(f"database address {url!r} names no file, and a database in memory would be lost; {expected}")
    return address


def _check_reachable(database: Database) -> None:
    try:
        with database.read() as connection:
            connection.exec_driver_sql("SELECT 1")
    except (DBAPIError, BusyError) as failure:
        error = failure if isinstance(failure, DBAPIError) else failure.__cause__
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        folder = Path(database.url.database or "").absolute().parent
        if database.url.get_backend_name() == "sqlite" and not folder.is_dir():
            reason = f"there is no folder {folder}; make it, or name a file in another one"
        raise StoreError(f"{_shown(database.url)}: the database cannot be opened: {reason}") from error


def _shown(url: URL) -> str:
    """The address without its password."""
    return url.render_as_string(hide_password=True)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by itself, and late; `_begin_sqlite` does it.
    connection.isolation_level = None
    # FULL: with NORMAL a power cut can undo what was acknowledged, in WAL mode.
    # recursive_triggers: without it INSERT OR REPLACE removes a row past the triggers of an append-only table.
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later can fail half-way; one that is going to write says so at once.
    reads = bool(connection.get_execution_options().get("runoff_reads"))
    if connection.info.get("runoff_reads") != reads:
        connection.exec_driver_sql(f"PRAGMA query_only = {int(reads)}")
        connection.info["runoff_reads"] = reads
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _is_passing(error: BaseException) -> bool:
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        # The low byte is the error, the others say which kind of it.
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _PASSING_CODES
    return getattr(error.orig, "sqlstate", None) in _PASSING_STATES


def _is_away(error: Exception) -> bool:
    """Whether no connection was available, so that nothing can have been done."""
    if isinstance(error, PoolTimeoutError):
        return True
    if not isinstance(error, OperationalError) or isinstance(error.orig, sqlite3.Error) or error.connection_invalidated:
        return False
    return getattr(error.orig, "sqlstate", None) in _AWAY_STATES


def _is_lost(error: Exception) -> bool:
    """Whether the connection was lost on the way: nothing was saved, unless it was being committed."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _is_full(error: DBAPIError) -> bool:
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return getattr(error.orig, "sqlstate", None) in _FULL_STATES
