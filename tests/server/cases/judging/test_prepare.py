import random
import resource
import time

import pytest

from runoff.errors import InputError
from runoff.files.runs import read_run
from runoff.server.cases.judging.sources import find_texts, read_campaign_runs
from runoff.server.store.campaign_pools import load_text_ids, load_tops
from tests.server.store.backends import both_databases


def test_runs_are_read_once_to_the_ranks_that_matter(campaigned):
    draft = campaigned.draft(runs=2)
    tops = campaigned.read(load_tops, draft.id)
    run = read_run(campaigned.folder / "described" / "run0.txt")
    expected: dict[str, list[str]] = {}
    for query_id, doc_id, _ in run.top(10):
        expected.setdefault(query_id, []).append(doc_id)
    assert tops[campaigned.run_ids[0]] == expected
    assert read_campaign_runs(campaigned.database, campaigned.files, draft.id) == 0


@both_databases
def test_texts_that_are_wanted_and_not_there_are_found(campaigned):
    def stored(text):
        return campaigned.files.save([text], limit=1000).content_hash

    plain = campaigned.draft()
    assert find_texts(campaigned.database, campaigned.files, plain, [("q", "d")]).docs == {}
    draft = campaigned.draft(slug="t", query_texts=stored(b"q\tcats\n"), doc_texts=stored(b"d\tone\ne\ttwo\nx\tno\n"))
    found = find_texts(campaigned.database, campaigned.files, draft, [("q", "d"), ("q", "e")])
    assert (found.queries, found.docs) == ({"q": "cats"}, {"d": "one", "e": "two"})
    assert campaigned.database.write(lambda c: found.save(c, draft.id)) == 3
    assert campaigned.read(load_text_ids, draft.id, "document") == {"d", "e"}
    again = find_texts(campaigned.database, campaigned.files, draft, [("q", "d")])
    assert (again.queries, again.docs) == ({}, {})
    with pytest.raises(InputError, match="no text of document 'y'"):
        find_texts(campaigned.database, campaigned.files, draft, [("q", "y")])


LINES, WANTED = 8_841_823, 5000


@pytest.mark.proof
def test_texts_are_found_in_a_collection_of_millions(campaigned, backend, tmp_path, capsys):
    """As many passages as MS MARCO has, with short texts; time and memory are printed, not asserted."""
    if backend != "sqlite":
        pytest.skip("nothing here depends on the database")

    def lines():
        for start in range(0, LINES, 100_000):
            numbers = range(start, min(start + 100_000, LINES))
            yield "".join(f"{number}\tpassage {number} is about {number % 997} things\n" for number in numbers).encode()

    docs = campaigned.files.save(lines(), limit=10**10).content_hash
    queries = campaigned.files.save([b"q\tcats\n"], limit=1000).content_hash
    draft = campaigned.draft(query_texts=queries, doc_texts=docs)
    wanted = [str(number) for number in random.Random(0).sample(range(LINES), WANTED)]
    size = campaigned.files.path(docs).stat().st_size
    before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    found = find_texts(campaigned.database, campaigned.files, draft, [("q", doc) for doc in wanted])
    spent, peak = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert found.docs == {doc: f"passage {doc} is about {int(doc) % 997} things" for doc in wanted}
    assert campaigned.database.write(lambda c: found.save(c, draft.id)) == WANTED + 1
    with capsys.disabled():
        said = f"{WANTED:,} texts of {LINES:,} lines, {size / 1e6:,.0f} MB: {spent:.1f} s"
        print(f"\n{said}, peak {before / 1000:,.0f} MB before and {peak / 1000:,.0f} MB after")  # noqa: T201
