"""A run as different people see it."""

from __future__ import annotations

from tests.server.cases.served import run_text


def test_the_hash_of_the_file_is_for_the_team_and_organisers(serving):
    number = serving.send(run_text(3), said={"name": "ghost", "anonymous": True}).json()["id"]
    serving.work()
    own, others = serving.run(number).json(), serving.run(number, {}).json()
    assert len(own["sha256"]) == 64
    assert others["sha256"] is None
    assert (own["team"], others["team"]) == ("Oaks", None)
    organiser = serving.run(number, serving.token_of(serving.served.organiser, "read")).json()
    assert (organiser["team"], organiser["sha256"]) == ("Oaks", own["sha256"])


def test_the_verdict_names_its_champion_and_policy(serving):
    number = serving.send(run_text(3)).json()["id"]
    serving.work()
    verdict = serving.run(number).json()["verdict"]
    assert verdict["champion"] == 3
    assert verdict["details"]["alpha"] == 0.05
    assert verdict["details"]["queries"] == 24
