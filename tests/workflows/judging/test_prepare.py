import pytest

from runoff.errors import InputError
from runoff.files.runs import read_run
from runoff.store.campaign_pools import load_text_ids, load_tops
from runoff.workflows.judging.prepare import find_texts, read_campaign_runs
from tests.workflows.judging.campaigned import MOST_BYTES


def test_runs_are_read_once_to_the_ranks_that_matter(campaigned):
    draft = campaigned.draft(runs=2)
    tops = campaigned.read(load_tops, draft.id)
    run = read_run(campaigned.folder / "described" / "run0.txt")
    expected: dict[str, list[str]] = {}
    for query_id, doc_id, _ in run.top(10):
        expected.setdefault(query_id, []).append(doc_id)
    assert tops[campaigned.run_ids[0]] == expected
    assert read_campaign_runs(campaigned.database, campaigned.files, draft.id, max_bytes=MOST_BYTES) == 0


def test_texts_that_are_wanted_and_not_there_are_found(campaigned):
    def stored(text):
        return campaigned.files.save([text], limit=1000).content_hash

    plain = campaigned.draft()
    options = {"max_bytes": MOST_BYTES}
    assert find_texts(campaigned.database, campaigned.files, plain, [("q", "d")], **options).docs == {}
    draft = campaigned.draft(slug="t", query_texts=stored(b"q\tcats\n"), doc_texts=stored(b"d\tone\ne\ttwo\nx\tno\n"))
    found = find_texts(campaigned.database, campaigned.files, draft, [("q", "d"), ("q", "e")], **options)
    assert (found.queries, found.docs) == ({"q": "cats"}, {"d": "one", "e": "two"})
    assert campaigned.database.write(lambda c: found.save(c, draft.id)) == 3
    assert campaigned.read(load_text_ids, draft.id, "document") == {"d", "e"}
    again = find_texts(campaigned.database, campaigned.files, draft, [("q", "d")], **options)
    assert (again.queries, again.docs) == ({}, {})
    with pytest.raises(InputError, match="no text of document 'y'"):
        find_texts(campaigned.database, campaigned.files, draft, [("q", "y")], **options)
