"""Making a board in the browser; the journey does it in a real one."""

from __future__ import annotations

import zipfile

from runoff.server.cases.runs.score import load_share
from runoff.server.store.boards import load_board
from runoff.server.store.label_sets import load_label_sets, load_query_sets
from tests.server.cases.served import write_board
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked

ADDRESS, ARCHIVE = "/organise/new-board", "/organise/board-archive"


def form_of(serving):
    csrf = serving.sign_in(serving.served.organiser)
    page = checked(serving.client.get(ADDRESS).text)
    fields = {one["name"]: one.get("value", "") for one in page.all("input") if "name" in one}
    files = [one["name"] for one in page.all("input") if one.get("type") == "file"]
    texts = {name: value for name, value in fields.items() if name not in files}
    return texts | {
        "csrf": csrf,
        "correction": "holm",
        "record_rule": "holm",
        "release": "ladder",
        "suspicious_runs": "refuse",
        "public_labels": "hidden",
        "title": "New",
        "slug": "new",
    }


@both_databases
def test_a_board_with_everything(serving):
    form = form_of(serving) | {
        "label_name_2": "graded", "hidden_share": "0.2", "most": "5", "opens_at": "2026-01-01T00:00", "digits": "2",
    }  # fmt: skip
    files = {
        "label_file_1": ("a.txt", b"q1 0 d 1\nq2 0 d 1\nq3 0 d 1\n"),
        "label_file_2": ("b.txt", b"q1 0 d 3\n"),
        "public_queries": ("q.txt", b"q1\nq2\n"),
        "development_queries": ("d.txt", b"q3\n"),
        "private_labels": ("s.txt", b"zz1 0 d 1\n"),
    }
    answer = serving.client.post(ADDRESS, data=form, files=files)
    assert answer.headers["location"] == "/boards/new/organise?done=made", answer.text
    with serving.site.database.read() as connection:
        board = load_board(connection, "new")
        labels = [(one.name, one.sealed, one.queries) for one in load_label_sets(connection, board.id)]
        queries = [(one.name, one.sealed, one.queries) for one in load_query_sets(connection, board.id)]
        share = load_share(connection, board)
    assert labels == [("labels", False, 3), ("graded", False, 1), ("labels private", True, 1)]
    assert queries == [("public", False, 2), ("development", False, 1), ("private", True, 1)]
    assert (board.most, board.digits, share, board.opens_at is not None) == (5, 2, 0.2, True)
    again = serving.client.post(ADDRESS, data=form, files=files)
    assert again.status_code == 422
    assert "is called &#39;new&#39; already" in again.text


def test_what_is_wrong_is_told_at_once_and_what_was_filled_in_stays(serving):
    form = form_of(serving) | {"measure": "x@", "description": "kept <b>", "label_name_1": ""}
    answer = serving.client.post(ADDRESS, data=form, files={"label_file_1": ("a.txt", b"q1 0 d 1\nq2\n")})
    page = checked(answer.text)
    wrong = [one["name"] for one in page.all("input") if "aria-invalid" in one]
    assert (answer.status_code, wrong) == (422, ["measure", "label_name_1", "label_file_1"])
    assert "kept &lt;b&gt;" in answer.text
    assert "a.txt:2:" in answer.text
    nothing = serving.client.post(ADDRESS, data=form_of(serving), files={"other": ("a", b"")})
    assert "no file; expected labels" in nothing.text


def test_every_file_can_be_sent_at_once(serving):
    """A browser sends all of them, with a name that is empty where none was chosen."""
    form = form_of(serving)
    page = checked(serving.client.get(ADDRESS).text)
    names = [one["name"] for one in page.all("input") if one.get("type") == "file" and one["name"] != "archive"]
    answer = serving.client.post(ADDRESS, data=form, files={name: (f"{name}.txt", b"q 0 d 1\n") for name in names})
    assert "cannot be read" not in answer.text
    assert "private_queries.txt:1:" in answer.text


def test_a_board_of_an_archive(serving, tmp_path):
    board = write_board(tmp_path / "described")
    target = tmp_path / "board.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for file in board.parent.iterdir():
            archive.write(file, file.name)
    form = {"csrf": form_of(serving)["csrf"], "archive_slug": "packed", "archive_most": "7"}
    answer = serving.client.post(ARCHIVE, data=form, files={"archive": ("b.zip", target.read_bytes())})
    assert answer.headers["location"] == "/boards/packed/organise?done=made", answer.text
    assert serving.work() == 3
    assert serving.client.get("/boards/packed").status_code == 200
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("board.toml", 'title = "T"\nmeasure = "RR@10"\n[labels.a]\npath = "gone"\n')
    form["archive_slug"] = "other"
    wrong = serving.client.post(ARCHIVE, data=form, files={"archive": ("b.zip", target.read_bytes())})
    assert wrong.status_code == 422
    assert "board.toml" in wrong.text
    assert "runoff-" not in wrong.text


def test_members_see_nothing_of_it(serving):
    serving.sign_in(serving.served.member)
    assert serving.client.get(ADDRESS).status_code == 403
