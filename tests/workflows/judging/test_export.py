"""A campaign in files."""

import pytest

from runoff.errors import NotAllowedError
from runoff.files.judgments import read_judgments
from runoff.files.task_table import read_tasks
from runoff.workflows.judging.export import export_campaign
from runoff.workflows.permissions import Actor


def test_files_are_read_back_as_they_were(campaigned):
    campaign = campaigned.opened()
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    assert list(export.qrels_lines()) == []
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    files = {name: "".join(lines).encode() for name, lines in export.files().items()}
    assert list(read_judgments(files["judgments.csv"])) == list(export.judgments)
    assert read_tasks(files["tasks.csv"]).pairs == export.tasks.pairs
    assert len(files["pool.csv"].splitlines()) == len(export.pool) + 1
    assert files["pool.csv"].startswith(b"query,document,runs,labelled\n")
    assert b"olga" not in b"".join(files.values())


def test_exports_are_for_organisers(campaigned):
    campaign = campaigned.draft()
    with pytest.raises(NotAllowedError):
        campaigned.read(export_campaign, campaign, actor=Actor(id=1, role="assessor"))
