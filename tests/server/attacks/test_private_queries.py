"""Nobody learns which queries are private: a file with their ids is answered as one with ids that do not exist."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager

import pytest

from runoff.server.store.label_sets import NewVersion, save_label_set
from tests.server.attacks.test_private_labels import OPEN_QUERIES, SEALED_QUERIES, write_board
from tests.server.cases.served import NOW
from tests.server.store.upgraded import open_upgraded
from tests.server.web.serving import Serving

# As long as the ids of private queries, so that answers can be compared byte for byte.
MADE_UP = [query.replace("sealed", "madeup") for query in SEALED_QUERIES]


def lines(queries: list[str], docs: tuple[str, ...] = ("known", "guess", "other")) -> str:
    return "".join(
        f"{query} Q0 {doc} {rank} {9 - rank} x\n" for query in queries for rank, doc in enumerate(docs, start=1)
    )


FILES: dict[str, Callable[[list[str]], str]] = {
    "alone": lines,
    "one alone": lambda queries: lines(queries[:1]),
    "with all open ones": lambda queries: lines([*OPEN_QUERIES, *queries]),
    "with one open one": lambda queries: lines([OPEN_QUERIES[0], *queries]),
    "a document twice": lambda queries: lines(OPEN_QUERIES) + lines(queries, ("known", "known")),
    "a bad line": lambda queries: lines([*OPEN_QUERIES, *queries]) + f"{queries[0]} Q0 d 1 high x\n",
    "in turns": lambda queries: lines(queries) + lines(OPEN_QUERIES) + lines(queries, ("later",)),
}


def with_sealed_labels_alone(folder, *, runs=1):
    file = write_board(folder, runs=runs)
    labels = (folder / "qrels.txt").read_text().splitlines(keepends=True)
    (folder / "qrels.txt").write_text("".join(line for line in labels if line.startswith("sealed")))
    return file


@pytest.fixture
def backend():
    """What a file is answered does not depend on the database."""
    return "sqlite"


def label_all(serving):
    """An organiser's mistake: open labels that are also about private queries."""
    content = "".join(f"{query} 0 known 1\n" for query in [*SEALED_QUERIES, *OPEN_QUERIES]).encode()
    stored = serving.site.files.save([content], limit=10**6)
    new = NewVersion(board_id=serving.served.board.id, name="all", queries=12, content_hash=stored.content_hash)
    serving.site.database.write(lambda connection: save_label_set(connection, new, judged=12, actor=None, now=NOW))


KINDS = ("usual", "refuse", "sealed labels alone", "labels of all")


@contextmanager
def guarded(folder, kind):
    folder.mkdir(parents=True)
    own = open_upgraded(folder / "runoff.db")
    rule = "refuse" if kind == "refuse" else "flag"
    write = with_sealed_labels_alone if kind == "sealed labels alone" else write_board
    try:
        with Serving.made_in(
            own, folder / "site", write=write, runs=1, private_until=NOW, suspicious_runs=rule
        ) as serving:
            if kind == "labels of all":
                label_all(serving)
            yield serving
    finally:
        own.close()


def told(serving, content, name, **query):
    """All that the sender of a file is told, at once and after it was scored; numbers of runs are taken out."""
    answer = serving.send(content, said={"name": name}, **query)
    pages = [f"{answer.status_code} {answer.text}"]
    if answer.status_code == 202:
        number = answer.json()["id"]
        serving.work()
        pages += [serving.run(number).text, serving.client.get(f"/boards/trees/runs/{number}").text]
        pages.append(serving.client.get("/boards/trees/runs/1").text)
        pages = [re.sub(rf"\b{number}\b", "N", page) for page in pages]
    text = "\n".join(pages).replace("madeup", "sealed")
    return re.sub(r'name="csrf" value="[^"]*"|[0-9a-f]{64}', "", text).replace(name, "NAME")


@pytest.mark.parametrize("kind", KINDS)
def test_a_dry_run_answers_the_same(tmp_path, kind):
    with guarded(tmp_path / "board", kind) as serving:
        for name, write in FILES.items():
            first, second = (
                told(serving, write(queries), "same name", dry_run="true") for queries in (SEALED_QUERIES, MADE_UP)
            )
            assert first == second, name


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_is_answered_the_same_before_and_after_it_is_scored(tmp_path, kind, name):
    answers = []
    for place, queries in enumerate((SEALED_QUERIES, MADE_UP)):
        with guarded(tmp_path / str(place), kind) as serving:
            answers.append(told(serving, FILES[name](queries), "same name"))
    assert answers[0] == answers[1]


def test_a_run_without_labelled_queries_is_not_rejected_afterwards(database, tmp_path):
    """A rejection costs no submission: it would tell for free which queries have labels."""

    def write(folder, *, runs=1):
        file = write_board(folder, runs=runs)
        (folder / "public.txt").write_text("\n".join([*OPEN_QUERIES, "unlabelled"]) + "\n")
        return file

    with Serving.made_in(database, tmp_path, write=write, runs=1) as serving:
        for query in ("unlabelled", OPEN_QUERIES[0]):
            number = serving.send(lines([query], ("junk",)), said={"name": query}).json()["id"]
            serving.work()
            answer = serving.run(number).json()
            assert (answer["status"], [score["mean"] for score in answer["scores"]]) == ("scored", [0.0])
            assert [score["missing_queries"] for score in answer["scores"]] == [0]


def test_a_run_that_came_with_the_board_and_is_of_another_is_rejected(database, tmp_path):
    def write(folder, *, runs=1):
        file = write_board(folder, runs=runs)
        (folder / "baseline.txt").write_text(lines(SEALED_QUERIES))
        return file

    with Serving.made_in(database, tmp_path, write=write, runs=1) as serving:
        answer = serving.run(1, serving.token_of(serving.served.organiser, "read", "organise")).json()
    assert answer["status"] == "rejected"
    (problem,) = answer["problems"]
    assert problem.startswith(
        "baseline.txt: no query of this file is one of board 'trees'; expected ids such as 'open0'"
    )
