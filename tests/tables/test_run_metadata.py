"""Fields of ir_metadata: found by names with dots, missing ones, and those that everybody may see."""

from runoff.tables.board import BoardRun
from runoff.tables.run_metadata import (
    PLACEHOLDER,
    description_of,
    field_text,
    flat_fields,
    missing_fields,
    public_metadata,
)

SAID = {
    "tag": "bm25",
    "Research_Goal": {"description": PLACEHOLDER, "venue": {"year": 2024}},
    "method": {"description": "BM25", "retrieval": [{"name": "bm25", "k1": None}, {"name": "t5", "k1": 0.9}]},
    "actor": {"name": "Ann", "mail": "ann@example.org", "team": " Trees ", "fields": ["ir", "nlp"]},
    "implementation": {"executable": {"cmd": "run --key secret"}, "source": {"repository": "r"}},
    "platform": {"hardware": {"cpu": "c"}},
}


def test_fields_are_found_however_their_keys_are_spelled():
    assert field_text(SAID, "research goal.venue.year") == field_text(SAID, "research-goal.Venue.year") == "2024"
    assert field_text(SAID, "actor.team") == "Trees"
    assert field_text(SAID, "actor") == field_text(SAID, "actor.fields") == field_text(SAID, "nothing.at.all") == ""


def test_a_placeholder_is_no_value():
    assert description_of(SAID) == "BM25"
    required = [
        "research goal.description",
        "research goal",
        "method.retrieval.k1",
        "actor.fields",
        "method.tests",
        "tag.x",
    ]
    assert missing_fields(SAID, required) == ("research goal.description", "method.tests", "tag.x")
    assert missing_fields({}, ["tag"]) == ("tag",)


def test_all_fields_as_text():
    flat = dict(flat_fields(SAID))
    assert flat["actor.fields"] == "ir, nlp"
    assert flat["method.retrieval.2.k1"] == "0.9"
    assert "method.retrieval.1.k1" not in flat
    assert "Research_Goal.description" not in flat


def test_everybody_sees_no_names_addresses_and_commands():
    public = public_metadata(SAID)
    assert public == {
        "tag": "bm25",
        "Research_Goal": SAID["Research_Goal"],
        "method": SAID["method"],
        "actor": {"team": " Trees "},
        "implementation": {"source": {"repository": "r"}},
    }


def test_metadata_fill_what_is_empty():
    run = BoardRun(name="a", description="given").with_metadata(SAID)
    assert (run.team, run.description, run.metadata["tag"]) == ("Trees", "given", "bm25")
