"""The page of a campaign's files."""

from __future__ import annotations

import io
import zipfile

import pytest

from runoff.server.cases.judging.votes import export_campaign
from tests.server.store.backends import both_databases
from tests.server.web.campaigning import ADDRESS, words_of
from tests.server.web.checks import checked


def test_files_are_those_of_the_export(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    made.do(campaign, made.assessor(campaign))
    folder = f"{ADDRESS}/{campaign.id}/files"
    export = made.read(export_campaign, campaign, actor=made.organiser)
    texts = {name: "".join(lines) for name, lines in export.files().items()}
    for name, text in texts.items():
        answer = campaigning.ask(f"{folder}/{name}")
        assert answer.text == text != ""
        assert answer.headers["content-disposition"] == f'attachment; filename="best-{name}"'
    packed = campaigning.ask(f"{folder}/best.zip")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == texts
    assert campaigning.ask(f"{folder}/best.zip").content == packed.content
    assert campaigning.ask(f"{folder}/other.zip").status_code == 404
    assert "best.zip" in words_of(campaigning.see(folder))


@both_databases
def test_judgments_come_in_once_and_faults_are_told_by_line(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    address = f"{ADDRESS}/{campaign.id}/judgments"
    wrong = campaigning.send(address, file=("bad.txt", "q0 a.q0 b.q0 c.q0\nq1 a.q1\n"))
    assert wrong.status_code == 422
    assert "bad.txt:" in words_of(checked(wrong.text))
    assert str(made.files.folder) not in wrong.text
    forged = {"data": {"csrf": "guessed"}, "files": {"file": ("m.txt", "q0 a.q0 e.q0 e.q0\n")}}
    assert campaigning.ask(address, "POST", **forged).status_code == 403
    foreign = campaigning.ask(address, "POST", headers={"Origin": "https://evil.example"}, **forged)
    assert (foreign.status_code, "another site" in foreign.text) == (403, True)
    text = "".join(f"q{one} a.q{one} e.q{one} e.q{one}\n" for one in range(8))
    good = campaigning.send(address, file=("more.txt", text))
    assert (good.status_code, "Imported 8 judgments in 1 task from more.txt." in good.text) == (200, True)
    again = campaigning.send(address, file=("more.txt", text))
    assert "Nothing in more.txt is new: all of its tasks are here already." in again.text
    nothing = campaigning.send_nothing(address, "file")
    assert (nothing.status_code, "No file was chosen" in nothing.text) == (422, True)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_draft_takes_no_judgments(campaigning):
    draft = campaigning.campaigned.draft()
    answer = campaigning.send(f"{ADDRESS}/{draft.id}/judgments", file=("a.txt", "q0 a.q0 e.q0 e.q0\n"))
    assert (answer.status_code, "start it first" in answer.text) == (422, True)
