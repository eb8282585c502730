"""What a campaign is to have more of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from runoff.errors import UsageError
from runoff.server.store.campaigns import Campaign


@dataclass(frozen=True, kw_only=True)
class Extension:
    """More judgments of each pair, more queries (a larger sample, or all), deeper pools, more runs.

    What is left empty stays as it is; labels that are newer than the plan are taken in by any extension.

    >>> Extension.of(Extension(depth=3, run_ids=(7,)).to_dict())
    Extension(judgments_per_pair=None, sample=None, all_queries=False, depth=3, run_ids=(7,))
    """

    judgments_per_pair: int | None = None
    sample: int | None = None
    all_queries: bool = False
    depth: int | None = None
    run_ids: tuple[int, ...] = ()

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Extension:
        """The extension that a job was given."""
        return cls(**{**row, "run_ids": tuple(row.get("run_ids", ()))})

    def to_dict(self) -> dict[str, Any]:
        """The extension as a job keeps it."""
        return {**asdict(self), "run_ids": list(self.run_ids)}

    def applied_to(self, campaign: Campaign) -> Campaign:
        """The campaign as it will be; or raise, where something would become less."""
        if campaign.planned_at is None:
            raise UsageError(f"campaign {campaign.slug!r} has no plan yet; change its settings instead")
        for name, words in (("judgments_per_pair", "judgments per pair"), ("depth", "ranks of each run")):
            before, asked = getattr(campaign, name), getattr(self, name)
            if asked is not None and asked < before:
                raise UsageError(f"{asked:,} {words}; expected {before:,} or more")
        if campaign.sample is None and self.sample is not None:
            raise UsageError("all queries are judged already; expected no sample")
        if campaign.sample is not None and self.sample is not None and self.sample < campaign.sample:
            raise UsageError(f"a sample of {self.sample:,} queries; expected {campaign.sample:,} or more, or all")
        return replace(
            campaign,
            judgments_per_pair=self.judgments_per_pair or campaign.judgments_per_pair,
            depth=self.depth or campaign.depth,
            sample=None if self.all_queries else self.sample or campaign.sample,
        )
