"""The table that decimals are rounded with is what its script writes."""

from fractions import Fraction

import pytest

from scripts.write_powers import BITS, LARGEST, SMALLEST, TABLE, first_bits, render_table


def test_the_table_is_that_of_the_script():
    assert TABLE.read_text(encoding="ascii") == render_table()


@pytest.mark.parametrize("power", [SMALLEST, -200, -28, -27, -1, 0, 1, 27, 55, 56, LARGEST])
def test_each_has_the_first_bits_of_a_power_of_five(power):
    bits = first_bits(power)
    assert bits.bit_length() == BITS
    exact = Fraction(5) ** power
    scale = Fraction(2) ** (exact.numerator.bit_length() - exact.denominator.bit_length() - BITS)
    wanted = exact / scale
    wanted = wanted if wanted >= 2 ** (BITS - 1) else wanted * 2
    wanted = wanted if wanted < 2**BITS else wanted / 2
    assert 0 <= (bits - wanted if -27 <= power < 0 else wanted - bits) <= 1
