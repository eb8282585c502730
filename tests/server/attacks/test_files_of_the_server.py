"""An organiser's archive tries to read files of the server: refused before anything outside it is opened."""

from __future__ import annotations

import io
import stat
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from runoff.errors import InputError
from runoff.server.cases.boards.files import SentFile, SentSets, describe_sets, unpack_board
from runoff.server.cases.uploads.labels import split_sets
from runoff.tables.settings import OrganiserSettings
from tests.server.cases.reading_here import HERE, HereReader

LABELS = "S3CRET-GRADES 0 d 1\n"
BOARD = 'title = "T"\nmeasure = "RR@10"\nlabels.own.path = "qrels"\n[[runs]]\nname = "a"\npath = "run"\n'
FILES = {"qrels": "q 0 d 1\n", "run": "q Q0 d 1 1.0 x\n", "inner/run": "q Q0 d 1 1.0 x\n"}
TABLES = ("[labels.dev]", "[queries.public]", "[queries.private]", '[[runs]]\nname = "b"')


@contextmanager
def opened_files() -> Iterator[list[str]]:
    """Paths of the files and folders that this process opens or lists meanwhile."""
    seen: list[str] = []
    watching = True

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event in {"open", "os.listdir", "os.scandir", "glob.glob"}:
            seen.append(str(arguments[0]))

    sys.addaudithook(look)
    yield seen
    watching = False


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def escaping_paths(secret: Path) -> dict[str, str]:
    """Paths that lead to a file outside of the archive, by what kind they are."""
    up = "../" * 30
    return {
        "absolute": str(secret),
        "parents": f"{up}{str(secret)[1:]}",
        "through a folder": f"inner/{up}{str(secret)[1:]}",
        "root by dots": f"/./{str(secret)[1:]}",
        "two slashes": f"/{secret}",
        "one up": "../archive",
        "folder": str(secret.parent),
        "pattern": f"{secret.parent}/*",
        "no such file": "/etc/no-such-file",
        "system": "/proc/self/environ",
        "object store": "s3://bucket/labels.parquet",
        "web": "http://127.0.0.1:1/labels.parquet",
        "file address": f"file://{secret}",
        "drive": "C:\\\\labels",
        "share": "\\\\\\\\host\\\\labels",
        "home": f"~/{secret.name}",
        "NUL": "qrels\\u0000",
        "line break": "qrels\\n",
    }


KINDS = tuple(escaping_paths(Path("/x/y")))


@pytest.fixture
def secret(tmp_path_factory) -> Path:
    file: Path = tmp_path_factory.mktemp("server") / "secret-qrels"
    file.write_text(LABELS, encoding="utf-8")
    return file


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_path_out_of_the_archive_is_refused_before_anything_is_opened(tmp_path, secret, kind, table):
    path = escaping_paths(secret)[kind]
    sent = SentFile(path=tmp_path / "archive", file_name="board.zip")
    sent.path.write_bytes(zipped({"board.toml": f'{BOARD}{table}\npath = "{path}"\n', **FILES}))
    with opened_files() as seen, pytest.raises(InputError) as found:
        unpack_board(sent, tmp_path / "out", reader=HERE)
    (problem,) = found.value.problems
    assert "leads out of the archive; expected a file inside it; change the path" in problem
    assert problem.startswith(f"{tmp_path}/out/board.toml:"), "it names the line"
    outside = [file for file in seen if not file.startswith((str(tmp_path), *sys.path, sys.prefix, "<"))]
    assert outside == []


def test_every_bad_path_is_reported_at_once_and_good_ones_work(tmp_path, secret):
    bad = f'[labels.dev]\npath = "{secret}"\n[queries.public]\npath = "../../x"\n'
    sent = SentFile(path=tmp_path / "archive", file_name="board.zip")
    sent.path.write_bytes(zipped({"board.toml": BOARD + bad, **FILES}))
    with pytest.raises(InputError) as found:
        unpack_board(sent, tmp_path / "out", reader=HERE)
    assert [problem.split(":")[1] for problem in found.value.problems] == ["8", "10"]
    inner = BOARD.replace('"run"', '"../b/run"').replace('"qrels"', '"./qrels"')
    sent.path.write_bytes(zipped({"a/board.toml": inner, "a/qrels": FILES["qrels"], "b/run": FILES["run"]}))
    board = unpack_board(sent, tmp_path / "good", reader=HERE)
    assert board.labels["own"].read_text() == FILES["qrels"]


@pytest.mark.parametrize("kind", ["symbolic", "hard", "device", "pipe", "zip"])
def test_links_and_devices_in_an_archive_are_refused(tmp_path, secret, kind):
    buffer = io.BytesIO()
    if kind == "zip":
        link = zipfile.ZipInfo("qrels")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("board.toml", BOARD)
            archive.writestr("run", FILES["run"])
            archive.writestr(link, str(secret))
    else:
        types = {
            "symbolic": tarfile.SYMTYPE,
            "hard": tarfile.LNKTYPE,
            "device": tarfile.CHRTYPE,
            "pipe": tarfile.FIFOTYPE,
        }
        with tarfile.open(fileobj=buffer, mode="w") as packed:
            for name, text in {"board.toml": BOARD, "run": FILES["run"]}.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                packed.addfile(entry, io.BytesIO(text.encode()))
            entry = tarfile.TarInfo("qrels")
            entry.type, entry.linkname = types[kind], str(secret)
            packed.addfile(entry)
    sent = SentFile(path=tmp_path / "archive", file_name="board.any")
    sent.path.write_bytes(buffer.getvalue())
    with opened_files() as seen, pytest.raises(InputError, match=r"board\.any: 'qrels' is a link or a device"):
        unpack_board(sent, tmp_path / "out", reader=HERE)
    assert str(secret) not in seen


def test_a_link_that_is_in_the_folder_all_the_same_is_not_followed(tmp_path, secret):
    """As if a fault of a library had made one."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "here").symlink_to(secret.parent)
    sent = SentFile(path=tmp_path / "archive", file_name="board.zip")
    text = BOARD + f'[labels.dev]\npath = "here/{secret.name}"\n'
    sent.path.write_bytes(zipped({"board.toml": text, **FILES}))
    with opened_files() as seen, pytest.raises(InputError, match="leads out of the archive"):
        unpack_board(sent, out, reader=HERE)
    assert not any("secret-qrels" in file for file in seen)


class TakenOver(HereReader):
    """A reader that a file has taken over: it answers with paths of its own."""

    answer: Any

    def __init__(self, answer: Any) -> None:
        super().__init__()
        object.__setattr__(self, "answer", answer)

    def read(self, work, request, *, called, into):
        return into({**work(**request), **self.answer})


def test_paths_from_a_reading_process_that_was_taken_over_are_not_believed(tmp_path, secret):
    sent = SentFile(path=tmp_path / "archive", file_name="board.zip")
    sent.path.write_bytes(zipped({"board.toml": BOARD, **FILES}))
    elsewhere = {"dev": str(secret)}
    for number, lie in enumerate(({"labels": elsewhere}, {"queries": elsewhere})):
        with pytest.raises(ValueError, match="outside"):
            unpack_board(sent, tmp_path / f"out{number}", reader=TakenOver(lie))
    run = {"name": "a", "path": str(secret), "date": None}
    with pytest.raises(ValueError, match="outside"):
        unpack_board(sent, tmp_path / "out-runs", reader=TakenOver({"runs": [run]}))
    labels = tmp_path / "qrels"
    labels.write_text("q 0 d 1\n", encoding="utf-8")
    sets = SentSets(labels=[("dev", "label_file_1", SentFile(path=labels, file_name="qrels"))])
    with pytest.raises(ValueError, match="outside"):
        describe_sets(
            sets,
            tmp_path,
            OrganiserSettings(title="T", measure="RR@10"),
            reader=TakenOver({"labels": elsewhere, "queries": {}, "problems": {}}),
        )
    with pytest.raises(ValueError, match="outside"):
        split_sets(
            {"dev": labels}, {}, tmp_path, called="T", reader=TakenOver({"queries": {"public": [str(secret), 1]}})
        )


@pytest.mark.parametrize("kind", ["absolute", "parents", "folder", "file address", "NUL", "no such file"])
def test_the_page_refuses_it_and_shows_nothing_of_the_server(apart, secret, kind):
    path = escaping_paths(secret)[kind]
    csrf = apart.sign_in(apart.served.organiser)
    before = apart.everything()
    for place, table in enumerate(TABLES):
        answer = apart.client.post(
            "/organise/board-archive",
            data={"csrf": csrf, "archive_slug": f"bad-{place}", "archive_most": "2"},
            files={"archive": ("b.zip", zipped({"board.toml": f'{BOARD}{table}\npath = "{path}"\n', **FILES}))},
        )
        assert answer.status_code == 422
        assert "leads out of the archive" in answer.text
        assert "S3CRET" not in answer.text
        assert "/tmp" not in answer.text.replace(str(secret), "").replace(str(secret.parent), "")  # noqa: S108
    after = apart.everything()
    assert (after[0], dict(after[1])["board"]) == (before[0], dict(before[1])["board"])


def test_a_run_that_is_a_folder_is_refused_in_words(serving):
    csrf = serving.sign_in(serving.served.organiser)
    text = BOARD.replace('"run"', '"runs"')
    parquet = b"PAR1".decode()
    answer = serving.client.post(
        "/organise/board-archive",
        data={"csrf": csrf, "archive_slug": "folder", "archive_most": "2"},
        files={"archive": ("b.zip", zipped({"board.toml": text, "qrels": "q 0 d 1\n", "runs/a.parquet": parquet}))},
    )
    assert answer.status_code == 422
    assert "is a folder; expected a single file" in answer.text
