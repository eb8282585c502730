"""The cast of a simulated board: systems whose true quality is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runoff.simulation.rank_law import RankLaw

BASELINE: Final = 0
CHAMPION: Final = 1
TWIN: Final = 2
TRADE_OFF: Final = 3
"""The first four places of every board: the weakest system, the best by design, one exactly as good, and one that
answers more queries than the champion but ranks the answers later."""

_NAMES: Final = (
    "alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "ivy", "juniper", "kapok", "larch",
    "maple", "nutmeg", "oak", "pine", "quince", "rowan", "spruce", "teak", "umbra", "viburnum", "willow", "yew",
)  # fmt: skip


@dataclass(frozen=True)
class System:
    """A named system and the law its ranks follow."""

    name: str
    law: RankLaw


def make_system(place: int, depth: int) -> System:
    """The system at one place of the cast; it does not depend on how many others there are.

    >>> make_system(1, 100).law == make_system(2, 100).law
    True
    """
    lap, letter = divmod(place, len(_NAMES))
    name = _NAMES[letter] if lap == 0 else f"{_NAMES[letter]}-{lap + 1}"
    if place == TRADE_OFF:
        return System(name, RankLaw(answered=0.96, steepness=1.15, depth=depth))
    quality = {BASELINE: 0.0, CHAMPION: 1.0, TWIN: 1.0}.get(place)
    return System(name, law_of_quality(_spread(place - TRADE_OFF) if quality is None else quality, depth))


def law_of_quality(quality: float, depth: int) -> RankLaw:
    """The law of a system between a weak lexical one (0) and a strong reranker (1): it finds more, and earlier."""
    return RankLaw(answered=0.70 + 0.18 * quality, steepness=0.80 + 0.55 * quality, depth=depth)


def _spread(number: int) -> float:
    """Item `number` (from 1) of 1/2, 1/4, 3/4, 1/8, ...: even over 0..1 however many are taken (van der Corput)."""
    value, part = 0.0, 0.5
    while number:
        number, bit = divmod(number, 2)
        value += bit * part
        part /= 2
    return value
