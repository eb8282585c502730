"""Versions of labels: seen before they are used, used, shown again, and private ones told by means alone."""

from __future__ import annotations

import pytest

from runoff.errors import InputError, NotAllowedError, NotFoundError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.make import make_board
from runoff.server.cases.labels.versions import (
    NewLabels,
    add_labels,
    load_label_changes,
    load_mean_changes,
    load_scored_share,
    use_labels,
)
from runoff.server.cases.views.stored_board import load_board_data, load_open_means, load_visible_runs, shown_labels
from runoff.server.store.boards import load_board
from runoff.server.store.label_sets import load_label_sets
from runoff.verbs._label_changes import label_changes
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, PRIVATE, PUBLIC
from tests.server.store.backends import both_databases


def olga(served):
    return Actor(id=served.organiser.id, role="organiser")


def add(served, folder, text, *, name="dev", actor=None, **more):
    path = folder / "new.qrels"
    path.write_text(text, encoding="utf-8")
    new = NewLabels(name=name, path=path, file_name="sent.qrels", **more)
    return add_labels(
        served.database, served.files, served.board, new, actor=actor or olga(served), now=NOW, reader=HERE
    )


TEXT = "".join(f"{query} 0 d 1\n" for query in PUBLIC[4:]) + "".join(f"{query} 0 other 1\n" for query in PUBLIC[:4])


@both_databases
def test_a_version_waits_until_it_is_used_and_can_be_seen_before(served, tmp_path):
    served.work()
    added = add(served, tmp_path, TEXT, note="again")
    assert (added.version, added.use, added.note, added.sealed) == (2, 0, "again", False)
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        versions = load_label_sets(connection, served.board.id)
        assert list(shown_labels(versions)) == ["dev", "dev private"]
        old = shown_labels(versions)["dev"]
        before = load_open_means(connection, served.board)
        assert load_scored_share(connection, served.board, added) == (3, 3)
        found = load_label_changes(
            connection, served.files, served.board, old, added, actor=olga(served), now=NOW, trials=50
        )
        runs = load_visible_runs(connection, served.board, viewer=olga(served), now=NOW)
    assert found is not None
    assert found.changed == tuple(PUBLIC[:4])
    assert (found.old.version, found.new.version, found.queries) == (1, 2, 24)
    # The same as from the files themselves.
    old_text = "".join(f"{query} 0 d 1\n{query} 0 x 0\n" for query in PUBLIC)
    (tmp_path / "old").write_text(old_text, encoding="utf-8")
    paths = [served.files.path(one.run.content_hash) for one in runs]
    plain = label_changes(paths, tmp_path / "old", tmp_path / "new.qrels", measures="RR@10", trials=50)
    means = {one.run: (one.old_mean, one.new_mean) for one in found.runs}
    by_order = [means[one.name] for one in runs]
    assert sorted(by_order) == sorted((one.old_mean, one.new_mean) for one in plain.runs)
    assert found.tau == plain.tau
    use_labels(served.database, served.board, added.id, actor=olga(served), now=NOW)
    with served.database.read() as connection:
        board = load_board(connection, served.board.id)
        assert board.version > served.board.version
        assert load_open_means(connection, board) != before
        assert list(shown_labels(load_label_sets(connection, board.id))) == ["dev", "dev private", "dev (version 1)"]
        earlier = load_board_data(connection, board, label_set="dev (version 1)", now=NOW)
        assert earlier.labels.id == old.id
    use_labels(served.database, served.board, old.id, actor=olga(served), now=NOW)
    with served.database.read() as connection:
        assert load_open_means(connection, served.board) == before


def test_later_runs_are_scored_on_every_version(served, tmp_path):
    added = add(served, tmp_path, TEXT)
    served.work()
    with served.database.read() as connection:
        assert load_scored_share(connection, served.board, added) == (3, 3)


def test_private_labels_are_told_by_means_alone(served, tmp_path):
    served.work()
    text = "".join(f"{query} 0 d 1\n" for query in PRIVATE[:12])
    added = add(served, tmp_path, text, name="dev private", sealed=True)
    assert (added.sealed, added.use) == (True, 0)
    served.work()
    with served.database.read() as connection:
        old = next(one for one in load_label_sets(connection, served.board.id) if one.name == "dev private")
        assert len(load_mean_changes(connection, served.board, old, added)) == 3
        with pytest.raises(UsageError, match="private labels"):
            load_label_changes(connection, served.files, served.board, old, added, actor=olga(served), now=NOW)


def test_a_new_name_is_in_use_at_once(served, tmp_path):
    assert add(served, tmp_path, TEXT, name="other").use > 0


def test_faults(served, tmp_path):
    with pytest.raises(NotAllowedError):
        add(served, tmp_path, TEXT, actor=served.actor)
    with pytest.raises(UsageError, match="are private"):
        add(served, tmp_path, TEXT, name="dev private")
    with pytest.raises(InputError, match=r"^sent\.qrels:2: 3 fields"):
        add(served, tmp_path, "q1 0 d 1\nq2 0 d\n")
    with pytest.raises(NotFoundError):
        use_labels(served.database, served.board, 999, actor=olga(served), now=NOW)


def test_a_label_set_has_its_own_level_and_keeps_it(served, tmp_path):
    """Grade 1 counts on the board; under the stricter labels half of the answers have grade 1 and do not."""
    served.work()
    graded = "".join(f"{query} 0 d {1 + place % 2}\n" for place, query in enumerate(PUBLIC))
    strict = add(served, tmp_path, graded, name="strict", relevance_level=2)
    plain = add(served, tmp_path, graded, name="plain")
    assert (strict.relevance_level, plain.relevance_level) == (2, None)
    served.work()
    with served.database.read() as connection:
        boards = {
            name: load_board_data(connection, served.board, label_set=name, now=NOW) for name in ("strict", "plain")
        }
        assert load_scored_share(connection, served.board, strict) == (3, 3)
    assert [str(boards[name].measure) for name in ("strict", "plain")] == ["RR(rel=2)@10", "RR@10"]
    assert [boards[name].compared.level for name in ("strict", "plain")] == [2, 1]
    assert (boards["strict"].scores.values[::2] == 0).all()
    assert (boards["strict"].scores.values[1::2] == boards["plain"].scores.values[1::2]).all()
    assert add(served, tmp_path, graded, name="strict").relevance_level == 2
    with pytest.raises(
        UsageError, match="labels 'strict' have the relevance level 2; expected the same of a new version"
    ):
        add(served, tmp_path, graded, name="strict", relevance_level=1)
    with pytest.raises(UsageError, match="labels 'plain' go by the relevance level of the board"):
        add(served, tmp_path, graded, name="plain", relevance_level=2)


def test_levels_of_a_board_toml_are_kept(served):
    text = served.toml.read_text().replace('path = "qrels.txt"\n', 'path = "qrels.txt"\nrelevance_level = 2\n')
    served.toml.write_text(text)
    board = make_board(served.database, served.files, served.toml, slug="strict", now=NOW, reader=HERE)
    with served.database.read() as connection:
        assert [one.relevance_level for one in load_label_sets(connection, board.id)] == [2, 2]
