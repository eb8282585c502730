"""Random numbers for the tests that resample.

Word k of the PCG64 stream of (seed, purpose) always serves the same trial and query, and all sums are exact
(`_exact_sums`). So a result is the same, bit for bit, in blocks of any size, on any number of threads, on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK_CELLS = 1 << 17  # random numbers held at once: 1 MB, which stays in the cache (1.7 times as fast as 8 MB)
RANDOMIZATION, BOOTSTRAP, TUKEY_HSD = range(
    3
)  # purposes; 3 and 4 are those of boards, 5 that of simulations: no two share numbers


def stream(seed: int, purpose: int, *, first_word: int = 0) -> np.random.PCG64:
    """The random words of a purpose, from `first_word` on."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose,)))
    bits.advance(first_word)
    return bits


def blocks(trials: int, width: int, block_cells: int = BLOCK_CELLS) -> Iterator[tuple[int, int]]:
    """Cut the trials in blocks of about `block_cells` numbers: (first trial, number of trials)."""
    size = max(1, block_cells // max(width, 1))
    for first in range(0, trials, size):
        yield first, min(size, trials - first)


def flips(seed: int, first: int, count: int, width: int) -> NDArray[np.uint8]:
    """Fair bits (count, width) for the trials from `first` on: which differences change their sign."""
    words = -(-width // 64)
    raw = stream(seed, RANDOMIZATION, first_word=first * words).random_raw(count * words)
    octets = raw.astype("<u8").view(np.uint8).reshape(count, words * 8)
    return np.unpackbits(octets, axis=1, count=width, bitorder="little")


def draws(seed: int, first: int, count: int, width: int) -> NDArray[np.intp]:
    """Draws with replacement (count, width) from range(width), for the trials from `first` on."""
    generator = np.random.Generator(stream(seed, BOOTSTRAP, first_word=first * width))
    # One word per draw; a uniform number times the width is below the width, also after rounding.
    return (generator.random((count, width)) * width).astype(np.intp)
