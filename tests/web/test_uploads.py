"""What is sent with a run."""

from __future__ import annotations

import io

import pytest

from runoff.errors import UsageError
from runoff.web.uploads import Upload, submission_of


def upload(**fields):
    return Upload(file=io.BytesIO(b"abc"), file_name="a.run", fields=fields)


def test_keys_are_the_senders_or_drawn():
    assert submission_of(upload(), key="k").submission_key == "k"
    drawn = {submission_of(upload(), key=None).submission_key for _ in range(3)}
    assert len(drawn) == 3
    for key in ("", "x" * 101, "a\nb"):
        with pytest.raises(UsageError, match="Idempotency-Key"):
            submission_of(upload(), key=key)


def test_content_can_be_read_again_and_copied(tmp_path):
    one = upload(metadata='{"name": "n"}')
    assert b"".join(one.blocks()) == b"".join(one.blocks()) == b"abc"
    assert one.copy_to(str(tmp_path)).read_bytes() == b"abc"
    assert submission_of(one, key=None).metadata.name == "n"
