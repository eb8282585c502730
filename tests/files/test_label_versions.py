"""Versions of labels."""

from runoff import as_qrels
from runoff.files.label_versions import digest_of, read_labels, render_labels, render_qrels

PARENT, VOTES = f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"


def test_written_and_read_again(tmp_path):
    first = read_labels(b"q 0 d 1\nr 0 e 2\n")
    assert (first.version, first.parent, first.judgments) == (1, None, ())
    file = tmp_path / "labels.qrels"
    file.write_text("".join(render_labels(first.qrels, version=2, parent=PARENT, judgments=[VOTES, VOTES])))
    second = read_labels(file)
    assert (second.version, second.parent, second.judgments) == (2, PARENT, (VOTES,))
    assert list(second.qrels) == [("q", "d", 1), ("r", "e", 2)]
    assert second.digest == digest_of(file.read_bytes()) == digest_of(str(file))


def test_fractions_are_kept(tmp_path):
    rows = [("q", "a", 1.8), ("q", "b", 0.1667), ("q", "c", 1), ("q", "d", -0.25), ("q", "e", -3), ("q", "f", 1e-07)]
    file = tmp_path / "labels.qrels"
    file.write_text("".join(render_qrels(as_qrels(rows))))
    assert list(read_labels(file).qrels) == rows


def test_other_comments_say_nothing():
    assert read_labels(b"# version 9\nq 0 d 1\n").version == 1
    assert read_labels(b"# runoff labels\nq 0 d 1\n# version 9\n").version == 1


def test_what_can_be_read_once_has_no_hash():
    assert digest_of("-") == ""
