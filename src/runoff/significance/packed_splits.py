"""Counts of codes in the first halves of many splits at once.

Counts are whole numbers of a few bits, so several splits share the 53 bits of one float64 and are counted in one pass:
4 splits of 7,000 queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

EXACT_BITS: Final = 53  # whole numbers below 2^53 are exact in float64


@dataclass(frozen=True, eq=False)
class PackedSplits:
    """Splits of some queries.

    packed  float64, packs x queries: the 0 and 1 of `fields` splits, each in `bits` bits of its own
    """

    splits: int
    packed: NDArray[np.float64]
    bits: int
    fields: int

    @classmethod
    def of(cls, in_first: NDArray[np.bool_]) -> PackedSplits:
        """From bool, splits x queries: whether a query is in the first half."""
        bits = max(int(in_first.sum(axis=1).max()).bit_length(), 1)
        fields = EXACT_BITS // bits
        packs = -(-len(in_first) // fields)
        filled = np.zeros((packs * fields, in_first.shape[1]))
        filled[: len(in_first)] = in_first
        places = np.ldexp(1.0, bits * np.arange(fields))
        packed = (filled.reshape(packs, fields, -1) * places[:, None]).sum(axis=1)
        return cls(len(in_first), packed, bits, fields)

    def counts(self, codes: NDArray[np.intp], width: int) -> NDArray[np.int64]:
        """How many queries of the first half have each code below `width`: splits x codes.

        >>> in_first = np.array([[True, True, False], [False, True, True]])
        >>> PackedSplits.of(in_first).counts(np.array([1, 1, 0]), 2).tolist()
        [[0, 2], [1, 1]]
        """
        held = np.stack([np.bincount(codes, pack, minlength=width) for pack in self.packed]).astype(np.int64)
        mask = (1 << self.bits) - 1
        split = np.stack([(held >> self.bits * field) & mask for field in range(self.fields)], axis=1)
        return split.reshape(-1, width)[: self.splits]

    def parts(self, cells: int) -> Iterator[tuple[slice, PackedSplits]]:
        """The splits in parts of about `cells`, and which they are."""
        packs = max(1, cells // self.fields)
        for low in range(0, len(self.packed), packs):
            some = slice(low * self.fields, min((low + packs) * self.fields, self.splits))
            kept = self.packed[low : low + packs]
            yield some, PackedSplits(some.stop - some.start, kept, self.bits, self.fields)
