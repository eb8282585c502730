from runoff.reports.charts import RankIntervals
from tests.reports.charts.examples import names, stability_of
from tests.reports.charts.values import table_with


def test_rows_hold_means_ranks_and_intervals():
    found = stability_of(names(7))
    rows = table_with(RankIntervals(found).spec(), "mean", "rank")
    assert [row["name"] for row in rows] == [found.runs[place] for place in found.order]
    for row in rows:
        place = found.runs.index(row["name"])
        assert (row["mean"], row["rank"]) == (found.means[place], found.expected_ranks[place])
        assert [row["low"], row["high"]] == found.mean_ci95[place].tolist()
        assert [row["top"], row["bottom"]] == found.rank_intervals[place].tolist()
        assert row["group"] == found.groups[place]


def test_each_group_is_named_once_and_bands_alternate():
    rows = table_with(RankIntervals(stability_of(names(30))).spec(), "mean", "rank")
    groups = [row["group"] for row in rows]
    assert len(set(groups)) > 1
    assert [row["mark"] for row in rows if row["mark"]] == [f"group {number}" for number in dict.fromkeys(groups)]
    assert [row["band"] for row in rows] == [group % 2 for group in groups]


def test_the_sentence_says_who_cannot_be_told_apart():
    found = stability_of(names(30))
    leader = found.order[0]
    group = [found.runs[place] for place in found.order[1:] if found.groups[place] == 1]
    said = RankIntervals(found).text_alternative()
    assert f"run-000 leads 30 runs with a mean RR@10 of {found.means[leader]:.4f}" in said
    assert ("Every other run is told apart from it" in said) == (not group)


def test_text_has_a_line_per_run_with_its_rank_interval():
    found = stability_of(["oak", "ash"])
    head, first, second = RankIntervals(found).text_lines(60)
    assert head.split() == ["Grp", "Run", "Mean", "95%", "interval", "of", "the", "mean", "Rank"]
    assert first.split()[:3] == ["1", "oak", f"{found.means[0]:.4f}"]
    assert second.endswith(" 2")
