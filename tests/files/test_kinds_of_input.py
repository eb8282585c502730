"""The table of kinds of input in the documentation: every row happens as it says."""

from pathlib import Path

import pytest

from runoff.reading.sources import as_qrels, as_run
from tests.files.kinds_of_input import ALL_KINDS, GRADES, ROWS, render_kinds
from tests.files.samples import problems_of

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "files.md"


@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: f"{kind.asked}: {kind.name}")
def test_kind(kind):
    read = as_run if kind.asked == "run" else as_qrels
    if kind.gives:
        assert kind.gives in "\n".join(problems_of(read, kind.made()))
    else:
        assert list(read(kind.made())) == (ROWS if kind.asked == "run" else GRADES)


def test_there_are_many():
    assert len(ALL_KINDS) >= 40
    assert len({(kind.asked, kind.name) for kind in ALL_KINDS}) == len(ALL_KINDS)


def test_the_page_has_the_table():
    assert render_kinds() in PAGE.read_text(encoding="utf-8"), f"write this into {PAGE.name}:\n{render_kinds()}"
