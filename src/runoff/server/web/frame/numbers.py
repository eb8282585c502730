"""Numbers as a board shows them, with the digits that its organisers set, in text and in what can be saved; amounts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A mean and its interval as places on a line from 0 to 100."""

    low: str
    high: str
    at: str


def interval_on(low: float, high: float, at: float, *, scale: tuple[float, float]) -> Interval:
    """An interval on a line that shows a scale from end to end.

    >>> interval_on(0.25, 0.75, 0.5, scale=(0.0, 1.0))
    Interval(low='27.00', high='73.00', at='50.00')
    """
    start, end = scale
    width = (end - start) or 1.0

    def place(value: float) -> str:
        return f"{4 + 92 * (value - start) / width:.2f}"  # the ends leave room for a dot

    return Interval(low=place(low), high=place(high), at=place(at))


def money(amount: float, currency: str = "") -> str:
    """An amount with two digits, and its currency where organisers have named one.

    >>> money(2), money(1234.5, "EUR")
    ('2.00', '1,234.50 EUR')
    """
    return f"{amount:,.2f} {currency}".rstrip()


def number(value: float, digits: int) -> str:
    """A number with this many digits, and with the sign for minus that people read.

    >>> number(0.41249, 3), number(-1.0, 1)
    ('0.412', '−1.0')
    """
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")
