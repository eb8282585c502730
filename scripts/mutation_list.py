"""Mutations of everything that computes, draws or prints: the layers from errors up to reports, and the command line.

Those of the server are in `scripts/mutation_list_server.py`; `scripts/mutations.py` runs both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Mutation:
    """A fault put into the source on purpose.

    name   in short words: the place, then what is wrong
    file   below src/runoff
    old    text that stands exactly once in the file, and new: what takes its place
    first  tests that should notice it, below tests, separated by blanks: the mirrored file, then its neighbours
    """

    name: str
    file: str
    old: str
    new: str
    first: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The tests to run first, from the root of the project."""
        return tuple(f"tests/{place}" for place in self.first.split())


NUMBERS: Final = (
    Mutation(
        "errors: problems that are not shown are not counted",
        "errors.py",
        "hidden = self.total - len(lines)",
        "hidden = len(self.problems) - len(lines)",
        "test_errors.py",
    ),
    Mutation(
        "tables: a tie at the depth is looked for one rank too late",
        "tables/ranked_lists.py",
        "scores[beyond[longer]] == scores[beyond[longer] - 1]",
        "scores[beyond[longer]] == scores[beyond[longer]]",
        "tables/test_ranked_lists.py tables/test_run.py",
    ),
    Mutation(
        "tables: judgments in different tasks are taken for repeats",
        "tables/preferences.py",
        '"choice", "row_assessor", "row_task")',
        '"choice", "row_assessor")',
        "tables/test_preferences.py",
    ),
    Mutation(
        "files: gzip without a file name is not recognised",
        "files/streams.py",
        r'magic.startswith(b"\x1f\x8b")',
        r'magic.startswith(b"\x1f\x8b\x08\x08")',
        "files/test_streams.py files/test_runs.py",
    ),
    Mutation(
        "files: the limit for decompressed bytes holds for each chunk alone",
        "files/streams.py",
        "if total > max_bytes:",
        "if count > max_bytes:",
        "files/test_streams.py server/web/api/test_runs.py",
    ),
    Mutation(
        "files: a document that is listed twice is let through",
        "files/text/runs.py",
        "    note_repeated(problems, lists.repeated, lists.repeated_total, lines_before)\n",
        "",
        "files/text/test_runs.py",
    ),
    Mutation(
        "rows: a grade far below zero is let through (reference)",
        "rows/reference_lines.py",
        "if abs(grade) <= HIGHEST_GRADE else nan",
        "if grade <= HIGHEST_GRADE else nan",
        "rows/test_reference_lines.py",
    ),
    Mutation(
        "measures: the ideal list of nDCG is cut one rank too late",
        "measures/ndcg.py",
        "counts_for_k = ranks <= self.cutoff",
        "counts_for_k = ranks <= self.cutoff + 1",
        "measures/test_ndcg.py",
    ),
    Mutation(
        "significance: the direction of the difference is reversed",
        "significance/_base.py",
        "differences=second - first",
        "differences=first - second",
        "significance/test_paired_t.py significance/test_sign.py significance/test_common.py",
    ),
    Mutation(
        "significance: Holm forgets the p-values that are not given",
        "significance/corrections.py",
        "ordered * (size - np.arange(len(ordered)))",
        "ordered * (len(ordered) - np.arange(len(ordered)))",
        "significance/test_corrections.py",
    ),
    Mutation(
        "comparisons: champion only and challenger only are swapped",
        "comparisons/outcomes.py",
        "only = self.champion_found - both, self.challenger_found - both",
        "only = self.challenger_found - both, self.champion_found - both",
        "comparisons/test_outcomes.py",
    ),
    Mutation(
        "comparisons: the sign test of IPSO counts non-separable queries",
        "comparisons/ipso.py",
        "binomial_p(counts[:, 0], counts[:, 2])",
        "binomial_p(counts[:, 0], counts[:, 3])",
        "comparisons/test_ipso.py",
    ),
    Mutation(
        "comparisons: unanswerable queries count in the shares",
        "comparisons/outcomes.py",
        "mask: NDArray[np.bool_] = self.findable > 0",
        "mask: NDArray[np.bool_] = self.findable >= 0",
        "comparisons/test_outcomes.py",
    ),
    Mutation(
        "comparisons: all pairs compare ranks at the other run's depth",
        "comparisons/outcomes_all_pairs.py",
        "shared = np.minimum(champion.found, challenger.found)",
        "shared = np.minimum(champion.found, champion.found)",
        "comparisons/test_outcomes_all_pairs.py",
    ),
    Mutation(
        "boards: reversed pairs are left out of the largest statistic",
        "boards/rank_sets.py",
        "reversed_ = -studentised.min(axis=1, keepdims=True)",
        "reversed_ = -studentised.max(axis=1, keepdims=True)",
        "boards/test_rank_sets.py",
    ),
    Mutation(
        "verdicts: a doubt without the correction is ignored",
        "verdicts/facet.py",
        "if 1 in directions and -1 not in raw:",
        "if 1 in directions and -1 not in directions:",
        "verdicts/test_outcome_rules.py",
    ),
    Mutation(
        "verdicts: facets are corrected over challengers alone",
        "verdicts/judgment.py",
        "together = [every[place : place + width] for place in range(0, len(every), max(width, 1))]",
        "together = list(zip(*(corrected(column, policy) for column in zip(*rows, strict=True)), strict=True))",
        "verdicts/test_judgment.py",
    ),
    Mutation(
        "significance: ties are those of float64",
        "significance/signed_rank.py",
        "sums = rank_sums(paired.whole)",
        "sums = rank_sums((paired.differences * 1e17).astype(np.int64))",
        "significance/test_signed_rank.py",
    ),
    Mutation(
        "boards: all groups have the same number",
        "boards/rank_sets.py",
        "number, left = number + 1, left[is_below]",
        "number, left = number, left[is_below]",
        "boards/test_rank_sets.py",
    ),
    Mutation(
        "boards: the set of ranks leaves out a quarter at either end",
        "boards/stability.py",
        "TAIL = 0.025",
        "TAIL = 0.25",
        "boards/test_stability.py boards/test_rank_coverage.py",
    ),
    Mutation(
        "boards: halves that are both silent do not agree",
        "boards/reliability.py",
        "same & (both | ~some), ~same & some",
        "same & both, ~same & some",
        "boards/test_reliability.py",
    ),
    Mutation(
        "boards: a team is measured by all teams, itself among them",
        "boards/overfitting.py",
        "np.delete(values, place, axis=1).sum(axis=1)",
        "values.sum(axis=1)",
        "boards/test_overfitting.py",
    ),
    Mutation(
        "boards: a run that equals the record is a record",
        "boards/history.py",
        "any(sign * (mean - other) <= EQUAL * max(abs(other), 1.0) for other in to_beat)",
        "any(sign * (mean - other) < -EQUAL * max(abs(other), 1.0) for other in to_beat)",
        "boards/test_history.py",
    ),
    Mutation(
        "preferences: wins are not counted again among those who are left",
        "preferences/tournament.py",
        "is_open = alive[first] & alive[second] & open_queries[item_place[first]]",
        "is_open = open_queries[item_place[first]]",
        "preferences/test_tournament.py",
    ),
    Mutation(
        "preferences: wins and losses of two runs are swapped",
        "preferences/win_ratios.py",
        "wins = counts[-1] + counts[1].T",
        "wins = counts[1] + counts[-1].T",
        "preferences/test_win_ratios.py",
    ),
    Mutation(
        "preferences: the right answer of a test pair is always on the left",
        "preferences/tasks.py",
        "flipped = rng.random(len(cards)) < 0.5",
        "flipped = rng.random(len(cards)) < 0.0",
        "preferences/test_tasks.py",
    ),
    Mutation(
        "preferences: judgments of a failed task count",
        "preferences/quality.py",
        "keep = ~is_test & ~is_out[group]",
        "keep = ~is_test",
        "preferences/test_quality.py",
    ),
    Mutation(
        "verdicts: a trade-off is called better",
        "verdicts/facet.py",
        'if more == -sooner:\n        return "trade-off" if more else "inconclusive"',
        'if more == -sooner:\n        return "better" if more else "inconclusive"',
        "verdicts/test_outcome_rules.py",
    ),
    Mutation(
        "verdicts: a test that speaks for the other side is significant",
        "verdicts/facet.py",
        "p < policy.alpha and facet.agrees and facet.direction != 0",
        "p < policy.alpha and facet.direction != 0",
        "verdicts/test_facet.py verdicts/test_judgment.py",
    ),
    Mutation(
        "simulation: careful assessors fail test pairs by looking left",
        "simulation/panel.py",
        "(rng.random(len(query)) < panel.side_bias) & (blind | (gap > 0))",
        "(rng.random(len(query)) < panel.side_bias)",
        "simulation/test_panel.py",
    ),
    Mutation(
        "reports: an underscore goes to LaTeX as it is",
        "display/latex_text.py",
        r'"_": r"\_",',
        '"_": "_",',
        "display/test_latex_text.py",
    ),
    Mutation(
        "reports: HTML is not escaped",
        "display/html_text.py",
        "    return escape(visible(text), quote=True)",
        "    return visible(text)",
        "display/test_html_text.py",
    ),
    Mutation(
        "reports: a small p-value is rounded down to zero",
        "display/rounding.py",
        "math.ceil(p * steps - 1e-9), 1)",
        "round(p * steps), 0)",
        "display/test_rounding.py",
    ),
    Mutation(
        "reports: an undefined number stands in a grid as NaN",
        "display/grid.py",
        "return None if math.isnan(value) else float(value)",
        "return float(value)",
        "display/test_grid.py display/test_json_text.py",
    ),
    Mutation(
        "charts: the expected rank is drawn in place of the rank",
        "display/charts/ranks.py",
        "finite(result.ranks[place])",
        "finite(result.expected_ranks[place])",
        "display/charts/test_rank_intervals.py display/charts/test_charts.py",
    ),
    Mutation(
        "report page: a table is sorted the other way round (JavaScript)",
        "reports/page/page.js",
        "(down ? order(b[0], a[0]) : order(a[0], b[0]))",
        "(down ? order(a[0], b[0]) : order(b[0], a[0]))",
        "reports/page/test_browser.py",
    ),
    Mutation(
        "results: champion and challenger favoured are swapped in JSON",
        "results/comparison_tables.py",
        "equal champion_favoured=ni challenger_favoured=ns nonseparable",
        "equal champion_favoured=ns challenger_favoured=ni nonseparable",
        "results/test_comparison_tables.py results/test_comparison.py",
    ),
    Mutation(
        "reading: the tie rule that was asked for is ignored",
        "reading/sources.py",
        "ListRequest(labels=labels, depth=depth, top=top, tie_rule=tie_rule, duplicates=duplicates)",
        "ListRequest(labels=labels, depth=depth, top=top, duplicates=duplicates)",
        "cli/test_evaluate.py reading/test_runs.py",
    ),
    Mutation(
        "cluster: a kept result is used although the labels have changed",
        "reading/units.py",
        "(edition(), rows, self.tie_rule, self.duplicates, self.depth, labels)",
        "(edition(), rows, self.tie_rule, self.duplicates, self.depth)",
        "reading/test_units.py reading/test_cluster.py",
    ),
    Mutation(
        "cluster: results come in another order than what was asked",
        "reading/units.py",
        "[(block, one) for one in asked for block in blocks]",
        "[(block, one) for block in blocks for one in asked]",
        "reading/test_units.py reading/test_cluster.py",
    ),
    Mutation(
        "cli: one better challenger is enough for the exit code",
        "cli/compare.py",
        "if exit_code and not all(",
        "if exit_code and not any(",
        "cli/test_compare.py",
    ),
    Mutation(
        "cli: an explained error ends with status 0",
        "cli/main.py",
        "    except RunoffError as error:\n        click.echo(str(error), err=True)\n        sys.exit(BAD_INPUT)",
        "    except RunoffError as error:\n        click.echo(str(error), err=True)\n        sys.exit(0)",
        "cli/test_main.py cli/test_evaluate.py",
    ),
    Mutation(
        "cli: the file of --queries is ignored",
        "cli/evaluate.py",
        "queries=reading.query_list(query_file),",
        "queries=None,",
        "cli/test_evaluate.py",
    ),
    Mutation(
        "documented command: the old and the new labels are swapped",
        "cli/maintain.py",
        'runs, old or "", new or "", measures=measure',
        'runs, new or "", old or "", measures=measure',
        "cli/test_demo.py cli/test_maintain.py",
    ),
    Mutation(
        "documented command: the order by verdict is ignored",
        "cli/board.py",
        "                **options,",
        '                **{**options, "order": "mean"},',
        "cli/test_demo.py cli/test_board.py",
    ),
)
