"""Write the table of powers of five that the compiled reader rounds decimals with."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SMALLEST: Final = -342
"""19 digits times 10 to a smaller power are 0."""
LARGEST: Final = 308
"""1 times 10 to a larger power is infinite."""
SMALLEST_INVERSE: Final = -27
BITS: Final = 128
TABLE: Final = Path(__file__).resolve().parent.parent / "src/runoff/rows/compiled/powers.h"


def first_bits(power: int) -> int:
    """The first 128 bits of 5 to a power: cut off, but for -27 to -1 the next higher number.

    5^27 fits into a word: there the inverse, rounded up, is near enough to find products that are exactly halfway.
    """
    five: int = 5 ** abs(power)
    if power >= 0:
        extra = BITS - five.bit_length()
        return five << extra if extra >= 0 else five >> -extra
    # 2^shift / five has 128 bits: between 2^127 and 2^128
    shift = five.bit_length() - 1 + BITS
    if (1 << shift) // five >= 1 << BITS:
        shift -= 1
    return (1 << shift) // five + (power >= SMALLEST_INVERSE)


def render_table() -> str:
    """The table as a C header."""
    rows = []
    for power in range(SMALLEST, LARGEST + 1):
        bits = first_bits(power)
        rows.append(f"    {{0x{bits >> 64:016X}u, 0x{bits & (1 << 64) - 1:016X}u}},\n")
    return (
        "/* Written by scripts/write_powers.py: the first 128 bits of powers of five. */\n\n"
        "#ifndef RUNOFF_POWERS_H\n#define RUNOFF_POWERS_H\n\n#include <stdint.h>\n\n"
        f"#define SMALLEST_POWER ({SMALLEST})\n#define LARGEST_POWER {LARGEST}\n\n"
        f"static const uint64_t POWERS_OF_FIVE[{LARGEST - SMALLEST + 1}][2] = {{\n{''.join(rows)}}};\n\n#endif\n"
    )


if __name__ == "__main__":
    TABLE.write_text(render_table(), encoding="ascii")
