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


def test_everybody_sees_a_part_of_the_header_and_nothing_of_an_unnamed_team(serving):
    header = (
        "# ir_metadata.start\n# actor: {name: Ann, team: Oaks, mail: ann@example.org}\n"
        "# method: {description: <b>bold</b>}\n# implementation: {executable: {cmd: secret}}\n# ir_metadata.end\n"
    )
    number = serving.send(header + run_text(3)).json()["id"]
    serving.work()
    own, others = serving.run(number).json(), serving.run(number, {}).json()
    assert own["metadata"]["actor"] == {"name": "Ann", "team": "Oaks", "mail": "ann@example.org"}
    assert own["metadata"]["implementation"] == {"executable": {"cmd": "secret"}}
    assert others["metadata"] == {"actor": {"team": "Oaks"}, "method": {"description": "<b>bold</b>"}}
    assert others["description"] == "<b>bold</b>"
    ghost = serving.send(header + run_text(4), said={"name": "ghost", "anonymous": True}).json()["id"]
    serving.work()
    assert serving.run(ghost, {}).json()["metadata"] == {}
    assert serving.run(ghost).json()["metadata"] != {}
