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
from studies.label_decoding import SMALLEST, Floats, Sums, chances_of

Read = Literal["means", "shown", "pairs"]
Design = Literal["random", "binary", "growing"]
BINARY: Final = (1.0, 0.5, 0.25, 0.125)
"""Scores of ranks 1, 2, 4 and 8, which every RR@10 has."""
READ_WORDS: Final = {"means": "means", "shown": "what is shown", "pairs": "also shares of pairs"}
RANKS: Final = (1, 2, 4)
RANK_CHANCES: Final = (0.6, 0.2, 0.2)
NORMAL: Final = 1.96


@dataclass(frozen=True, kw_only=True)
class AttackConfig:
    """A board and an attacker.

    hidden    the share of the queries that is left out of what is shown
    ladder    whether only runs are shown that beat the best one shown by more than the standard error
    read      what the attacker uses: means; also intervals, which is all that is shown; also the shares of the relevant
              documents that each run finds, and each pair both, which are not shown because of what this study says
    design    how guesses are placed: half of the queries at random ranks; or a few new queries per run, each at half
              the score of the one before, so that their sum is a number in binary; or more queries each time beside
              those of the best run so far, which alone passes `ladder`
    mixed     of `growing`: the share of the queries of earlier runs that get another rank
    """

    queries: int = 100
    digits: int = 3
    hidden: float = 0.0
    submissions: int = 10
    ladder: bool = False
    read: Read = "shown"
    design: Design = "random"
    mixed: float = 0.0
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
    released  runs of which scores were shown
    """

    decoded: float
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
    }


def found_by_both(first: Floats, second: Floats, right: NDArray[np.bool_], digits: int) -> float:
    """The share of the shown queries that two runs both find, rounded; of a run with itself what it finds."""
    return round(float(((first > 0) & (second > 0) & right).mean()), digits)


def is_released(values: Floats, best: Floats) -> bool:
    """Whether the Ladder shows a run: it beats the best one by more than the standard error of the difference.

    So a run that gains on a single query is never shown.

    >>> best = np.array([1.0, 0, 0, 0])
    >>> [is_released(np.array(values), best) for values in ([1.0, 1, 0, 0], [1.0, 1, 1, 0])]
    [False, True]
    """
    lead = values - best
    return bool(lead.mean() > lead.std(ddof=1) / math.sqrt(len(lead)) + 1e-12)


def simulate_attack(config: AttackConfig) -> AttackResult:
    """Send runs, decode labels from what is shown of them, and then, with known labels, find the hidden queries."""
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
    return AttackResult(decoded=2 * hits - 1, gain=hits - 0.5, apart=apart, released=released)


def simulate_best(config: AttackConfig, *, trials: int) -> list[AttackResult]:
    """So many attacks of the design that decodes most on average: an attacker can simulate, too.

    Who sees more digits may use one, and does where that works better.
    """
    tried = [replace(config, design="growing", mixed=mixed) for mixed in (0.0, 0.2, 0.6)]
    if config.ladder:
        tried += [replace(attack, digits=1) for attack in tried if config.digits > 1]
    else:
        tried += [replace(config, design="random"), replace(config, design="binary")]
    results = [[simulate_attack(replace(attack, seed=seed)) for seed in range(trials)] for attack in tried]
    return max(results, key=lambda each: sum(result.decoded for result in each))


def simulate_climb(config: AttackConfig) -> AttackResult:
    """Boosting: send random guesses, and let those that did better than chance vote.

    Blum & Hardt 2015, section 3, https://doi.org/10.48550/arXiv.1502.04585
    """
    draw = np.random.default_rng((config.seed, config.queries, config.submissions))
    queries = config.queries
    is_shown = np.ones(queries, dtype=np.bool_)
    is_shown[draw.permutation(queries)[: round(config.hidden * queries)]] = False
    votes, best, released = np.zeros(queries), np.zeros(queries), 0
    for _ in range(config.submissions):
        # Of each query, whether the document at rank 1 is the relevant one.
        guess = draw.random(queries) < 0.5
        score = guess[is_shown].mean()
        if config.ladder and released and not is_released(guess[is_shown].astype(float), best[is_shown]):
            continue
        best, released = guess.astype(float), released + 1
        if round(float(score), config.digits) != 0.5:
            votes += np.where(guess, 1.0, -1.0) * np.sign(round(float(score), config.digits) - 0.5)
    final = votes + draw.normal(0, 1e-6, queries) > 0
    hits = float(final[is_shown].mean())
    return AttackResult(decoded=2 * hits - 1, gain=hits - 0.5, apart=0.0, released=released)


def _decode(
    config: AttackConfig, right: NDArray[np.bool_], is_shown: NDArray[np.bool_], draw: np.random.Generator
) -> tuple[Floats, int]:
    """The chance of each query that it is shown and its guess is right, and how many runs were released."""
    runs, attempts = _runs(config, right, is_shown, draw)
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
        spread = (numbers["high"] - numbers["low"]) / 2 * math.sqrt(shown) / NORMAL
        # Half the difference of two rounded numbers.
        wrong = 10.0**-config.digits * math.sqrt(shown / 24) / NORMAL
        second = (spread**2 + numbers["mean"] ** 2) * shown
        add(weights**2, second, (2 * max(spread, wrong) * wrong * shown) ** 2 + unit**2 / 3)
    if config.read == "pairs":
        for first, other in itertools.combinations_with_replacement(runs, 2):
            both = found_by_both(first[is_shown], other[is_shown], right[is_shown], config.digits)
            add_rounded(((first > 0) & (other > 0)).astype(float), both)
    for added, was_released in attempts:
        # Two right guesses at least, or one at most.
        low, high = (2.0, added.sum()) if was_released else (0.0, 1.0)
        add(added, (low + high) / 2, (high - low) ** 2 / 12, (high - low) / 2)
    if right.all():
        # How many queries are shown is no secret.
        add(np.ones(len(right)), float(shown), 1e-4)
    sums_of_rows = Sums(np.array(rows), np.array(sums), np.array(errors), np.array(widths))
    return chances_of(sums_of_rows, prior=prior), len(runs)


def _runs(
    config: AttackConfig, right: NDArray[np.bool_], is_shown: NDArray[np.bool_], draw: np.random.Generator
) -> tuple[list[Floats], list[tuple[Floats, bool]]]:
    """The runs that were shown, as the score that each query would get for a right guess.

    Then which guesses each run had more than the best one before, and whether it was released: where the Ladder's
    answer is about these guesses alone.
    """
    queries, total = config.queries, config.submissions

    def ranked(size: int) -> Floats:
        return 1.0 / draw.choice(RANKS, size=size, p=RANK_CHANCES)

    if config.design == "binary":
        order = draw.permutation(queries)
        runs = [np.zeros(queries) for _ in range(total)]
        for place, run in enumerate(runs):
            # After the last query it begins again.
            run[np.take(order, range(4 * place, 4 * place + 4), mode="wrap")] = BINARY
        return runs, []
    if config.design == "random":
        # Half of the queries have no guess, which tells most.
        return [np.where(draw.random(queries) < 0.5, ranked(queries), 0.0) for _ in range(total)], []
    best, runs, attempts = np.zeros(queries), [], []
    waiting, failed, size = draw.permutation(queries), np.zeros(0, dtype=np.int64), max(2, -(-queries // total))
    for _ in range(total):
        # More queries have a guess each time, so that the mean rises; some of the others change their rank.
        if len(waiting) < size:
            # Beside others they can do better.
            waiting, failed = draw.permutation(np.append(waiting, failed)), failed[:0]
        new, (added, waiting) = best.copy(), np.split(waiting, [size])
        old = np.flatnonzero(best)
        changed = old[draw.random(len(old)) < config.mixed]
        new[changed] = np.where(draw.random(len(changed)) < 0.5, ranked(len(changed)), 0.0)
        new[added] = ranked(len(added))
        is_better = is_released((new * right)[is_shown], (best * right)[is_shown])
        if config.ladder and runs and not config.mixed:
            row = np.zeros(queries)
            row[added] = 1.0
            attempts.append((row, is_better))
        if is_better or not (config.ladder and runs):
            runs.append(new)
        if is_better:
            best = new
        else:
            failed = np.append(failed, added)
    return runs, attempts


SUBMISSIONS: Final = (2, 10, 24, 100)
SETTINGS: Final = tuple(
    replace(config, queries=queries)
    for queries in (100, 1000)
    for config in (
        *(AttackConfig(digits=digits) for digits in (1, 2, 3, 4)),
        AttackConfig(digits=3, read="pairs"),
        *(AttackConfig(digits=digits, hidden=0.3) for digits in (1, 3)),
        *(AttackConfig(digits=digits, ladder=True) for digits in (1, 3)),
        *(AttackConfig(digits=digits, hidden=0.3, ladder=True) for digits in (1, 3)),
    )
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
            results = simulate_best(replace(config, submissions=count), trials=trials)
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
