"""Paths inside a folder: names, links, and what another process answers."""

from __future__ import annotations

import pytest

from runoff.files.inside import checked_inside, path_inside


def test_a_name_starts_where_its_file_is_and_stays_in_the_folder(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    assert path_inside(tmp_path, "../a", relative_to=inner) == inner / "../a"
    assert path_inside(tmp_path, "../../a", relative_to=inner) is None
    assert path_inside(tmp_path, "x" * 5000) is not None


def test_links_are_followed_inside_alone(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "near").symlink_to(tmp_path / "inner")
    (tmp_path / "inner" / "far").symlink_to("/etc")
    (tmp_path / "inner" / "round").symlink_to(tmp_path / "inner" / "round")
    assert path_inside(tmp_path / "inner", "near/a") is not None
    assert path_inside(tmp_path / "inner", "far/passwd") is None
    assert path_inside(tmp_path / "inner", "round/a") is not None


def test_the_file_of_a_part_is_inside_too(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "far").symlink_to("/etc/passwd")
    assert path_inside(tmp_path / "inner", "near#default/test") is not None
    assert path_inside(tmp_path / "inner", "far#default/test") is None
    assert path_inside(tmp_path / "inner", "../far#a/../inner/b") is None


@pytest.mark.parametrize("path", ["/etc/passwd", "", 7, None])
def test_an_answer_outside_is_an_error(tmp_path, path):
    with pytest.raises(ValueError, match="outside"):
        checked_inside(tmp_path, path)
    assert checked_inside(tmp_path, str(tmp_path / "a")) == tmp_path / "a"
