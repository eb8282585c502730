"""A campaign in files."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from runoff.cli.main import runoff as cli
from runoff.errors import NotAllowedError
from runoff.files.judging.judgments import read_judgments
from runoff.files.judging.task_table import read_tasks
from runoff.files.qrels import read_qrels
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.label_version import make_label_version
from runoff.server.cases.judging.results import load_results
from runoff.server.cases.judging.sources import load_sources
from runoff.server.cases.judging.votes import export_campaign, pseudonym, task_name
from runoff.server.store.campaign_plans import load_tasks
from tests.server.cases.reading_here import HERE
from tests.server.store.backends import both_databases


@both_databases
def test_files_are_read_back_as_they_were(campaigned):
    campaign = campaigned.opened()
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    assert list(export.files()["preference.qrels"]) == []
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    files = {name: "".join(lines).encode() for name, lines in export.files().items()}
    assert list(read_judgments(files["judgments.csv"])) == list(export.judgments)
    assert read_tasks(files["tasks.csv"]).pairs == export.tasks.pairs
    assert len(files["pool.csv"].splitlines()) == len(export.pool) + 1
    assert files["pool.csv"].startswith(b"query,document,runs,labelled\n")
    assert b"olga" not in b"".join(files.values())


def test_the_command_on_the_exported_files_says_what_the_server_says_to_the_last_digit(campaigned, tmp_path):
    """Three assessors; one fails a test pair, and another judges that task again."""
    campaign = campaigned.opened()
    bad, *good = (campaigned.assessor(campaign) for _ in range(3))
    lost = campaigned.offer(campaign, bad).sheet.assignment.task_id
    assert campaigned.do(campaign, bad, wrong=True) == "discarded"
    campaigned.judge_all(campaign, [bad, *good])
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    task = next(one for one in campaigned.read(load_tasks, campaign.id) if one.id == lost)
    again = [row for row in export.judgments if row.task == task_name(campaign, task.batch, task.copy)]
    assert {row.assessor for row in again} > {pseudonym(campaign, bad.id)}, "the task was judged by two"
    for name, lines in export.files().items():
        (tmp_path / name).write_text("".join(lines))
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    runs = []
    for number, run in enumerate(sources.runs):
        runs.append(str(tmp_path / f"{run.name}.run"))
        Path(runs[-1]).write_bytes((tmp_path / "described" / f"run{number}.txt").read_bytes())
    written = tmp_path / "new.qrels"
    done = CliRunner().invoke(cli, [
        "tally", str(tmp_path / "judgments.csv"), "--runs", *_repeated(runs), "--qrels",
        str(tmp_path / "described" / "qrels.txt"), "--tasks", str(tmp_path / "tasks.csv"), "--format", "json",
        "--qrels-out", str(written),
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    live = campaigned.read(load_results, campaigned.files, campaign, actor=campaigned.organiser)
    filed, ours = json.loads(done.stdout), json.loads(json.dumps(live.tally.to_dict()))
    del filed["files"], ours["files"]
    names = {Path(run).name: Path(run).stem for run in runs}
    assert _renamed(filed, names) == ours
    made = make_label_version(
        campaigned.database,
        campaigned.files,
        campaign.id,
        actor=campaigned.organiser,
        now=campaigned.now(),
        reader=HERE,
    )
    kept = read_qrels(campaigned.files.path(made.label_set.content_hash))
    assert set(kept) == set(read_qrels(written)) != set(sources.qrels)


def _repeated(runs):
    return [part for place, run in enumerate(runs) for part in (["--runs"] if place else []) + [run]]


def _renamed(value, names):
    """Files are called by their names on the command line; here as on the server."""
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    if isinstance(value, str):
        for name, called in names.items():
            value = value.replace(name, called)
    return value


def test_exports_are_for_organisers(campaigned):
    campaign = campaigned.draft()
    with pytest.raises(NotAllowedError):
        campaigned.read(export_campaign, campaign, actor=Actor(id=1, role="assessor"))
