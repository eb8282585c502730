"""`runoff admin`: a server looked after from its machine."""

import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import pytest

from runoff.cli.admin import admin
from runoff.server.site import SiteSettings, open_site
from runoff.server.store.database import open_database
from runoff.server.store.people import save_person
from tests.server.cases.mailbox import mail_server
from tests.server.cases.served import write_board


def start_server(folder, database="a.db"):
    """What the first start of a server leaves."""
    open_site(SiteSettings(database=f"sqlite:///{folder / database}", folder=folder / "files")).close()


@pytest.fixture
def manage(call, tmp_path):
    start_server(tmp_path)

    def start(*arguments, database="a.db", folder="files"):
        where = ["--database", f"sqlite:///{tmp_path / database}", "--folder", str(tmp_path / folder)]
        return call("admin", *where, *arguments)

    return start


def test_people_boards_and_backups(manage, tmp_path):
    board = write_board(tmp_path / "described")
    assert "Made the board 'Trees <b>'" in manage("board", str(board), "--slug", "trees").stdout
    assert manage("work").stdout == "3 jobs done\n"
    assert manage("work").stdout == "0 jobs done\n"
    told = manage("invite", "ann@example.org", "--role", "organiser")
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/links/[\w-]{43}\n", told.stdout)
    assert "its beginning is the setting base_url, which is not set" in told.stderr
    assert "import@runoff.invalid  member  Import" in manage("people").stdout
    backup = str(tmp_path / "backup")
    assert re.search(r"sqlite at v\d{4}, 5 files", manage("backup", backup).stdout)
    restored = manage("restore", backup, database="b.db", folder="other")
    assert re.fullmatch(r"restored sqlite at v\d{4}, 5 files, 0 missing\n", restored.stdout)
    assert manage("people", database="b.db").stdout == manage("people").stdout
    again = manage("restore", backup, database="b.db", folder="other")
    assert (again.returncode, "has tables already" in again.stderr) == (2, True)


def test_labels_are_added_and_used(manage, tmp_path):
    board = write_board(tmp_path / "described")
    manage("board", str(board), "--slug", "trees")
    manage("work")
    qrels = tmp_path / "new.txt"
    qrels.write_text("q1 0 x 1\nq2 0 d 1\n", encoding="utf-8")
    added = manage("labels", "trees", str(qrels), "--note", "again").stdout.splitlines()
    assert added == [
        "dev, version 1: in use, open, 24 queries, 48 judged",
        "dev private, version 1: in use, private, 24 queries, 48 judged",
        "dev, version 2: not used yet, open, 2 queries, 2 judged (again)",
    ]
    assert manage("work").stdout == "3 jobs done\n"
    used = manage("labels", "trees", "--use", "2").stdout
    assert "dev, version 1: used before" in used
    assert "dev, version 2: in use" in used
    assert "no version 9 of labels 'dev'" in manage("labels", "trees", "--use", "9").stderr
    assert "there is no board 'x'" in manage("labels", "x").stderr


def test_faults_are_told(manage, tmp_path):
    board = write_board(tmp_path / "described")
    manage("board", str(board), "--slug", "trees")
    result = manage("board", str(board), "--slug", "trees")
    assert (result.returncode, result.stderr) == (2, "a board is called 'trees' already\n")
    assert "not an email address" in manage("invite", "x").stderr


def test_every_job_and_option_has_help():
    assert admin.commands
    for command in admin.commands.values():
        assert command.help
        assert all(parameter.help for parameter in command.params if isinstance(parameter, click.Option))


def test_the_server_is_named_before_the_job_or_behind_it(call, manage, tmp_path):
    manage("invite", "ann@example.org")
    where = ["--database", f"sqlite:///{tmp_path / 'a.db'}", "--folder", str(tmp_path / "files")]
    elsewhere = ["--database", f"sqlite:///{tmp_path / 'new' / 'b.db'}"]
    backup = str(tmp_path / "backup")
    assert "sqlite at" in call("admin", "backup", backup, *where).stdout
    # The last one counts, and a new database gets its folder.
    assert "restored sqlite" in call("admin", *where, "restore", backup, *elsewhere).stdout
    assert (tmp_path / "new" / "b.db").exists()


def test_in_the_wrong_folder_it_refuses_and_makes_nothing(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    jobs = (["backup", "copy"], ["people"], ["work"], ["invite", "ann@example.org"])
    for job in jobs:
        result = call("admin", *job)
        assert result.returncode == 2
        assert "there is no database of a server; expected an existing one" in result.stderr
        assert "--database" in result.stderr
    Path("runoff.db").touch(mode=0o600)
    assert "there is no database of a server" in call("admin", "backup", "copy").stderr
    assert [file.name for file in tmp_path.iterdir()] == ["runoff.db"]
    assert Path("runoff.db").stat().st_size == 0


def test_with_the_wrong_folder_of_files_it_refuses(call, manage, tmp_path):
    board = write_board(tmp_path / "described")
    manage("board", str(board), "--slug", "trees")
    wrong = manage("backup", str(tmp_path / "copy"), folder="elsewhere")
    assert wrong.returncode == 2
    assert "elsewhere: there is no folder of files; the database refers to 5" in wrong.stderr
    assert not (tmp_path / "elsewhere").exists()
    assert not (tmp_path / "copy").exists()


def test_a_backup_without_a_damaged_file_is_listed_and_ends_with_1(manage, tmp_path):
    board = write_board(tmp_path / "described")
    manage("board", str(board), "--slug", "trees")
    first = next(file for file in sorted((tmp_path / "files").glob("??/*")))
    first.chmod(0o600)
    first.write_bytes(b"evil")
    made = manage("backup", str(tmp_path / "copy"))
    assert made.returncode == 1
    assert re.search(r"sqlite at v\d{4}, 4 files", made.stdout)
    assert "the content has changed since it was stored" in made.stderr
    assert made.stderr.endswith("1 file is not in this backup; look in earlier ones.\n")
    assert "4 files, 1 missing" in manage("restore", str(tmp_path / "copy"), database="b.db", folder="other").stdout


def test_with_mail_a_link_is_sent_too(manage, monkeypatch):
    with mail_server() as box:
        monkeypatch.setenv("RUNOFF_MAIL", box.address.replace("//", "//ann:s3cr@"))
        monkeypatch.setenv("RUNOFF_MAIL_FROM", "runoff@example.org")
        made = manage("invite", "ann@example.org")
        assert made.stderr.endswith(".\nThe server mails a link to ann@example.org too.\n")
        assert manage("work").stdout == "1 jobs done\n"
    (text,) = box.texts
    (link,) = re.findall(r"http://127\.0\.0\.1:8000/links/[\w-]{43}\n", text)
    assert link != made.stdout
    monkeypatch.setenv("RUNOFF_MAIL", "smtp://ann:s3cr/et@host")
    wrong = manage("people")
    assert wrong.returncode == 2
    assert "the setting mail cannot be used" in wrong.stderr
    assert "s3cr" not in wrong.stderr + wrong.stdout


def test_a_persons_data_are_deleted_by_address_or_number(manage, tmp_path):
    manage("board", str(write_board(tmp_path / "described")), "--slug", "trees")
    url = f"sqlite:///{tmp_path / 'a.db'}"
    row: Any = {"display_name": "Ann Lee", "role": "member", "actor": None, "now": datetime(2026, 3, 15, tzinfo=UTC)}
    with closing(open_database(url)) as database:
        ann = database.write(lambda c: save_person(c, email="ann@example.org", **row))
    deleted = manage("delete-person", "ann@example.org", "--yes").stdout
    assert f"this is 'Deleted person {ann.id}'" in deleted
    assert "Backups" in deleted
    listed = manage("people").stdout
    assert f"{ann.id}  deleted-{ann.id}@deleted.invalid  member  Deleted person {ann.id}  closed" in listed
    assert "Ann" not in listed
    assert manage("delete-person", str(ann.id), "--yes").returncode == 0, "again is the same"
    for who, words in (("ann@example.org", "nobody has this mail address"), ("99", "there is no person 99")):
        refused = manage("delete-person", who, "--yes")
        assert (refused.returncode, words in refused.stderr) == (2, True), refused.stderr
    assert "boards were imported with" in manage("delete-person", "import@runoff.invalid", "--yes").stderr
