"""ESL: hand-computed and published values."""

import numpy as np

from runoff.measures import ESL
from runoff.measures._example import serps_of


def test_rank_of_the_first_relevant_document():
    np.testing.assert_array_equal(
        (ESL @ 3).values(serps_of([1], [0, 0, 1, 1], [0, 0, 0, 1], [])), [1, 3, np.nan, np.nan]
    )


def test_lin_et_al_example():
    """Lin et al. 2021, section 3: relevant at ranks (1, 9) and at (4, 6) both have mean ESL 5."""
    assert ESL().values(serps_of([1], [0] * 8 + [1])).mean() == 5
    assert ESL().values(serps_of([0] * 3 + [1], [0] * 5 + [1])).mean() == 5
