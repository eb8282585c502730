"""Attacks on hidden labels: what can be read from the few rounded numbers that a board shows of each run.

Written apart from the server, and in favour of the attacker: a test checks once that the server shows these numbers.
`python -m studies.label_attacks` prints the table of the documentation.

The attacker has two documents for each query, one of which is relevant, and puts the first one at a rank of its choice:
a label is one bit, and guessing is right half of the time.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError

Read = Literal["means", "runs", "pairs"]
Design = Literal["random", "binary"]
Floats = NDArray[np.float64]
BINARY: Final = (1.0, 0.5, 0.25, 0.125)
"""Scores of ranks 1, 2, 4 and 8, which every RR@10 has."""
READ_WORDS: Final = {"means": "means", "runs": "all but pairs", "pairs": "all"}
RANKS: Final = (1, 2, 4)
RANK_CHANCES: Final = (0.6, 0.2, 0.2)
NORMAL: Final = 1.96
ROUNDS: Final = 25
SMALLEST: Final = 1e-9
"""Of variances and chances."""


@dataclass(frozen=True, kw_only=True)
class AttackConfig:
    """A board and an attacker.

    hidden    the share of the queries that is left out of what is shown
    ladder    whether only runs are shown that beat the best one shown by more than the standard error
    read      what the attacker uses: means; also intervals and shares of its runs; also what pairs of them both find
    design    how guesses are placed: half of the queries at random ranks; or a few new queries per run, each at half
              the score of the one before, so that their sum is a number in binary; None tries both, and takes the best
    mixed     with `ladder`: the share of the queries of earlier runs that get another rank; None tries several
    """

    queries: int = 100
    digits: int = 3
    hidden: float = 0.0
    submissions: int = 10
    ladder: bool = False
    read: Read = "pairs"
    design: Design | None = None
    mixed: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("queries", self.queries, 2, 100_000),
            ("digits", self.digits, 1, 6),
            ("hidden", self.hidden, 0.0, 0.9),
            ("submissions", self.submissions, 1, 10_000),
            ("seed", self.seed, 0, 2**64),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; expected {low} to {high}")


@dataclass(frozen=True, kw_only=True)
class AttackResult:
    """What an attack achieved.

    decoded   the share of the labels of shown queries that is known: right ones, less as many as guessing gets right
    gain      what the public mean rises by, above guessing, if the last run is made of what was decoded
    apart     the share of hidden and shown queries that is told apart, beyond calling all of them shown
    expected  the attacker's own estimate of `decoded`, by which it chooses between attacks
    released  runs of which scores were shown
    """

    decoded: float
    expected: float
    gain: float
    apart: float
    released: int


def shown_numbers(weights: Floats, right: NDArray[np.bool_], digits: int) -> dict[str, float]:
    """What a board shows of a run.

    weights  the score of each shown query if the guess is right, 0 where there is none
    """
    values = weights * right
    mean, error = float(values.mean()), float(values.std()) / math.sqrt(len(values))
    return {
        "mean": round(mean, digits),
        "low": round(mean - NORMAL * error, digits),
        "high": round(mean + NORMAL * error, digits),
        "found": round(float((values > 0).mean()), digits),
    }


def shown_both(first: Floats, second: Floats, right: NDArray[np.bool_], digits: int) -> float:
    """The share of the shown queries that two runs both find."""
    return round(float(((first > 0) & (second > 0) & right).mean()), digits)


def simulate_attack(config: AttackConfig) -> AttackResult:
    """Send runs, decode labels from what is shown of them, and then, with known labels, find the hidden queries."""
    if config.ladder and config.mixed is None:
        return _best([replace(config, mixed=mixed) for mixed in (0.0, 0.2, 0.6)])
    if not config.ladder and config.design is None:
        return _best([replace(config, design=design) for design in ("random", "binary")])
    draw = np.random.default_rng((config.seed, config.queries, config.submissions))
    queries = config.queries
    is_shown = np.ones(queries, dtype=np.bool_)
    is_shown[draw.permutation(queries)[: round(config.hidden * queries)]] = False
    right = draw.random(queries) < 0.5
    chances, released = _decode(config, right, is_shown, draw)
    # Shown queries with a right guess were decoded; the other document is taken where that is less likely than before.
    share = float(is_shown.mean())
    hits = float(((chances > share / 2) == right)[is_shown].mean())
    apart = 0.0
    if config.hidden:
        # The worst case: the attacker knows all labels by other means, and reads which queries count.
        found, _ = _decode(config, np.ones(queries, dtype=np.bool_), is_shown, draw)
        told = float(((found > 0.5) == is_shown).mean())
        apart = max(0.0, (told - share) / (1.0 - share))
    expected = float(np.abs(2 * chances / share - 1).clip(max=1.0).mean())
    return AttackResult(decoded=2 * hits - 1, expected=expected, gain=hits - 0.5, apart=apart, released=released)


def _best(tried: Sequence[AttackConfig]) -> AttackResult:
    return max(map(simulate_attack, tried), key=lambda result: result.expected)


def simulate_climb(config: AttackConfig) -> AttackResult:
    """Boosting: send random guesses, and let those that did better than chance vote.

    Blum & Hardt 2015, section 3, https://doi.org/10.48550/arXiv.1502.04585
    """
    draw = np.random.default_rng((config.seed, config.queries, config.submissions))
    queries = config.queries
    is_shown = np.ones(queries, dtype=np.bool_)
    is_shown[draw.permutation(queries)[: round(config.hidden * queries)]] = False
    votes, best, best_error, released = np.zeros(queries), np.zeros(0, dtype=np.bool_), 0.0, 0
    for _ in range(config.submissions):
        # Of each query, whether the document at rank 1 is the relevant one.
        guess = draw.random(queries) < 0.5
        score = guess[is_shown].mean()
        if config.ladder and len(best):
            lead = guess[is_shown].astype(float) - best[is_shown]
            best_error = float(lead.std()) / math.sqrt(len(lead))
        if config.ladder and len(best) and score - best[is_shown].mean() <= best_error:
            continue
        best, released = guess, released + 1
        if round(float(score), config.digits) != 0.5:
            votes += np.where(guess, 1.0, -1.0) * np.sign(round(float(score), config.digits) - 0.5)
    final = votes + draw.normal(0, 1e-6, queries) > 0
    hits = float(final[is_shown].mean())
    return AttackResult(decoded=2 * hits - 1, expected=0.0, gain=hits - 0.5, apart=0.0, released=released)


def _decode(
    config: AttackConfig, right: NDArray[np.bool_], is_shown: NDArray[np.bool_], draw: np.random.Generator
) -> tuple[Floats, int]:
    """The chance of each query that it is shown and its guess is right, and how many runs were released."""
    runs = _runs(config, right, is_shown, draw)
    shown, prior = int(is_shown.sum()), float(is_shown.mean()) * (1.0 if right.all() else 0.5)
    unit = 10.0**-config.digits * shown
    rows: list[Floats] = []
    sums: list[float] = []
    errors: list[float] = []
    widths: list[float] = []

    def add(row: Floats, value: float, error: float, width: float = 0.0) -> None:
        rows.append(row)
        sums.append(value)
        errors.append(max(error, SMALLEST))
        widths.append(width)

    def add_rounded(row: Floats, share: float) -> None:
        add(row, share * shown, unit**2 / 12, unit / 2)

    for weights in runs:
        numbers = shown_numbers(weights[is_shown], right[is_shown], config.digits)
        add_rounded(weights, numbers["mean"])
        if config.read == "means":
            continue
        add_rounded((weights > 0).astype(float), numbers["found"])
        spread = (numbers["high"] - numbers["low"]) / 2 * math.sqrt(shown) / NORMAL
        # Half the difference of two rounded numbers.
        wrong = 10.0**-config.digits * math.sqrt(shown / 24) / NORMAL
        second = (spread**2 + numbers["mean"] ** 2) * shown
        add(weights**2, second, (2 * max(spread, wrong) * wrong * shown) ** 2 + unit**2 / 3)
    if config.read == "pairs":
        for place, first in enumerate(runs):
            for other in runs[:place]:
                both = shown_both(first[is_shown], other[is_shown], right[is_shown], config.digits)
                add_rounded(((first > 0) & (other > 0)).astype(float), both)
    if right.all():
        # How many queries are shown is no secret.
        add(np.ones(len(right)), float(shown), 1e-4)
    sums_of_rows = Sums(np.array(rows), np.array(sums), np.array(errors), np.array(widths))
    return chances_of(sums_of_rows, prior=prior), len(runs)


def _runs(
    config: AttackConfig, right: NDArray[np.bool_], is_shown: NDArray[np.bool_], draw: np.random.Generator
) -> list[Floats]:
    """The runs that were shown, as the score that each query would get for a right guess."""
    queries, total = config.queries, config.submissions

    def ranked(size: int) -> Floats:
        return 1.0 / draw.choice(RANKS, size=size, p=RANK_CHANCES)

    if config.design == "binary":
        order = draw.permutation(queries)
        runs = [np.zeros(queries) for _ in range(total)]
        for place, run in enumerate(runs):
            # After the last query it begins again.
            run[np.take(order, range(4 * place, 4 * place + 4), mode="wrap")] = BINARY
        return runs
    if not config.ladder:
        # Half of the queries have no guess, which tells most.
        return [np.where(draw.random(queries) < 0.5, ranked(queries), 0.0) for _ in range(total)]
    order = draw.permutation(queries)
    best, runs = np.zeros(queries), []
    for place in range(total):
        # More queries have a guess each time, so that the mean rises; some of the others change their rank.
        new = best.copy()
        old = order[: queries * place // total]
        changed = old[draw.random(len(old)) < (config.mixed or 0.0)]
        new[changed] = np.where(draw.random(len(changed)) < 0.5, ranked(len(changed)), 0.0)
        added = order[queries * place // total : queries * (place + 1) // total]
        new[added] = ranked(len(added))
        values, before = (new * right)[is_shown], (best * right)[is_shown]
        lead = values - before
        if not runs or lead.mean() > lead.std() / math.sqrt(len(lead)):
            best = new
            runs.append(new)
    return runs


@dataclass(frozen=True, eq=False)
class Sums:
    """Weighed sums of unknowns.

    rows    a weight per sum and unknown
    values  the sums, as far as they are known
    errors  the variances of their errors, if these are about normal
    widths  how far a sum is off at most, because it was rounded; 0 if the error is normal
    """

    rows: Floats
    values: Floats
    errors: Floats
    widths: Floats


def chances_of(sums: Sums, *, prior: float) -> Floats:
    """The chance that each unknown is 1 and not 0, by expectation propagation.

    prior  the chance before anything is known

    Minka 2001, Expectation propagation for approximate Bayesian inference, https://doi.org/10.48550/arXiv.1301.2294

    >>> rows = np.array([[1, 0.5, 0.25], [1, 1, 0]])
    >>> known = Sums(rows, np.array([1.25, 1.0]), np.full(2, 1e-4), np.zeros(2))
    >>> chances_of(known, prior=0.5).round(3).tolist()
    [1.0, 0.0, 1.0]
    """
    rows, unknowns = sums.rows, sums.rows.shape[1]
    values, weights = sums.values, 1 / sums.errors
    variance = prior * (1 - prior)
    # Where the unit is larger than what a sum varies by, an error is not normal: most sums are rounded to one number.
    coarse = np.flatnonzero(2 * sums.widths > np.sqrt((rows**2).sum(axis=1) * variance))
    values, weights = values.copy(), weights.copy()
    weights[coarse] = SMALLEST
    site_precision, site_shift = np.full(unknowns, 1 / variance), np.full(unknowns, prior / variance)
    logit, chances = math.log(prior / (1 - prior)), np.full(unknowns, prior)
    fixed = np.ones(len(rows), dtype=np.bool_)
    fixed[coarse] = False
    information = rows[fixed].T @ (rows[fixed] * weights[fixed, None])
    for number in range(ROUNDS):
        of_coarse = rows[coarse].T @ (rows[coarse] * weights[coarse, None])
        covariance = np.linalg.inv(information + of_coarse + np.diag(site_precision))
        means = covariance @ (rows.T @ (weights * values) + site_shift)
        variances = np.maximum(covariance.diagonal(), SMALLEST**2)
        cavity = np.maximum(1 / variances - site_precision, SMALLEST)
        centre = (means / variances - site_shift) / cavity
        before = chances
        chances = 1 / (1 + np.exp(-np.clip(logit + (2 * centre - 1) * cavity / 2, -35, 35)))
        tilted = np.maximum(chances * (1 - chances), 1e-8)
        is_wide = 1 / tilted - cavity < 0.1
        new_precision = np.clip(1 / tilted - cavity, 0.1, 1e8)
        new_shift = np.where(is_wide, 0.1 * chances, chances / tilted - cavity * centre)
        site_precision = (site_precision + new_precision) / 2
        site_shift = (site_shift + new_shift) / 2
        if len(coarse):
            of_rows = rows[coarse]
            spread = np.maximum(np.einsum("ij,ij->i", of_rows @ covariance, of_rows), SMALLEST)
            new_weights, new_values = _within(
                sums.values[coarse], sums.widths[coarse], of_rows @ means, spread, weights[coarse], values[coarse]
            )
            moved = (weights[coarse] * values[coarse] + new_weights * new_values) / 2
            weights[coarse] = (weights[coarse] + new_weights) / 2
            values[coarse] = moved / weights[coarse]
        # Coarse sums say nothing in the first rounds.
        if number > 5 and np.abs(chances - before).max() < 1e-4:
            break
    return chances


def _within(
    rounded: Floats, widths: Floats, means: Floats, spread: Floats, weights: Floats, values: Floats
) -> tuple[Floats, Floats]:
    """What the limits of rounding say of sums, as normal observations: weights and values.

    means, spread    of the sums, with what the last weights and values said of them
    """
    from scipy.special import ndtr

    precision = np.maximum(1 / spread - weights, 0.01 / spread)
    centre, deviation = (means / spread - weights * values) / precision, 1 / np.sqrt(precision)
    low = np.clip((rounded - widths - centre) / deviation, -8, 8)
    high = np.maximum(np.clip((rounded + widths - centre) / deviation, -8, 8), low + 1e-3)
    mass = np.maximum(ndtr(high) - ndtr(low), 1e-12)
    at_low, at_high = (np.exp(-(ends**2) / 2) / math.sqrt(2 * math.pi) for ends in (low, high))
    shift = (at_low - at_high) / mass
    kept = np.clip(1 + (low * at_low - high * at_high) / mass - shift**2, 1e-3, 1 - 1e-9)
    new_weights = np.maximum(precision * (1 / kept - 1), SMALLEST)
    return new_weights, (precision / kept * (centre + deviation * shift) - precision * centre) / new_weights


SUBMISSIONS: Final = (2, 10, 24, 100)
SETTINGS: Final = (
    *(AttackConfig(queries=100, digits=digits) for digits in (1, 2, 3, 4)),
    AttackConfig(queries=100, digits=3, read="runs"),
    AttackConfig(queries=100, digits=1, read="runs"),
    AttackConfig(queries=100, digits=3, hidden=0.3),
    AttackConfig(queries=100, digits=1, hidden=0.3),
    AttackConfig(queries=100, digits=3, ladder=True),
    AttackConfig(queries=100, digits=1, ladder=True),
    AttackConfig(queries=100, digits=3, ladder=True, hidden=0.3),
    *(AttackConfig(queries=1000, digits=digits) for digits in (1, 2, 3, 4)),
    AttackConfig(queries=1000, digits=3, read="runs"),
    AttackConfig(queries=1000, digits=3, hidden=0.3),
    AttackConfig(queries=1000, digits=3, ladder=True),
    AttackConfig(queries=1000, digits=1, ladder=True),
)
"""The rows of the table."""


def attack_table(settings: Sequence[AttackConfig], submissions: Sequence[int], *, trials: int) -> Iterator[str]:
    """The table of the documentation, in Markdown, line by line: labels decoded, and hidden queries told apart."""
    counts = " | ".join(f"{count} runs" for count in submissions)
    yield f"| queries | left out | runs shown | decoded from | digits | {counts} |"
    yield f"|---|---|---|---|---|{'---|' * len(submissions)}"
    for config in settings:
        cells = []
        for count in submissions:
            results = [simulate_attack(replace(config, submissions=count, seed=seed)) for seed in range(trials)]
            cell = f"{np.mean([result.decoded for result in results]):.0%}"
            if config.hidden:
                cell += f", {np.mean([result.apart for result in results]):.0%}"
            cells.append(cell)
        shown = "better ones" if config.ladder else "all"
        about = f"{config.queries:,} | {config.hidden:.0%} | {shown} | {READ_WORDS[config.read]} | {config.digits}"
        yield f"| {about} | {' | '.join(cells)} |"


def climb_table(submissions: Sequence[int], *, trials: int) -> Iterator[str]:
    """What boosting gains on the public queries, in Markdown; on hidden queries it gains nothing."""
    yield f"| queries | runs shown | digits | {' | '.join(f'{count} runs' for count in submissions)} |"
    yield f"|---|---|---|{'---|' * len(submissions)}"
    for queries in (100, 1000):
        for ladder, digits in ((False, 3), (False, 1), (True, 3)):
            config = AttackConfig(queries=queries, digits=digits, ladder=ladder)
            gains = [
                np.mean([simulate_climb(replace(config, submissions=count, seed=seed)).gain for seed in range(trials)])
                for count in submissions
            ]
            cells = " | ".join(f"{gain:+.3f}" for gain in gains)
            yield f"| {queries:,} | {'better ones' if ladder else 'all'} | {digits} | {cells} |"


def main() -> None:
    """Print both tables; it takes a quarter of an hour."""
    tables = [climb_table(SUBMISSIONS, trials=100)]
    for queries, trials in ((100, 10), (1000, 1)):
        rows = [config for config in SETTINGS if config.queries == queries]
        tables.append(attack_table(rows, SUBMISSIONS, trials=trials))
    for line in itertools.chain.from_iterable(tables):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
