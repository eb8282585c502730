"""What a campaign is to have more of, as a value."""

from dataclasses import replace

import pytest

from runoff.errors import UsageError
from runoff.server.cases.judging.start import Extension


def test_it_changes_what_is_asked_for_and_nothing_else(campaigned):
    draft = campaigned.draft(sample=3)
    campaign = replace(draft, planned_at=draft.created_at)
    assert Extension().applied_to(campaign) == campaign
    more = Extension(judgments_per_pair=2, depth=4, sample=5)
    assert more.applied_to(campaign) == replace(campaign, judgments_per_pair=2, depth=4, sample=5)
    everything = Extension(all_queries=True).applied_to(campaign)
    assert everything.sample is None
    with pytest.raises(UsageError, match="all queries are judged already"):
        Extension(sample=9).applied_to(everything)


def test_a_job_keeps_it_whole():
    more = Extension(judgments_per_pair=2, sample=5, depth=4, run_ids=(3, 1))
    assert Extension.of(more.to_dict()) == more
