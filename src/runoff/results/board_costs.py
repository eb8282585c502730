"""What the runs of a board cost, beside what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runoff.boards import frontier
from runoff.tables.board import BoardRun


@dataclass(frozen=True, kw_only=True)
class BoardCosts:
    """The costs that a board.toml names, and the runs that no other run beats on the mean and on all of them.

    names     what the costs are called, in the order in which the runs name them
    values    for each run by name, its costs; None where it names none
    frontier  for each run with all costs, whether no other such run is as good in everything and better in something
    """

    names: tuple[str, ...]
    values: Mapping[str, tuple[float | None, ...]]
    frontier: Mapping[str, bool]

    def sentence(self) -> str:
        """Which runs are on the frontier."""
        best = [name for name, free in self.frontier.items() if free]
        what = f"{', '.join(['the mean', *self.names[:-1]])} and {self.names[-1]}"
        if not best:
            return f"No run names all of its costs ({', '.join(self.names)})."
        runs = "1 run is" if len(best) == 1 else f"{len(best):,} runs are"
        if len(best) == len(self.frontier):
            which = "The one run" if len(best) == 1 else f"Each of the {len(best):,} runs"
            return f"{which} with known costs is on the frontier of {what}."
        return (
            f"{runs} on the frontier of {what}, out of {len(self.frontier):,} with known costs: "
            f"{', '.join(best)}; for each of the others some run is at least as good and as cheap."
        )


def costs_of(runs: Sequence[BoardRun], means: Mapping[str, float], *, best_is_low: bool = False) -> BoardCosts | None:
    """The costs of a board's runs; None where none is named.

    >>> runs = [BoardRun(name="a", costs={"ms": 9}), BoardRun(name="b", costs={"ms": 5}), BoardRun(name="c")]
    >>> dict(costs_of(runs, {"a": 0.3, "b": 0.4, "c": 0.5}).frontier)
    {'a': False, 'b': True}
    """
    names = tuple(dict.fromkeys(name for run in runs for name in run.costs))
    if not names:
        return None
    values = {run.name: tuple(run.costs.get(name) for name in names) for run in runs}
    known = [run.name for run in runs if None not in values[run.name]]
    sign = -1.0 if best_is_low else 1.0
    columns = [[values[name][place] or 0.0 for name in known] for place in range(len(names))]
    free = frontier([sign * means[name] for name in known], *columns).tolist() if known else []
    return BoardCosts(names=names, values=values, frontier=dict(zip(known, free, strict=True)))
