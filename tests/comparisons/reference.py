"""Slow and obvious versions, and random SERPs."""

from fractions import Fraction

from hypothesis import strategies as st

from runoff.measures._example import serps_of

CODES = {"ns": -1, "==": 0, "ni": 1, "**": 2}


def plain_scan(first, second, gain=lambda grade: grade):
    """Algorithm 1 of the paper for two lists of grades: the relation at every depth."""
    total, below, above, relations = Fraction(0), False, False, []
    for one, other in zip(first, second, strict=True):
        total += Fraction(gain(one)) - Fraction(gain(other))
        below |= total < 0
        above |= total > 0
        relations.append("**" if below and above else "ni" if above else "ns" if below else "==")
    return relations


@st.composite
def pairs(draw, highest=1, max_queries=8, max_depth=12):
    """Two lists of SERPs, each a list of grades; unjudged is -1."""
    depth = draw(st.integers(1, max_depth))
    serp = st.lists(st.integers(-1, highest), min_size=depth, max_size=depth)
    queries = draw(st.integers(1, max_queries))
    run = st.lists(serp, min_size=queries, max_size=queries)
    return draw(run), draw(run)


def ranked(lists, *, highest=1, run="example"):
    """SERPs over labels that are the same for every run: many documents of each grade."""
    return serps_of(*lists, judged=[[50] * (highest + 1)] * len(lists), run=run)
