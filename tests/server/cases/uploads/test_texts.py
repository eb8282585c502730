"""Texts out of a collection that somebody sent."""

from __future__ import annotations

import pytest

from runoff.errors import InputError
from runoff.server.cases.uploads.judging_files import count_texts, read_texts_apart
from runoff.server.cases.uploads.limited_process import LimitedReader
from tests.server.cases.reading_here import HERE


@pytest.mark.parametrize("reader", [HERE, LimitedReader()], ids=["here", "apart"])
def test_texts_are_found_and_counted(tmp_path, reader):
    path = tmp_path / "texts"
    path.write_text("7\tabout cats\n$\tabout dogs\n9\tabout é\n", encoding="utf-8")
    asked = ["9", "$", "10", "9"]
    found = read_texts_apart(path, asked, called="texts of the queries", reader=reader)
    assert (found.by_id, found.missing) == ({"9": "about é", "$": "about dogs"}, ("10",))
    assert count_texts(path, asked, reader=reader) == 2
    with pytest.raises(InputError, match=r"^texts of the queries: no text of query '10'"):
        found.require_all("query")


def test_faults_do_not_say_where_the_file_is(tmp_path):
    path = tmp_path / "texts"
    path.write_text("7\ta\n7\tb\n")
    with pytest.raises(InputError) as found:
        read_texts_apart(path, ["7"], called="texts of the queries", reader=HERE)
    assert str(found.value).startswith("texts of the queries:2: ")
    assert str(tmp_path) not in str(found.value)
