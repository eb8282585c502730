"""Every pair of a board: the dots of Figure 8, in files and as a triangle."""

import csv
import io

from runoff.results.ipso_pairs import KEY, SIGNS
from tests.verbs.ipso_boards import content_of, ipso_board, qrels_of, random_board

BOARD, QRELS = random_board(6, 60, seed=1), qrels_of(60)
RESULT = ipso_board(BOARD, QRELS, depths=[2, 6], measures=["P", "RR"], tests=["t", "sign"])
VIEW = RESULT.per_pair()


def test_a_row_for_every_pair_measure_test_and_depth():
    rows = list(csv.DictReader(io.StringIO(VIEW.to_csv())))
    assert len(rows) == 15 * 8
    in_json = {
        (pair["depth"], test["measure"], test["test"], frozenset((pair["first"], pair["second"]))): (pair, test)
        for pair in content_of(RESULT)["pairs"]
        for test in pair["tests"]
    }
    for row in rows:
        key = int(row["depth"]), row["measure"], row["test"], frozenset((row["first"], row["second"]))
        pair, test = in_json.pop(key)
        assert (float(row["p"]), float(row["ipso_p"])) == (test["p"], pair["sign_p"])
        assert row["agreement"] == test["agreement"]
        assert abs(float(row["difference"])) == abs(test["difference"])
    assert not in_json
    assert VIEW.to_dict() == RESULT.to_dict()


def test_the_first_of_a_pair_has_the_better_mean_and_rank():
    for line in RESULT.lines:
        ranks = [dot.ranks for dot in line.dots()]
        assert ranks == [(one, other) for one in range(1, 7) for other in range(one + 1, 7)]
        assert all(dot.difference <= 0 for dot in line.dots())


def test_people_see_the_first_measure_and_test():
    assert [len(grid.rows) for grid in VIEW.grids()] == [15, 15]
    assert VIEW.grids()[1].title == "IPSO to depth 6 beside P@6, t test, pair by pair"
    assert VIEW.grids()[0].rows[0][0] == f"1 {RESULT.runs[0]}"


def test_the_triangle_shows_every_pair():
    opening = VIEW.opening(80)
    assert opening[-1] == KEY
    line = next(line for line in RESULT.lines if (line.depth, line.label, line.test) == (6, "P@k", "t"))
    title, *lines = opening[1].split("\n")
    assert title == "IPSO to depth 6 beside P@6, t test; runs by their mean, the best first"
    assert [row.split()[1:3] for row in lines] == [RESULT.runs[place].split() for place in line.order]
    signs = "".join("".join(row.split()[3:]) for row in lines)
    assert {name: signs.count(sign) for name, sign in SIGNS.items()} == line.result.counts
    found = {dot.ranks: SIGNS[dot.agreement] for dot in line.dots()}
    assert signs == "".join(found[first, second] for second in range(2, 7) for first in range(1, second))


def test_no_picture_where_there_is_no_room():
    assert VIEW.opening(12) == ()
    assert VIEW.opening(0) == ()


def test_the_key_names_every_kind():
    assert KEY.split("   ") == [
        f"{sign} {'IPSO only' if name == 'ipso_only' else name.replace('_', ' ')}" for name, sign in SIGNS.items()
    ]


def test_a_table_for_people_has_an_end():
    many = ipso_board(random_board(22, 8), qrels_of(8), depths=[6], measures=["P"], tests=["t"]).per_pair()
    assert len(many.grids()[0].rows) == 200
    assert "31 more pairs, all measures and tests: --format csv or json." in many.grids()[0].notes[1]
    assert len(many.grid().rows) == 231
