"""Texts of a campaign: read through before they are kept, and kept as long as it is there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from runoff.errors import InputError, NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.campaign_files import save_campaign_texts
from runoff.server.store.campaigns import load_campaign, load_campaign_problems
from runoff.server.store.files import load_known_hashes, remove_orphans
from tests.server.cases.judging.campaigned import DOCS, MOST_BYTES, QUERIES
from tests.server.cases.reading_here import HERE
from tests.server.store.backends import both_databases

QUERY_TEXTS = "".join(f"{query}\ttext of {query}\n" for query in QUERIES)
DOC_TEXTS = "".join(f"{doc}.{query}\t{doc} answers {query}\n" for query in QUERIES for doc in DOCS)


def keep(campaigned, campaign, queries=QUERY_TEXTS, docs=DOC_TEXTS, actor=None):
    files = campaigned.files
    with files.receive(limit=MOST_BYTES) as first, files.receive(limit=MOST_BYTES) as second:
        for incoming, text in ((first, queries), (second, docs)):
            incoming.write(text.encode())
            incoming.settle()
        return save_campaign_texts(
            campaigned.database, files, campaign.id, queries=first, docs=second, actor=actor or campaigned.organiser,
            now=campaigned.now(), reader=HERE,
        )  # fmt: skip


def test_a_campaign_has_the_texts_and_assessors_see_them(campaigned):
    draft = campaigned.draft()
    found = keep(campaigned, draft)
    assert found.is_whole
    assert (found.queries, found.queries_wanted) == (8, 8)
    assert found.docs == found.docs_wanted > 8
    campaign = campaigned.start(campaigned.read(load_campaign, draft.id))
    pair = campaigned.offer(campaign, campaigned.assessor(campaign)).sheet.pairs[0]
    assert pair.query.startswith("text of q")
    assert " answers q" in pair.left


@both_databases
def test_texts_are_no_left_overs(campaigned):
    draft = campaigned.draft()
    keep(campaigned, draft)
    campaign = campaigned.read(load_campaign, draft.id)
    own = {campaign.query_texts, campaign.doc_texts}
    assert own <= campaigned.read(load_known_hashes)
    later = datetime.now(UTC) + timedelta(days=9)
    assert not own & set(remove_orphans(campaigned.database, campaigned.files, before=later))
    assert campaigned.files.path(campaign.doc_texts).read_text() == DOC_TEXTS


def test_what_is_missing_is_counted(campaigned):
    draft = campaigned.draft()
    found = keep(campaigned, draft, queries="q0\tone\n", docs="a.q0\tone\na.q1\ttwo\n")
    assert (found.queries, found.docs, found.is_whole) == (1, 2, False)


def test_the_faults_of_both_files_are_told_and_nothing_is_kept(campaigned):
    draft = campaigned.draft()
    with pytest.raises(InputError) as caught:
        keep(campaigned, draft, queries="q0\tone\nq0\ttwo\n", docs="zz\tone\n")
    first, second = caught.value.problems
    assert ":2: id 'q0' is listed twice" in first
    assert "no text of any document; expected ids such as 'a.q0'" in second
    assert campaigned.read(load_campaign, draft.id).doc_texts is None
    assert list(campaigned.files.incoming.iterdir()) == []


def test_texts_are_for_organisers(campaigned):
    draft = campaigned.draft()
    with pytest.raises(NotAllowedError):
        keep(campaigned, draft, actor=Actor(id=1, role="assessor"))


def test_where_queries_are_drawn_only_theirs_are_wanted(campaigned):
    found = keep(campaigned, campaigned.draft(sample=3))
    assert (found.queries, found.queries_wanted) == (3, 3)
    assert found.is_whole


def test_a_missing_text_is_told_without_the_place_where_the_server_keeps_the_file(campaigned):
    draft = campaigned.draft()
    keep(campaigned, draft, docs="a.q0\tone\n")
    campaigned.start(campaigned.read(load_campaign, draft.id))
    told = campaigned.read(load_campaign_problems, draft.id)
    assert told[0].startswith("texts of the documents: no text of document 'a.q1'; expected one")
    assert told[-1].endswith(" more problems")
    assert not any("/" in one for one in told)
