"""Formats of runs and qrels that other tools write: one module each, recognised by content."""

from __future__ import annotations

from typing import Final

from runoff.files.peers._base import PeerFormat
from runoff.files.peers.header_table import HEADER_TABLE
from runoff.files.peers.json_rows import JSON_ROWS
from runoff.files.peers.nested_json import NESTED_JSON, part_of
from runoff.files.peers.opensearch import OPENSEARCH
from runoff.files.peers.ranx_cbor import RANX_CBOR

__all__ = ["NESTED_JSON", "PEER_FORMATS", "PeerFormat", "part_of", "peer_format"]

PEER_FORMATS: Final = (OPENSEARCH, NESTED_JSON, JSON_ROWS, RANX_CBOR, HEADER_TABLE)
"""In the order in which they are tried: the first that fits is the one."""


def peer_format(head: bytes) -> PeerFormat | None:
    r"""The format of a file that begins so; None for the formats of TREC and MS MARCO, which are plain lines.

    >>> [form and form.name for form in map(peer_format, (b'{"q": {"d": 1}}', b"qid,docno,score\n", b"q 0 d 1\n"))]
    ['JSON by query', 'CSV or TSV with a header', None]
    """
    return next((form for form in PEER_FORMATS if form.fits(head)), None)
