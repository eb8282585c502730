"""Folders of submissions with a metadata.json each."""

import json
from datetime import date

import pytest

from runoff.errors import InputError
from runoff.files import read_run_folder
from runoff.files.submission_folder import LONGEST, metadata_of_json, read_submission
from runoff.tables import BoardRun


def submit(folder, name, metadata, *files):
    place = folder / name
    place.mkdir(parents=True)
    text = metadata if isinstance(metadata, str) else json.dumps(metadata)
    (place / "metadata.json").write_text(text, encoding="utf-8")
    for file in files:
        (place / file).write_text("x\n", encoding="utf-8")
    return place


def problems_in(folder, **options):
    with pytest.raises(InputError) as caught:
        read_run_folder(folder, title="T", measure="RR@100", **options)
    return [problem.removeprefix(f"{folder}/") for problem in caught.value.problems]


def test_as_msmarco_collects_them(tmp_path):
    metadata = {"team": "A", "model_description": "m", "paper": "", "code": "", "type": "full ranking"}
    place = submit(tmp_path, "20210210-xyz", metadata, "dev.txt.bz2", "eval.txt.bz2")
    board = read_run_folder(tmp_path, title="T", measure="RR@100", run_file="eval.txt")
    assert (board.title, board.measure) == ("T", "RR@100")
    assert board.runs == (
        BoardRun(name="20210210-xyz", path=place / "eval.txt.bz2", team="A", date=date(2021, 2, 10), description="m"),
    )


def test_what_the_metadata_says_goes_first(tmp_path):
    submit(tmp_path, "a", {"name": "bm25", "baseline": True}, "run.txt", ".hidden")
    submit(tmp_path, "b", {"date": "2021-03-01", "variant_of": "bm25", "description": "d"}, "run.txt")
    first, second = read_run_folder(tmp_path, title="T", measure="RR").runs
    assert (first.name, first.date, first.baseline) == ("bm25", None, True)
    assert (second.name, second.date, second.variant_of, second.description) == ("b", date(2021, 3, 1), "bm25", "d")


def test_every_fault_at_once(tmp_path):
    submit(tmp_path, "a", {"taem": "x", "date": "soon"}, "run.txt")
    submit(tmp_path, "b", "{", "run.txt")
    submit(tmp_path, "c", "[]", "run.txt")
    submit(tmp_path, "d", {})
    submit(tmp_path, "e", {}, "dev.txt", "eval.txt")
    keys = "name, team, date, description, model_description, baseline, variant_of, paper, code, type"
    an_object = 'a JSON object such as {"name": "bm25", "team": "Trees"}; fix it'
    breaks_off = "Expecting property name enclosed in double quotes: line 2 column 1 (char 2)"
    another = "expected the name of another run; fix or remove it"
    assert problems_in(tmp_path) == [
        f"a/metadata.json: unknown key 'taem'; did you mean 'team'? expected one of {keys}; rename or remove it",
        "a/metadata.json: date is 'soon'; expected a date such as 2021-02-10; fix it",
        f"b/metadata.json: not JSON ({breaks_off}); expected {an_object}",
        f"c/metadata.json: not a JSON object; expected {an_object}",
        "d/metadata.json: its folder has no file; expected one run file; add the run or remove the folder",
        "e/metadata.json: its folder has 'dev.txt', 'eval.txt'; expected one run file; say which with run_file",
    ]
    submit(tmp_path / "other", "a", {}, "run.txt")
    submit(tmp_path / "other", "d", {"name": "a", "variant_of": "g"}, "run.txt")
    first = f"{tmp_path}/other/a/metadata.json"
    assert problems_in(tmp_path / "other") == [
        f"d/metadata.json: run 'a' is listed twice, first in {first}; expected every name once; rename one",
        f"d/metadata.json: run 'a' is a variant of 'g', which is not in this folder; {another}",
    ]


def test_no_submissions(tmp_path):
    message = "no submissions; expected folders with a run and a metadata.json or ir-metadata.yml each; check the path"
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=message):
            read_run_folder(folder, title="T", measure="RR")


def test_all_keys():
    found = metadata_of_json(
        b'{"name": "a", "team": "t", "model_description": "d", "variant_of": "b", "anonymous": true, "paper": "p"}'
    )
    assert (found.name, found.team, found.description, found.variant_of, found.anonymous) == ("a", "t", "d", "b", True)
    assert dict(found.more) == {"paper": "p"}
    assert metadata_of_json("{}").name is None


def test_every_fault_at_once_run_metadata():
    with pytest.raises(InputError) as caught:
        metadata_of_json('{"name": 1, "anonymous": "x", "titel": 2}', name="m.json")
    assert len(caught.value.problems) == 3
    assert all(problem.startswith("m.json: ") for problem in caught.value.problems)


@pytest.mark.parametrize(
    "text, message",
    [("{", "not JSON"), ("3", "not a JSON object"), ("x" * (LONGEST + 1), "at most"), (b"\xff\xfe", "not JSON"),
     ('{"description": "' + "x" * 6000 + '"}', "5,000 characters")],
)  # fmt: skip
def test_bad_texts(text, message):
    with pytest.raises(InputError, match=message):
        metadata_of_json(text)


@pytest.mark.parametrize("text", ["2026-05-01", "2026/05/01"])
def test_a_day_for_the_name_means_anonymous_until_then(text):
    found = metadata_of_json(f'{{"anonymous_until": "{text}", "embargo_until": "{text}"}}')
    assert (found.anonymous, found.anonymous_until, found.embargo_until) == (True, date(2026, 5, 1), date(2026, 5, 1))
    assert not metadata_of_json('{"embargo_until": "2026-05-01"}').anonymous


def test_what_a_file_does_not_say_its_header_may(tmp_path):
    said = "# tag: tagged\n# actor: {team: Trees}\n# description: from the header\n"
    head = f"# ir_metadata.start\n{said}# ir_metadata.end\n"
    first = submit(tmp_path, "20210210-a", {"description": "given"})
    (first / "run.txt").write_text(head + "x\n", encoding="utf-8")
    second = tmp_path / "20210211-b"
    second.mkdir()
    (second / "run.txt").write_text("x\n", encoding="utf-8")
    (second / "ir-metadata.yml").write_text("actor: {team: Woods}\nresearch goal: {description: beside}\n")
    one, two = read_run_folder(tmp_path, title="T", measure="RR").runs
    assert (one.name, one.team, one.date, one.description) == ("tagged", "Trees", date(2021, 2, 10), "given")
    assert (two.name, two.team, two.date, two.description) == ("20210211-b", "Woods", date(2021, 2, 11), "beside")
    run = read_submission(first / "run.txt", team="Given")
    assert (run.name, run.team, run.description) == ("run.txt", "Given", "given")
