"""Random numbers and exact sums for the tests that resample.

Word k of the PCG64 stream of (seed, purpose) always serves the same trial and query, and all sums are of whole numbers
below 2^53. So a result is the same, bit for bit, in blocks of any size, on any number of threads, on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK_CELLS = 1 << 17  # random numbers held at once: 1 MB, which stays in the cache (1.7 times as fast as 8 MB)
RANDOMIZATION, BOOTSTRAP, TUKEY_HSD = range(3)  # purposes: no two share their random numbers


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


def on_grid(values: NDArray[np.float64], terms: int) -> tuple[NDArray[np.float64], int]:
    """Values as whole numbers of a unit 2^-exponent so fine that sums of `terms` of them stay below 2^52.

    Returns the whole numbers, and the exponent. Each is off by half a unit at most, so two sums of equal value can
    differ by `terms` units: comparisons allow for that, and float noise never hides a tie.
    """
    size = float(np.abs(values).max())
    exponent = 52 - terms.bit_length() - math.frexp(size)[1]
    return np.rint(np.ldexp(values, exponent)), exponent
