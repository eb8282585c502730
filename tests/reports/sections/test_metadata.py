from dataclasses import replace

from runoff.reports.sections.metadata import LONGEST, METADATA
from tests.reports.sections.made import content_of, inputs_of


def test_runs_without_metadata_have_no_section():
    assert METADATA.content(inputs_of(3)) is None


def test_the_runs_that_say_something():
    inputs = inputs_of(3)
    said = {"tag": "x", "actor": {"team": "Trees"}, "description": "a\nb " + "d" * 500}
    inputs = replace(inputs, runs=(replace(inputs.runs[0], team="").with_metadata(said), *inputs.runs[1:]))
    content = content_of(METADATA, inputs)
    assert content.answer == "1 of 3 runs have metadata"
    about, fields = content.tables
    shown = "a b " + "d" * (LONGEST - 4) + "..."
    assert about.rows == ((inputs.runs[0].name, "Trees", shown),)
    assert [row[1] for row in fields.rows] == ["tag", "actor.team", "description"]
    assert fields.rows[2][2] == shown
