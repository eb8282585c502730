"""Labels from the server's machine; the verb is tested in tests/cli/test_admin.py."""

from __future__ import annotations

import pytest

from runoff.errors import NotFoundError
from runoff.server.cases.labels.versions import add_file_labels, label_lines, use_label_version
from runoff.server.store.audit import load_audit
from tests.server.cases.served import NOW, PRIVATE
from tests.server.store.backends import both_databases


@both_databases
def test_a_private_set_is_added_and_the_log_names_nobody(served, tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("".join(f"{query} 0 d 1\n" for query in PRIVATE[:3]), encoding="utf-8")
    add_file_labels(served.database, served.files, "trees", path, name="more", sealed=True, now=NOW)
    assert list(label_lines(served.database, "trees"))[-1] == "more, version 1: in use, private, 3 queries, 3 judged"
    with served.database.read() as connection:
        assert load_audit(connection, thing="label_set")[-1].actor_id is None
    with pytest.raises(NotFoundError, match="no version 2 of labels 'more'"):
        use_label_version(served.database, "trees", 2, name="more", now=NOW)
