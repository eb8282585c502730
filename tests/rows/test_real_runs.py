"""Both implementations read real runs alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from runoff import rows
from runoff.errors import InputError
from runoff.files import streams
from runoff.files.qrels import read_qrels
from runoff.files.text.runs import read_lists
from runoff.rows import reference
from runoff.tables import qrels as qrels_table
from runoff.tables import ranked_lists
from runoff.tables.ranked_lists import ALL, ListRequest
from tests.rows.implementations import needs_compiled


def use_reference(patch):
    """Let the reference do the work wherever `runoff.rows` is used."""
    for name in ("parse_rows", "columns_batch", "group", "split_fields", "parse_decimals"):
        patch.setattr(rows, name, getattr(reference, name))
    patch.setattr(ranked_lists, "group", reference.group)
    patch.setattr(streams, "block_start", reference.block_start)
    patch.setattr(qrels_table, "Judged", reference.Judged)


def everything(file: Path, labels: Path):
    """All that reading a run gives: lists, judged documents, ties, the whole run."""
    request = ListRequest(labels=(read_qrels(labels),), depth=10, top=ALL)
    try:
        lists = read_lists(file, request)
    except InputError as error:
        return error.problems, error.total
    arrays = [lists.lengths, lists.depth_tied, lists.top_scores, lists.top_bounds, lists.top_docs.bounds]
    arrays += [array for hits in lists.hits for array in (hits.places, hits.lists, hits.ranks, hits.rows)]
    return lists.query_ids, [array.tobytes() for array in arrays], lists.top_docs.text.bytes.tobytes()


@needs_compiled
@pytest.mark.proof
@pytest.mark.parametrize(
    "collection, pattern, labels",
    [
        ("dl21", "runs/*", "qrels.nist.txt.gz"),
        ("robust03", "input.*", "qrels.txt.gz"),
        ("trec_eval", "results.*", "qrels.test"),
    ],
)
def test_all_runs_of_a_track(collection, pattern, labels, shared_data):
    folder = shared_data / collection
    runs = sorted(folder.glob(pattern))
    assert runs
    for file in runs:
        compiled = everything(file, folder / labels)
        with pytest.MonkeyPatch.context() as patch:
            use_reference(patch)
            assert everything(file, folder / labels) == compiled, file.name
