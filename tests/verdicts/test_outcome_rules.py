"""The two rules: every combination of facets, against the words of the specification."""

from itertools import product

import pytest

from runoff.verdicts import do_no_harm, strict
from tests.verdicts.cases import facet

# (challenger answers, challenger's answers come) -> strict, do no harm. Written from section 3 of the specification:
# strict is better when it answers significantly more and has significantly lower ESL. Do no harm is better when it
# wins the only cases without higher ESL, or has lower ESL without losing the only cases. Worse is mirrored. Else
# trade-off: one facet significantly up, the other significantly down; or inconclusive.
TABLE = {
    ("more", "earlier"): ("better", "better"),
    ("more", "no different"): ("inconclusive", "better"),
    ("more", "later"): ("trade-off", "trade-off"),
    ("no different", "earlier"): ("inconclusive", "better"),
    ("no different", "no different"): ("inconclusive", "inconclusive"),
    ("no different", "later"): ("inconclusive", "worse"),
    ("fewer", "earlier"): ("trade-off", "trade-off"),
    ("fewer", "no different"): ("inconclusive", "worse"),
    ("fewer", "later"): ("worse", "worse"),
}
FACETS = {
    "more": [facet(1)],
    "earlier": [facet(1)],
    "fewer": [facet(-1)],
    "later": [facet(-1)],
    # However it leans, what is not significant counts as no different.
    "no different": [facet(direction, significant=False, p=0.2) for direction in (-1, 0, 1)],
}
MIRROR = {"better": "worse", "worse": "better", "trade-off": "trade-off", "inconclusive": "inconclusive"}


def test_the_table_is_whole():
    assert len(TABLE) == len({*product(("more", "no different", "fewer"), ("earlier", "no different", "later"))})


@pytest.mark.parametrize("case", TABLE, ids=", ".join)
def test_every_combination(case):
    for answered, earlier in product(*(FACETS[state] for state in case)):
        assert (strict(answered, earlier), do_no_harm(answered, earlier)) == TABLE[case]


@pytest.mark.parametrize("case", TABLE, ids=", ".join)
def test_mirrored_facets_give_mirrored_verdicts(case):
    opposite = {"more": "fewer", "fewer": "more", "earlier": "later", "later": "earlier"}
    mirrored = TABLE[opposite.get(case[0], case[0]), opposite.get(case[1], case[1])]
    assert mirrored == tuple(MIRROR[verdict] for verdict in TABLE[case])


def test_what_is_strictly_better_does_no_harm():
    for strictly, harmless in TABLE.values():
        if strictly != "inconclusive":
            assert harmless == strictly
