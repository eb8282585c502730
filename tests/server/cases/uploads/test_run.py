"""Files from strangers are spoken of by the name that they were sent under."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import InputError
from runoff.files.runs import read_run
from runoff.server.cases.uploads.run import LONGEST_NAME, clean_file_name, readable_run


@given(st.text())
def test_clean_names_are_short_printable_and_no_path(name):
    found = clean_file_name(name)
    assert 0 < len(found) <= LONGEST_NAME
    assert found.isprintable()
    assert "/" not in found
    assert "\\" not in found


def test_problems_name_the_file_as_it_was_sent(tmp_path):
    file = tmp_path / "ab12"
    file.write_text("q1 Q0 d 1 nan x\n")
    with (
        pytest.raises(InputError) as caught,
        readable_run(file, called="mine.run", max_bytes=1000) as path,
    ):
        read_run(path)
    assert str(caught.value).startswith("mine.run:1: ")
    assert str(tmp_path) not in str(caught.value)
