"""Lines of a collection, a chunk at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.files.text_lines import WantedIds, json_part, text_of, tsv_part
from runoff.tables.ids import Text

names = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=12)


@given(st.dictionaries(names, st.text("ab \té", max_size=9), min_size=1, max_size=20), st.sets(names, max_size=5))
def test_tsv_against_plain_splitting(rows, others):
    wanted = [one for place, one in enumerate(rows) if place % 2] + sorted(others)
    data = "".join(f"{one}\t{text}\n" for one, text in rows.items())
    part = tsv_part(Text.of(data.encode()), WantedIds.of(wanted))
    assert part.line_count == len(rows)
    assert [(one, text) for _, one, text in part.rows] == [
        (one, text.replace("\t", "\n")) for one, text in rows.items() if one in wanted
    ]


@pytest.mark.parametrize(
    "line", ['{"id":"a\\u0062","text":"x"}', '{"text":"x","id":"ab"}', ' { "pid" : "ab", "text":"x"}']
)
def test_ids_however_they_are_written(line):
    part = json_part(Text.of(f"{line}\n".encode()), WantedIds.of(["ab"]))
    assert part.rows == [(1, "ab", "x")]


def test_a_record_without_text():
    assert text_of({"title": "T"}) is None
