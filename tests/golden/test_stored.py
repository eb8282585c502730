"""An output that is too large is stored as an outline, in which every changed byte is seen."""

import json

import pytest

from tests.golden import stored
from tests.golden.stored import WHOLE, changes_of, renew, stale_files, stored_form


def large(**changed: object) -> bytes:
    runs: list[dict[str, object]] = [{"run": f"run {number}", "values": list(range(100))} for number in range(40)]
    runs[3] |= changed
    return json.dumps({"measure": "RR@10", "runs": runs, "all": list(range(10_000))}).encode()


def page(word: str) -> bytes:
    drawing = "<svg><text>drawn</text></svg>" * 4000
    return f'<main><section id="top"><p>{word}</p>{drawing}</section><section id="end"><p>b</p></section>'.encode()


def test_a_small_output_is_stored_whole():
    assert stored_form("a.json", b'{"a":  1}') == ("a.json", b'{"a":  1}')


def test_large_json_keeps_short_values_and_says_where_it_changed():
    name, content = stored_form("a.json", large())
    _, changed = stored_form("a.json", large(values=[7]))
    before, after = json.loads(content), json.loads(changed)
    assert name == "a.outline.json"
    assert len(content) < len(large()) / 10
    assert before["keys"]["measure"] == "RR@10"
    assert before["sha256"] != after["sha256"]
    runs, changed_runs = before["keys"]["runs"], after["keys"]["runs"]
    assert len(runs) == len(changed_runs) == 40
    assert [place for place in range(40) if runs[place] != changed_runs[place]] == [3]


def test_a_large_page_keeps_the_text_of_its_sections():
    name, content = stored_form("a.html", page("a"))
    lines = content.decode().splitlines()
    assert name == "a.outline.txt"
    titles = [line.partition(":")[0] for line in lines if line.startswith("==")]
    assert titles == ["== before the sections", "== top", "== end"]
    assert "a" in lines
    assert "drawn" not in content.decode()
    drawn_otherwise = page("a").replace(b"drawn", b"Drawn", 1)
    assert stored_form("a.html", drawn_otherwise)[1] != content


def test_other_large_outputs_are_refused():
    with pytest.raises(ValueError, match=r"a\.csv: 70,001 bytes"):
        stored_form("a.csv", b"x" * (WHOLE + 1))


def test_golden_files_are_renewed_and_what_is_gone_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "EXPECTED", tmp_path)
    (tmp_path / "old.json").write_text("{}")
    assert renew("a", {"a.json": b"1", "a.txt": b"x"}) == {
        "a.json": "there is no such golden file yet (size of the output: 1)",
        "a.txt": "there is no such golden file yet (size of the output: 1)",
    }
    assert changes_of("a", {"a.json": b"1", "a.txt": b"x"}) == {}
    assert renew("a", {"a.json": b"2"}) == {"a.json": "all: 1 -> 2", "a.txt": "no output has this name now"}
    assert [file.name for file in stale_files(["a"])] == ["old.json"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.json", "old.json"]
