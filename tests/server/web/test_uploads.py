"""What is sent with a run."""

from __future__ import annotations

import pytest

from runoff.errors import UsageError
from runoff.server.store.files import FileStore
from runoff.server.web.uploads import Upload, submission_of


@pytest.fixture
def incoming(tmp_path):
    with FileStore(tmp_path).receive(limit=100) as found:
        found.write(b"abc")
        found.settle()
        yield found


def upload(incoming, **fields):
    return Upload(file=incoming, file_name="a.run", fields=fields)


def test_keys_are_the_senders_or_drawn(incoming):
    assert submission_of(upload(incoming), key="k").submission_key == "k"
    drawn = {submission_of(upload(incoming), key=None).submission_key for _ in range(3)}
    assert len(drawn) == 3
    for key in ("", "x" * 101, "a\nb"):
        with pytest.raises(UsageError, match="Idempotency-Key"):
            submission_of(upload(incoming), key=key)


def test_content_can_be_read_again(incoming):
    one = upload(incoming, metadata='{"name": "n"}')
    assert b"".join(one.blocks()) == b"".join(one.blocks()) == b"abc"
    assert submission_of(one, key=None).metadata.name == "n"
