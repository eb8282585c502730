"""Runs that are made to read labels are listed for organisers, and refused where the board says so."""

from __future__ import annotations

import random
import threading
from contextlib import contextmanager

import pytest

from runoff.server.store.people import save_member, save_person, save_team
from tests.server.attacks.probing import probing_run, queries_of, shown_to_team
from tests.server.cases.served import NOW
from tests.server.store.upgraded import open_upgraded
from tests.server.web.serving import Serving

QUERIES = queries_of([True] * 40)
FIELD = 5


@pytest.fixture
def backend():
    """What a run is like does not depend on the database."""
    return "sqlite"


def honest_run(seed: int, *, changed: int = 0) -> str:
    """Documents of which all systems find some; of as many queries the list is another."""
    lines = []
    for place, query in enumerate(QUERIES):
        draw = random.Random(f"{seed} {query} {place < changed}")
        docs = draw.sample([f"d{doc}" for doc in range(60)], 40)
        lines += [f"{query} Q0 {doc} {rank} {50 - rank} x\n" for rank, doc in enumerate(docs, start=1)]
    return "".join(lines)


def write_field(folder, *, runs=FIELD):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "public.txt").write_text("\n".join(QUERIES) + "\n")
    (folder / "qrels.txt").write_text("".join(f"{query} 0 d{place} 1\n" for place, query in enumerate(QUERIES)))
    text = 'title = "F"\nmeasure = "RR@40"\n[queries.public]\npath = "public.txt"\n[labels.dev]\npath = "qrels.txt"\n'
    for number in range(runs):
        (folder / f"{number}.txt").write_text(honest_run(number))
        text += f'[[runs]]\npath = "{number}.txt"\nname = "field {number}"\nteam = "Team {number}"\n'
        text += "date = 2026-01-01\n"
    (folder / "board.toml").write_text(text)
    return folder / "board.toml"


@contextmanager
def board(database, folder, **settings):
    with Serving.made_in(database, folder, write=write_field, runs=FIELD, most=20, variants=9, **settings) as serving:
        yield serving


def flags(serving) -> str:
    """What organisers read about suspicious runs."""
    organiser = serving.token_of(serving.served.organiser, "read", "organise")
    page = serving.client.get("/boards/trees/organise", headers=organiser)
    assert page.status_code == 200
    return str(page.text).partition("Suspicious runs")[2].partition("</table>")[0]


ATTACKS = {
    "junk": probing_run(QUERIES, guesses=False),
    "probe": probing_run(QUERIES, guesses=True),
    "one query": probing_run(QUERIES[:1], guesses=True),
    "a third": "".join(line for line in honest_run(9).splitlines(keepends=True) if line.split()[0] in QUERIES[:13]),
    "one changed": honest_run(50, changed=1),
    "two changed": honest_run(50, changed=2),
    "one left out": honest_run(50).partition("q39 ")[0],
    "tail of junk": "".join(f"{query} Q0 junk{rank} {rank} {-rank} x\n" for query in QUERIES for rank in range(41, 60))
    + honest_run(50, changed=1),
}
WHY = {
    "junk": "0% of its first ten documents are in any run of others",
    "probe": "0% of its first ten documents are in any run of others",
    "one query": "covers 1 of 40 public queries",
    "a third": "covers 13 of 40 public queries",
    "one changed": "differs from honest in 1 of 40 public queries",
    "two changed": "differs from three changed in 1 of 40 public queries",
    "one left out": "differs from honest in 1 of 40 public queries",
}


def test_every_attack_is_listed_and_no_honest_run(database, tmp_path):
    with board(database, tmp_path) as serving:
        sent = {"honest": honest_run(50), "another": honest_run(51), "three changed": honest_run(50, changed=3)}
        sent |= {name: ATTACKS[name] for name in WHY}
        numbers = [serving.send(content, said={"name": name}).json()["id"] for name, content in sent.items()]
        serving.work()
        listed = flags(serving)
        for name, why in WHY.items():
            assert f">{name}</th>" in listed
            assert why in listed
        for name in ("another", "three changed", *(f"field {number}" for number in range(FIELD))):
            assert f">{name}</th>" not in listed
        shown = shown_to_team(serving, numbers[-2], numbers[-1])
        assert [address for address, text in shown.items() if "uspicious" in text or "first ten" in text] == []


REFUSED = [name for name in ATTACKS if name not in ("junk", "probe")]


@pytest.mark.parametrize("name", REFUSED)
def test_where_the_board_refuses_them_nothing_of_them_is_kept(database, tmp_path, name):
    with board(database, tmp_path, suspicious_runs="refuse") as serving:
        assert serving.send(honest_run(50), said={"name": "honest"}).status_code == 202
        dry = serving.send(ATTACKS[name], said={"name": "x"}, dry_run="true").json()["problems"]
        (problem,) = serving.refused(ATTACKS[name], said={"name": "x"})
        assert dry == [problem]
        assert "expected at least half" in problem or "differs from 'honest' in" in problem
        # Others may send the same: what is refused depends on one's own runs and on open queries alone.
        assert serving.send(honest_run(50, changed=3), said={"name": "y"}).status_code == 202


def test_a_difference_to_a_run_for_another_team_counts_and_that_run_is_not_named(database, tmp_path):
    with board(database, tmp_path, suspicious_runs="refuse") as serving:
        member = serving.served.member

        def second_team(connection):
            bob = save_person(
                connection, email="bob@example.org", display_name="Bob", role="member", actor=None, now=NOW
            )
            team = save_team(connection, slug="elms", name="Elms", founder=bob.id, now=NOW)
            save_member(connection, team.id, member.id, actor=None, now=NOW)

        serving.site.database.write(second_team)
        first = serving.send(honest_run(50), said={"name": "secret name", "team": "elms"})
        assert first.status_code == 202
        (problem,) = serving.refused(honest_run(50, changed=1), said={"name": "x", "team": "oaks"})
        assert "differs from a run that one of you sent for another team in 1 of 40" in problem
        assert "secret name" not in problem


def test_two_at_once_do_not_pass_together(tmp_path):
    database = open_upgraded(tmp_path / "runoff.db")
    with board(database, tmp_path, suspicious_runs="refuse") as serving:
        answers: list[int] = []

        def send(changed: int) -> None:
            content = honest_run(50, changed=changed)
            answers.append(serving.send(content, said={"name": f"run {changed}"}).status_code)

        threads = [threading.Thread(target=send, args=(changed,)) for changed in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [202, 422]
    database.close()
