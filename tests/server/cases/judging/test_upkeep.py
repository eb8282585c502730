"""A run that is scored later brings its missing pairs into standing campaigns."""

import pytest

from runoff.errors import InputError
from runoff.preferences import candidates_of, needed_pairs, quality, updated_labels
from runoff.reading.sources import as_run
from runoff.server.cases.judging import background as upkeep
from runoff.server.cases.judging import start
from runoff.server.cases.judging.extend import extend_campaign
from runoff.server.cases.judging.next_pairs import load_searches
from runoff.server.cases.judging.sources import load_sources
from runoff.server.cases.judging.start import Extension
from runoff.server.cases.judging.votes import load_votes
from runoff.server.store.campaign_plans import load_tasks
from runoff.server.store.campaign_pools import load_campaign_runs, load_candidates, load_pool
from runoff.server.store.campaigns import load_campaign, load_campaign_problems
from runoff.server.store.submissions import NewRun, load_run, save_run
from tests.server.cases.judging.campaigned import run_text
from tests.server.store.backends import both_databases


def submit(campaigned, seed):
    text = run_text(seed).encode()
    file = campaigned.files.save([text], limit=1_000_000)
    first = campaigned.read(load_run, campaigned.run_ids[0])
    new = NewRun(
        board_id=campaigned.board.id, team_id=first.team_id, submitted_by=first.submitted_by,
        submission_key=f"new {seed}", name=f"new {seed}", content_hash=file.content_hash, size=file.size, baseline=True,
    )  # fmt: skip
    campaigned.database.write(lambda c: save_run(c, new, now=campaigned.wait(minutes=1)))
    campaigned.work()
    return text


def real(campaigned, campaign):
    tasks = campaigned.read(load_tasks, campaign.id)
    return {pair.key for task in tasks for pair in task.pairs if pair.expected is None}


def test_pairs_that_a_new_run_makes_necessary_appear(campaigned):
    campaign = campaigned.opened(standing=True)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    before = real(campaigned, campaign)
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    kept = quality(campaigned.read(load_votes, campaign)).kept
    text = submit(campaigned, 7)
    run = as_run(text, name="new")
    (needed,) = needed_pairs([run], updated_labels(sources.qrels, kept).labels, kept)
    assert needed.pairs
    expected = {(query, *sorted(docs)) for query, *docs in needed.pairs}
    assert real(campaigned, campaign) - before == expected
    assert campaigned.run_ids[-1] in campaigned.read(load_campaign_runs, campaign.id)
    docs = {(item.query_id, item.doc_id) for item in campaigned.read(load_pool, campaign.id)}
    assert {(query, doc) for query, *both in needed.pairs for doc in both} <= docs
    assert campaigned.judge_all(campaign, [campaigned.assessor(campaign)]) > 0


def test_as_many_top_documents_are_compared_as_are_pooled(campaigned):
    campaign = campaigned.opened(standing=True, runs=1, depth=2)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    before = real(campaigned, campaign)
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    kept = quality(campaigned.read(load_votes, campaign)).kept
    best = updated_labels(sources.qrels, kept).labels
    run = as_run(submit(campaigned, 7), name="new")
    answers = {query_id: doc_id for query_id, doc_id, _ in best}
    met = {(row.query_id, *sorted((row.left, row.right))) for row in kept}
    expected = {(query, *sorted((doc, answers[query]))) for query, doc, _ in run.top(2) if doc != answers[query]} - met
    assert real(campaigned, campaign) - before == expected
    assert max(sum(pair[0] == query for pair in expected) for query in answers) == 2


@both_databases
def test_in_a_sequential_campaign_new_documents_are_candidates_behind_the_others(campaigned):
    campaign = campaigned.opened(standing=True, way="sequential", runs=1, depth=2)
    people = [campaigned.assessor(campaign) for _ in range(3)]
    campaigned.judge_all(campaign, people)
    assert all(search.is_final for search in campaigned.read(load_searches, campaign))
    before = campaigned.read(load_candidates, campaign.id)
    submit(campaigned, 7)
    after = campaigned.read(load_candidates, campaign.id)
    assert all(after[query][: len(docs)] == docs for query, docs in before.items())
    assert any(search.due for search in campaigned.read(load_searches, campaign))
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    assert after == candidates_of(sources.qrels, sources.runs, depth=2)
    campaigned.judge_all(campaign, people)
    assert {search.query_id: search.best for search in campaigned.read(load_searches, campaign)} == {
        query: max(docs) for query, docs in after.items()
    }


RACES = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)


def meanwhile(monkeypatch, module, act):
    """Let something else happen once, between the reading and the keeping."""
    found, acts = module.find_texts, [act]

    def find(*arguments, **options):
        if acts:
            acts.pop()()
        return found(*arguments, **options)

    monkeypatch.setattr(module, "find_texts", find)


def deeper(campaigned, campaign, depth=2):
    options = {"actor": campaigned.organiser, "now": campaigned.now}
    extend_campaign(campaigned.database, campaigned.files, campaign.id, Extension(depth=depth), **options)


def wanted_of(campaigned, campaign, run, depth):
    """The pairs of a run's top documents with the labels, of which nothing was judged yet."""
    labels = {query: doc for query, doc, _ in campaigned.read(load_sources, campaigned.files, campaign).qrels}
    return {(query, *sorted((doc, labels[query]))) for query, doc, _ in run.top(depth) if doc != labels[query]}


@RACES
@pytest.mark.parametrize("way", ["full", "sequential"])
def test_a_run_that_comes_while_the_campaign_is_extended_loses_nothing(campaigned, monkeypatch, way):
    campaign = campaigned.opened(standing=True, runs=1, depth=1, way=way)
    meanwhile(monkeypatch, upkeep, lambda: deeper(campaigned, campaign))
    run = as_run(submit(campaigned, 7), name="new")
    assert campaigned.run_ids[-1] in campaigned.read(load_campaign_runs, campaign.id)
    docs = [(item.query_id, item.doc_id) for item in campaigned.read(load_pool, campaign.id)]
    assert {(query, doc) for query, doc, _ in run.top(2)} <= set(docs)
    assert len(set(docs)) == len(docs)
    if way == "full":
        assert wanted_of(campaigned, campaign, run, 2) <= real(campaigned, campaign)
        once_each(campaigned, campaign)


@RACES
def test_an_extension_that_ends_after_a_run_came_pools_the_run_as_deep(campaigned, monkeypatch):
    campaign, came = campaigned.opened(standing=True, runs=1, depth=1), []
    meanwhile(monkeypatch, start, lambda: came.append(submit(campaigned, 7)))
    deeper(campaigned, campaign, depth=3)
    (text,) = came
    run = as_run(text, name="new")
    docs = {(item.query_id, item.doc_id) for item in campaigned.read(load_pool, campaign.id)}
    assert {(query, doc) for query, doc, _ in run.top(3)} <= docs
    assert wanted_of(campaigned, campaign, run, 3) <= real(campaigned, campaign)
    once_each(campaigned, campaign)


def once_each(campaigned, campaign):
    """No pair stands in two tasks where each is judged once."""
    tasks = campaigned.read(load_tasks, campaign.id)
    keys = [pair.key for task in tasks for pair in task.pairs if pair.expected is None]
    assert len(set(keys)) == len(keys)


@RACES
def test_a_run_without_texts_stays_out_and_the_campaign_goes_on(campaigned, monkeypatch):
    campaign = campaigned.opened(standing=True, runs=1)
    before = real(campaigned, campaign), campaigned.read(load_campaign_runs, campaign.id)

    def find(*_, **__):
        raise InputError(["texts of the documents: no text of document 'b.q1'"])

    with monkeypatch.context() as patch:
        patch.setattr(upkeep, "find_texts", find)
        submit(campaigned, 7)
    assert (real(campaigned, campaign), campaigned.read(load_campaign_runs, campaign.id)) == before
    first, second = campaigned.read(load_campaign_problems, campaign.id)
    assert (first, second) == ("run 'new 7' was not added", "texts of the documents: no text of document 'b.q1'")
    deeper(campaigned, campaign)
    assert campaigned.read(load_campaign, campaign.id).depth == 2


@pytest.mark.parametrize("standing", [True, False])
def test_only_standing_campaigns_take_runs_in(campaigned, standing):
    campaign = campaigned.opened(standing=standing, runs=2)
    before = len(campaigned.read(load_campaign_runs, campaign.id))
    submit(campaigned, 8)
    assert len(campaigned.read(load_campaign_runs, campaign.id)) == before + standing
