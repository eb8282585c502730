"""The ir_metadata of runs: read from headers and files beside, faults with their lines, and written back."""

from __future__ import annotations

import bz2
import gzip
import io
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import InputError, UsageError
from runoff.files import read_run
from runoff.files.ir_metadata import DEEPEST, LARGEST, MOST_VALUES, read_metadata, render_header, write_metadata
from runoff.files.streams import HEAD_BYTES

ROWS = b"q1 Q0 d9 1 12.5 t\nq1 Q0 d7 2 7.25 t\n"
# As repro_eval writes them: a blank at the end of each line.
PAPER = b"""# ir_metadata.start
# schema-version: 0.1
# run-version: 1.0
# tag: h2oloo.ccrf.04
# platform:
#   hardware:
#     ram: 64 GB
# research goal:
#   venue:
#     name: ECIR
#     year: 2019
#   evaluation:
#     baseline:
#     - WCrobust04
#     significance test:
#     - name: 't-test'
#       correction method: bonferroni
# implementation:
#   source:
#     lang: [python]
#     commit: 0548123
# method:
#   automatic: true
#   retrieval:
#   - name: bm25
#     k1: 0.9
#     axiom.deterministic: no
# actor:
#   name: Jimmy Lin
#   orcid: 0000-0002-0661-7189
#   team: h2oloo
# ir_metadata.end
""".replace(b"\n", b" \n")
SAID = {
    "schema-version": 0.1,
    "run-version": 1.0,
    "tag": "h2oloo.ccrf.04",
    "platform": {"hardware": {"ram": "64 GB"}},
    "research goal": {
        "venue": {"name": "ECIR", "year": 2019},
        "evaluation": {
            "baseline": ["WCrobust04"],
            "significance test": [{"name": "t-test", "correction method": "bonferroni"}],
        },
    },
    "implementation": {"source": {"lang": ["python"], "commit": "0548123"}},
    "method": {"automatic": True, "retrieval": [{"name": "bm25", "k1": 0.9, "axiom.deterministic": "no"}]},
    "actor": {"name": "Jimmy Lin", "orcid": "0000-0002-0661-7189", "team": "h2oloo"},
}


def headed(yaml: bytes, rows: bytes = ROWS) -> bytes:
    lines = b"".join(b"# " + line + b"\n" for line in yaml.split(b"\n"))
    return b"# ir_metadata.start\n" + lines + b"# ir_metadata.end\n" + rows


def fault_of(content: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read_run(content)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize(
    "change", [bytes, lambda text: text.replace(b"\n", b"\r\n"), lambda text: b"\xef\xbb\xbf" + text]
)
def test_a_header_is_read_and_changes_no_row(compress, change):
    run = read_run(compress(change(PAPER + ROWS)))
    assert run.metadata == SAID
    assert run.name == "h2oloo.ccrf.04"  # nothing else names it
    assert list(run) == list(read_run(ROWS))
    assert read_run(ROWS).metadata == {}


def test_it_can_come_behind_other_comments_and_from_a_stream():
    content = b"# made by us\n\n" + headed(b"tag: a")
    assert read_run(io.BytesIO(content)).metadata == {"tag": "a"}
    assert list(read_run(io.BytesIO(content))) == list(read_run(ROWS))


def test_lines_that_are_no_comments_are_a_fault_that_says_so():
    problem = fault_of(PAPER.replace(b"# ", b"") + ROWS)
    assert (
        "begins 'ir_metadata.start'; lines of ir_metadata are comments here, such as '# ir_metadata.start'; " in problem
    )


def test_marks_below_the_first_row_are_comments():
    assert read_run(ROWS + headed(b"tag: a", b"")).metadata == {}


def test_blanks_behind_the_sign_are_as_in_yaml():
    assert read_run(b"#ir_metadata.start\n#actor:\n#  team: A\n#ir_metadata.end\n" + ROWS).metadata == {
        "actor": {"team": "A"}
    }


def test_values_are_those_of_yaml_1_2():
    written = [*("0123", "1_000", "12:30", "no", "2020-01-01", ".inf", "1e5"), "-3", "2.5", "~", "'7'", "1.5e+3"]
    yaml = "\n".join(f"{place}: {text}" for place, text in enumerate(written)).encode() + b"\nlast:"
    metadata = read_run(headed(yaml)).metadata
    assert list(metadata.values()) == [
        *("0123", "1_000", "12:30", "no", "2020-01-01", ".inf", "1e5"),
        *(-3, 2.5, None, "7", 1500.0, None),
    ]


@pytest.mark.parametrize(
    "yaml, line, what",
    [
        (b"a: &x [1]\nb: *x", 2, "an anchor (&) or alias (*); expected plain values; write the value out"),
        (b"a: 1\nb: !!python/object/apply:os.system [ls]", 3, "the tag 'tag:yaml.org,2002:python/object"),
        (b"a: !!binary aGk=", 2, "the tag 'tag:yaml.org,2002:binary'; expected plain values; remove it"),
        (b"a: 1\nb: 2\na: 3", 4, "the key 'a' comes twice; expected every key once; remove one"),
        (b"a: 1\nb: c: d", 3, "not YAML (mapping values are not allowed in this context); expected lines such as"),
        (b"a: 1\n\tb: 2", 3, "not YAML (found a tab character that violates indentation)"),
        (b'a: 1\nb: "\\x00"', 3, "the character U+0000; expected text; remove it"),
        (b"a: 1\nb: \x1b[31mred", 3, "the character U+001B; expected text; remove it"),
        (b"a: 1\nb: \xff", 3, "bytes that are not UTF-8; expected YAML; convert the file"),
        (b"- 1", 2, "metadata that are not a mapping; expected lines such as 'tag: bm25'; fix them"),
        (b"bm25", 2, "metadata that are not a mapping"),
        (b"a: 1\n---\nb: 2", 3, "a second document; expected one"),
        (b"? [a, b]\n: 1", 2, "a key that is not a word; expected a key such as 'tag'; fix it"),
        (b"a: 1\n<<: *b", 3, "an anchor (&) or alias (*)"),
        (b"a: 1\nb: " + b"[" * 5000, 3, f"values nested more than {DEEPEST} deep"),
        (b"a: 1\nb: " + b"{c: " * 5000, 3, f"values nested more than {DEEPEST} deep"),
        (b"? " * 5000, 2, "a key that is not a word"),
    ],
)  # fmt: skip
def test_faults_have_their_line(yaml, line, what):
    problem = fault_of(headed(yaml))
    assert problem.startswith(f"<bytes>:{line}: {what}")
    assert read_run(ROWS)  # and the rows alone are fine


def test_the_bomb_of_a_billion_laughs_is_refused_at_its_first_anchor():
    names = "abcdefghi"
    bomb = ['a: &a ["lol","lol","lol","lol","lol","lol","lol","lol","lol"]']
    bomb += [f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]" for old, new in pairwise(names)]
    start = time.process_time()
    assert fault_of(headed("\n".join(bomb).encode())).startswith("<bytes>:2: an anchor")
    assert time.process_time() - start < 1


def test_a_header_without_an_end():
    problem = fault_of(b"# ir_metadata.start\n# tag: a\n" + ROWS)
    expected = "expected a line '# ir_metadata.end' before the first ranked document, within 65,536 bytes"
    assert problem.startswith(f"<bytes>:1: the header that begins here has no end; {expected}")
    assert HEAD_BYTES == 65_536
    assert "has no end" in fault_of(headed(b"tag: " + b"a" * HEAD_BYTES))
    assert read_run(headed(b"tag: " + b"a" * (HEAD_BYTES - 100))).metadata


def test_large_files_beside_are_refused_in_time(tmp_path):
    run = tmp_path / "a.run"
    run.write_bytes(ROWS)
    beside = tmp_path / "ir-metadata.yml"
    for content, what in [
        (b"a: [" + b"1," * (MOST_VALUES + 9) + b"1]", f"more than {MOST_VALUES:,} values"),
        (b"a: '" + b"x" * LARGEST + b"'", "when decompressed"),
        (gzip.compress(b"a" * (LARGEST * 200)), "when decompressed"),
    ]:
        beside.write_bytes(content)
        start = time.process_time()
        with pytest.raises(InputError, match=what):
            read_metadata(run)
        assert time.process_time() - start < 5


def test_a_file_beside_is_of_one_run(tmp_path):
    run = tmp_path / "run.txt.gz"
    run.write_bytes(gzip.compress(ROWS))
    beside = tmp_path / "ir-metadata.yml"
    # As tirex-tracker writes it, with bare marks.
    beside.write_text("ir_metadata.start\nschema version: 0.2\nactor:\n  team: OWS\nir_metadata.end\n")
    (tmp_path / "notebook.ipynb").write_text("{}")
    (tmp_path / ".hidden.txt").write_text("")
    assert read_run(run).metadata == {"schema version": 0.2, "actor": {"team": "OWS"}}
    assert read_run(run).name == "run.txt"
    (tmp_path / "other.txt").write_bytes(ROWS)
    assert read_run(run).metadata == {}
    beside.write_text("tag: other")
    assert (read_metadata(run), read_metadata(tmp_path / "other.txt")) == ({}, {"tag": "other"})


def test_the_header_goes_before_the_file_beside(tmp_path):
    run = tmp_path / "a.run"
    run.write_bytes(headed(b"tag: inside"))
    (tmp_path / "ir-metadata.yml").write_text("tag: beside\nactor: {team: A}")
    assert read_run(run).metadata == read_metadata(run) == {"tag": "inside"}


def test_faults_of_a_file_beside_name_it(tmp_path):
    (tmp_path / "a.run").write_bytes(ROWS)
    (tmp_path / "ir-metadata.yml").write_text("tag: a\nb: [\n")
    with pytest.raises(InputError) as caught:
        read_metadata(tmp_path / "a.run")
    assert caught.value.problems[0].startswith(f"{tmp_path / 'ir-metadata.yml'}:3: not YAML")


signs = st.sampled_from("\n\t#:'\"-[]{}&*!|>%@` 0_.eE+")
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | signs, max_size=20)
keys = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=9).filter(str.strip)
numbers = st.integers(-(10**17), 10**17) | st.floats(-1e6, 1e6).map(lambda number: round(number, 3))
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(keys, values, min_size=1, max_size=4))
def test_what_is_written_is_read_back(metadata):
    target = io.BytesIO()
    write_metadata(PAPER + ROWS, target, metadata)
    assert target.getvalue() == render_header(metadata) + ROWS
    run = read_run(target.getvalue())
    assert run.metadata == metadata
    assert list(run) == list(read_run(ROWS))


def test_writing_to_a_file_replaces_nothing(tmp_path):
    source, target = tmp_path / "a.run.gz", tmp_path / "b.run"
    source.write_bytes(gzip.compress(PAPER + ROWS * 1))
    write_metadata(source, target, read_metadata(source))
    assert read_run(target).metadata == SAID
    with pytest.raises(UsageError, match="is there already; expected a new file"):
        write_metadata(source, target, {})
    write_metadata(target, bare := io.BytesIO(), {})
    assert bare.getvalue() == ROWS
    with pytest.raises(UsageError, match=r"not a run in lines of text.*write ir-metadata.yml beside it"):
        write_metadata(b'{"q": {"d": 1}}', io.BytesIO(), {"tag": "a"})


def test_a_real_run_keeps_its_rows_under_a_header(tmp_path, shared_data):
    source = shared_data / "robust03" / "input.NLPR03vb10.gz"
    target = tmp_path / "annotated"
    write_metadata(source, target, SAID)
    assert target.read_bytes() == render_header(SAID) + gzip.decompress(source.read_bytes())
