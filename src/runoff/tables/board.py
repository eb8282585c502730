"""A board as it is described: what is measured, on which queries and labels, and which runs take part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from runoff.errors import UsageError
from runoff.tables.run_metadata import description_of, field_text
from runoff.tables.settings import OrganiserSettings

PUBLIC: Final = "public"
"""The query set whose scores teams are shown, but not its labels."""
PRIVATE: Final = "private"
"""The query set whose scores nobody is shown before the end."""
DEVELOPMENT: Final = "development"
"""The query set whose labels teams hold: neither public nor private."""


@dataclass(frozen=True, kw_only=True)
class BoardRun:
    """One run of a board: a file, or only the means that somebody published of it.

    path        the run file; None where there are only `scores`
    date        the day on which it was submitted; None if nobody knows
    baseline    whether it is a run of the organisers, which the first record has to beat
    variant_of  the name of the run that it is a small variation of
    scores      published means by query set, such as {"public": 0.48, "private": 0.42}
    metadata    what its file says of it, as ir_metadata; empty where it says nothing, or was not read
    costs       what it costs, lower is better, by names that say the unit, such as {"latency_ms": 35, "usd": 0.2}
    """

    name: str
    path: Path | None = None
    team: str = ""
    date: date | None = None
    description: str = ""
    baseline: bool = False
    variant_of: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    costs: Mapping[str, float] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", MappingProxyType(dict(self.scores)))
        object.__setattr__(self, "costs", MappingProxyType(dict(self.costs)))
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))

    def with_metadata(self, metadata: Mapping[str, Any]) -> BoardRun:
        """The same run with its metadata, which give team and description where nothing else does.

        >>> BoardRun(name="a", team="Trees").with_metadata({"actor": {"team": "Woods"}, "description": "BM25"}).team
        'Trees'
        """
        return replace(
            self,
            metadata=metadata,
            team=self.team or field_text(metadata, "actor.team"),
            description=self.description or description_of(metadata),
        )


@dataclass(frozen=True, kw_only=True)
class Board(OrganiserSettings):
    """Everything that `board.toml` says; nothing in it has been read or measured yet. Its settings are inherited.

    queries       files of query ids by the name of the query set: `public`, whose scores teams are shown, `private`,
                  whose scores they are not shown before the end, `development`, whose labels they hold, or others
    labels        qrels files by the name of the label set
    label_levels  relevance levels of label sets that have their own, by name
    """

    queries: Mapping[str, Path] = field(default_factory=dict)
    labels: Mapping[str, Path] = field(default_factory=dict)
    label_levels: Mapping[str, int] = field(default_factory=dict)
    runs: tuple[BoardRun, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "queries", MappingProxyType(dict(self.queries)))
        object.__setattr__(self, "labels", MappingProxyType(dict(self.labels)))
        object.__setattr__(self, "label_levels", MappingProxyType(dict(self.label_levels)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the runs, in the order of the board."""
        return tuple(run.name for run in self.runs)

    def run(self, name: str) -> BoardRun:
        """The run of that name."""
        for run in self.runs:
            if run.name == name:
                return run
        raise UsageError(f"no run '{name}' on this board; expected one of {', '.join(self.names)}; choose one of these")

    def level_of(self, labels: str | None = None) -> int:
        """The relevance level of a label set, of the first if None: its own, or else the board's.

        >>> board = Board(title="t", measure="RR@10", labels={"a": Path("a"), "b": Path("b")}, label_levels={"b": 2})
        >>> board.level_of(), board.level_of("b")
        (1, 2)
        """
        name = next(iter(self.labels), "") if labels is None else labels
        return self.label_levels.get(name, self.relevance_level)

    def overruled(
        self, *, depth: int | None = None, level: int | None = None, gains: Sequence[float] | None = None
    ) -> Board:
        """The same board with another depth, relevance level or gains, where these are asked for.

        A level holds for all label sets. Without gains it takes the place of the board's gains too: IPSO is binary at
        that level then.

        >>> board = Board(title="t", measure="RR@10", depth=10, gains=(0.0, 0.5, 1.0))
        >>> asked = board.overruled(level=2)
        >>> asked.depth, asked.relevance_level, asked.gains
        (10, 2, None)
        """
        own = self.gains if level is None else None
        return replace(
            self,
            depth=self.depth if depth is None else depth,
            relevance_level=self.relevance_level if level is None else level,
            label_levels=self.label_levels if level is None else {},
            gains=own if gains is None else tuple(gains),
        )

    def published(self, query_set: str) -> dict[str, float]:
        """The published means on one query set, of the runs that have one.

        >>> runs = (BoardRun(name="a", scores={"private": 0.25}), BoardRun(name="b"))
        >>> Board(title="t", measure="RR@10", runs=runs).published("private")
        {'a': 0.25}
        """
        return {run.name: run.scores[query_set] for run in self.runs if query_set in run.scores}
