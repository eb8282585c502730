"""Files of a new board: every fault at once, private queries apart, and archives that cannot do harm."""

from __future__ import annotations

import io
import tarfile
import zipfile
from dataclasses import replace

import pytest

from runoff.errors import InputError, LimitError
from runoff.files.board_toml import read_board
from runoff.files.qrels import read_qrels
from runoff.server.cases.boards.files import SentFile, SentSets, describe_sets, unpack_board
from runoff.tables.settings import OrganiserSettings
from tests.server.cases.reading_here import HERE, HereReader
from tests.server.cases.served import write_board


def sent(folder, name, text):
    path = folder / f"sent-{name}"
    path.write_text(text, encoding="utf-8")
    return SentFile(path=path, file_name=f"/home/me/{name}")


def described(folder, *, labels="q1 0 d 1\nq2 0 d 1\n", **more):
    sets = SentSets(
        labels=[("dev", "label_file_1", sent(folder, "qrels", labels))],
        **{key: sent(folder, key, text) for key, text in more.items()},
    )
    return describe_sets(sets, folder, OrganiserSettings(title="T", measure="RR@10"), reader=HERE)


def test_private_labels_join_the_first_label_set_and_name_the_private_queries(tmp_path):
    board, problems = described(tmp_path, private_labels="z1 0 d 1\n")
    assert problems == {}
    assert read_qrels(board.labels["dev"]).query_ids == ("q1", "q2", "z1")
    assert board.queries["private"].read_text() == "z1\n"
    assert set(described(tmp_path)[0].queries) == set()


def test_every_fault_is_told_at_once_under_the_senders_names(tmp_path):
    board, problems = described(tmp_path, labels="q1 0 d 1\nq2 0 d\n", public="", private_labels="z 0 d many\n")
    assert board is None
    assert set(problems) == {"label_file_1", "public_queries", "private_labels"}
    assert problems["label_file_1"].startswith("qrels:2: 3 fields")
    assert str(tmp_path) not in str(problems)


def test_a_query_is_public_or_private(tmp_path):
    assert "open labels too" in described(tmp_path, private_labels="q1 0 d 1\n")[1]["private_labels"]
    assert "public too" in described(tmp_path, public="q1\n", private="q1\n")[1]["private_queries"]
    assert "no public query has labels" in described(tmp_path, public="other\n")[1]["public_queries"]
    assert "no public query" in described(tmp_path, private="q1\nq2\n")[1]["label_file_1"]


def test_development_queries_are_in_no_other_list(tmp_path):
    board, problems = described(tmp_path, development="q1\n", private_labels="z1 0 d 1\n")
    assert problems == {}
    assert (set(board.queries), board.queries["development"].read_text()) == ({"development", "private"}, "q1\n")
    assert "public too" in described(tmp_path, public="q1\n", development="q1\n")[1]["development_queries"]
    assert "development too" in described(tmp_path, development="q1\n", private="q1\n")[1]["private_queries"]
    assert "no public query" in described(tmp_path, development="q1\nq2\n")[1]["label_file_1"]


def packed(folder, kind):
    board = write_board(folder / "described")
    (board.parent / "ir-metadata.yml").write_text("tag: run0.txt", encoding="utf-8")
    target = folder / f"board.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(target, "w") as archive:
            for file in board.parent.iterdir():
                archive.write(file, f"inner/{file.name}")
    else:
        with tarfile.open(target, "w:gz") as archive:
            archive.add(board.parent, arcname="inner")
    return SentFile(path=target, file_name=target.name)


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_an_archive_is_unpacked(tmp_path, kind):
    board = unpack_board(packed(tmp_path, kind), tmp_path / "out")
    first, *others = read_board(tmp_path / "out" / "inner" / "board.toml").runs
    assert board.runs == (replace(first, metadata={"tag": "run0.txt"}), *others)
    with pytest.raises(LimitError, match="more than 1,000 bytes when unpacked"):
        unpack_board(packed(tmp_path, kind), tmp_path / "other", reader=HereReader(max_bytes=1000))


@pytest.mark.parametrize(
    "name", ["../board.toml", "/etc/board.toml", "a/../../board.toml", "C:board.toml", "..\\board.toml"]
)
def test_names_that_lead_elsewhere_are_refused(tmp_path, name):
    target = tmp_path / "bad.zip"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), "x")
    with pytest.raises(InputError, match="leads elsewhere"):
        unpack_board(SentFile(path=target, file_name="bad.zip"), tmp_path / "out", reader=HERE)
    assert not (tmp_path / "board.toml").exists()


def test_links_and_what_is_no_archive_are_refused(tmp_path):
    target = tmp_path / "bad.tar"
    with tarfile.open(target, "w") as archive:
        link = tarfile.TarInfo("board.toml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    for content in (target.read_bytes(), b"", b"plain text", target.read_bytes()[:100]):
        target.write_bytes(content)
        with pytest.raises(InputError, match=r"^bad\.tar: "):
            unpack_board(SentFile(path=target, file_name="bad.tar"), tmp_path / "out", reader=HERE)
    with tarfile.open(target, "w") as archive:
        for name in ("a", "b"):
            entry = tarfile.TarInfo(f"{name}/board.toml")
            archive.addfile(entry, io.BytesIO(b""))
    with pytest.raises(InputError, match=r"2 files are called board\.toml"):
        unpack_board(SentFile(path=target, file_name="bad.tar"), tmp_path / "two", reader=HERE)


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../../../../etc/passwd", "/etc/no-such-file"])
@pytest.mark.parametrize("table", ["labels.dev", "queries.public", "[runs]"])
def test_a_board_in_an_archive_names_no_file_outside_of_it(tmp_path, path, table):
    text = 'title = "T"\nmeasure = "RR@10"\nlabels.own.path = "qrels"\n[[runs]]\npath = "run"\n'
    target = tmp_path / "bad.zip"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("board.toml", f'{text}[{table}]\npath = "{path}"\n')
        archive.writestr("qrels", "q 0 d 1\n")
        archive.writestr("run", "q Q0 d 1 1.0 x\n")
    with pytest.raises(InputError) as found:
        unpack_board(SentFile(path=target, file_name="bad.zip"), tmp_path / "out", reader=HERE)
    (problem,) = found.value.problems
    assert problem.startswith(f"{tmp_path}/out/board.toml:7: path of ")
    assert problem.endswith(f": '{path}' leads out of the archive; expected a file inside it; change the path")
