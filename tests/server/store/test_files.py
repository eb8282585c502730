import errno
import hashlib
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import BusyError, LimitError, NoRoomError, NotFoundError, StoreError
from runoff.server.store.files import FileStore


@pytest.fixture
def files(tmp_path) -> FileStore:
    return FileStore(tmp_path / "files")


def contents(files: FileStore) -> list[Path]:
    return sorted(file for file in files.folder.rglob("*") if file.is_file())


def test_a_file_is_named_by_its_content(files):
    stored = files.save([b"q1 Q0 d1 ", b"1 2.5 bm25\n"], limit=100)
    assert stored.content_hash == hashlib.sha256(b"q1 Q0 d1 1 2.5 bm25\n").hexdigest()
    assert stored.size == 20
    path = files.path(stored.content_hash)
    assert path.read_bytes() == b"q1 Q0 d1 1 2.5 bm25\n"
    assert path.relative_to(files.folder).as_posix() == f"{stored.content_hash[:2]}/{stored.content_hash[2:]}"
    assert contents(files) == [path]
    assert files.has(stored.content_hash)
    assert list(files.hashes()) == [stored.content_hash]


@given(chunks=st.lists(st.binary(max_size=50), max_size=5))
def test_any_bytes_come_back(tmp_path_factory, chunks):
    files = FileStore(tmp_path_factory.mktemp("files"))
    stored = files.save(chunks, limit=1000)
    assert files.path(stored.content_hash).read_bytes() == b"".join(chunks)


def test_the_same_content_is_kept_once(files):
    assert files.save([b"ab"], limit=9) == files.save([b"a", b"b"], limit=9)
    assert len(contents(files)) == 1


def test_the_limit_holds_while_bytes_arrive(files):
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield b"x" * 10

    with pytest.raises(LimitError, match="more than 35 bytes; expected 35 or fewer"):
        files.save(endless(), limit=35)
    assert len(taken) == 4
    assert contents(files) == []
    assert files.save([b"x" * 35], limit=35).size == 35


def test_a_broken_stream_leaves_nothing(files):
    def broken():
        yield b"half"
        raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError):
        files.save(broken(), limit=100)
    assert contents(files) == []


def test_a_full_disk_leaves_nothing_and_says_so(files, monkeypatch):
    real = os.write

    def full(handle, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files.save([b"before"], limit=100)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(NoRoomError, match="No space left on device; nothing of it was kept; make room there"):
        files.save([b"more"], limit=100)
    monkeypatch.setattr(os, "write", real)
    assert len(contents(files)) == 1


def test_a_limit_of_the_system_is_met_half_way(tmp_path):
    """A real failure of the system: no file may be larger than 100,000 bytes."""
    program = f"""
import resource
from pathlib import Path
from runoff.server.store.files import FileStore
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    FileStore(Path({str(tmp_path)!r})).save([b"x" * 60_000] * 3, limit=10**9)
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "NoRoomError" in done.stdout
    assert "File too large" in done.stdout
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def test_damage_is_found(files):
    stored = files.save([b"good"], limit=9)
    path = files.path(stored.content_hash)
    path.chmod(0o600)
    path.write_bytes(b"evil")
    with pytest.raises(StoreError, match="has changed since it was stored; restore it from a backup"):
        files.path(stored.content_hash)
    files.save([b"good"], limit=9)
    assert files.path(stored.content_hash).read_bytes() == b"good"


@pytest.mark.parametrize("name", ["../../etc/passwd", "ab" * 31, "AB" * 32, "", "ab" * 32 + "\n", "/" * 64])
def test_only_a_hash_is_a_name(files, name):
    with pytest.raises(NotFoundError, match="is not a SHA-256 hash"):
        files.path(name)


def test_an_unknown_hash_is_told(files):
    with pytest.raises(NotFoundError, match="has no file abab"):
        files.path("ab" * 32)
    assert not files.has("ab" * 32)
    assert list(files.hashes()) == []


def test_leftovers_of_killed_programs_are_removed_and_files_in_work_are_not(files):
    stored = files.save([b"good"], limit=9)
    program = f"""
import os
from pathlib import Path
from runoff.server.store.files import FileStore
def chunks():
    yield b"half"
    os.kill(os.getpid(), 9)
FileStore(Path({str(files.folder)!r})).save(chunks(), limit=100)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert len(contents(files)) == 2
    now = datetime.now(UTC)
    assert files.remove_leftovers(before=now - timedelta(hours=1)) == 0
    assert files.remove_leftovers(before=now + timedelta(hours=1)) == 1
    assert contents(files) == [files.path(stored.content_hash)]


def test_file_and_folder_are_brought_to_the_disk_before_it_returns(files, monkeypatch):
    order = []
    real_sync, real_replace = os.fsync, Path.replace

    def sync(handle):
        order.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        real_sync(handle)

    def move(file, to):
        order.append("move")
        return real_replace(file, to)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", move)
    files.save([b"good"], limit=9)
    place = order.index("move")
    assert "file" in order[:place]
    assert order[place:] == ["move", "folder"]


def test_what_arrives_can_be_read_before_it_is_kept_and_is_gone_if_it_is_not(files):
    with files.receive(limit=9) as incoming:
        incoming.write(b"ab")
        incoming.write(b"c")
        incoming.settle()
        assert incoming.path.read_bytes() == b"abc"
        assert list(files.hashes()) == []
    assert contents(files) == []
    with files.receive(limit=9) as incoming:
        incoming.write(b"abc")
        assert incoming.keep() == incoming.keep() == files.save([b"abc"], limit=9)
    assert len(contents(files)) == 1


def test_to_be_alone_waits_for_others_and_not_for_ever(files):
    others = (files.holding(), files.holding(), pytest.raises(BusyError, match="the files are in use"))
    with others[0], others[1], others[2], files.holding(alone=True):
        pass
    with files.holding(alone=True):
        pass
