"""What a team says of its run."""

from datetime import date

import pytest

from runoff.errors import InputError
from runoff.files.run_metadata import LONGEST, metadata_of_json


def test_all_keys():
    found = metadata_of_json(
        b'{"name": "a", "team": "t", "model_description": "d", "variant_of": "b", "anonymous": true, "paper": "p"}'
    )
    assert (found.name, found.team, found.description, found.variant_of, found.anonymous) == ("a", "t", "d", "b", True)
    assert dict(found.more) == {"paper": "p"}
    assert metadata_of_json("{}").name is None


def test_every_fault_at_once():
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
