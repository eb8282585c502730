"""Statements about boards, calibrated: families of tests, records, possible ranks, winners, intervals and alarms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards import history, overfitting, rank_sets, record_test, stability, winner
from runoff.choices import RECORD_RULES
from runoff.significance import CORRECTIONS, Family, correct, t_all_pairs, tukey_hsd
from runoff.significance.corrections import spoken_correction
from runoff.simulation.calibration._base import (
    ALIKE,
    TRUTHS,
    Promise,
    Quantity,
    Seen,
    Settings,
    drawn,
    drawn_seed,
    promises,
)
from runoff.simulation.calibration._source import SAME, DrawnBoard, Source, as_scores, draw_board, swapped
from runoff.tables.board import BoardRun
from runoff.verdicts import OverfittingAlarm, certify_records, overfitting_alarms

TUKEY_TRIALS: Final = 100


class Families(Quantity):
    """How often anything in a family is significant that should not be.

    Boards of runs that are all the same, by dealing out the scores of each query, and boards where the better half
    is. A champion meets all others by t tests; Tukey HSD looks at all pairs.
    """

    name = "families"
    title = "Any false alarm in a family"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per correction, and Tukey HSD on both kinds of boards."""
        level = settings.policy.alpha
        labels = {str(name): f"t, {spoken_correction(name)}, runs all the same" for name in CORRECTIONS}
        labels |= {"tukey": "Tukey HSD, runs all the same", "tukey_half": "Tukey HSD, the better half the same"}
        plain = {"none": "t, not corrected, runs all the same"}
        return [*promises("at most", level, plain, promised=False), *promises("at most", level, labels)]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether there is a false alarm on one board of each kind."""
        alpha, trials = settings.policy.alpha, min(settings.trials, TUKEY_TRIALS)
        runs = min(settings.runs, source.values.shape[1])
        board = draw_board(source, queries, rng, runs=runs)
        p = t_all_pairs(board.scores.values).p[0, 1:]
        seen = {"none": bool((p < alpha).any())}
        for name in CORRECTIONS:
            seen[name] = bool((correct(p, correction=name, family=Family("challengers", len(p))).p < alpha).any())
        tukey = tukey_hsd(board.scores.values, seed=drawn_seed(rng), trials=trials)
        seen["tukey"] = bool((tukey.p < alpha).any())
        half = draw_board(source, queries, rng, runs=runs, equal=max(runs // 2, 2))
        same = np.abs(half.truth[:, None] - half.truth[None, :]) <= SAME
        seen["tukey_half"] = bool(
            (tukey_hsd(half.scores.values, seed=drawn_seed(rng), trials=trials).p[same] < alpha).any()
        )
        return seen


LOOKS: Final = 3
HIGHER: Final = 1e-9


class FalseRecords(Quantity):
    """How often a record by a run that is the same as the champion has a small p.

    Two runs whose scores are exchanged at random: the higher one is the record. And a record that was picked as the
    best of three runs of one date, all the same as the champion.
    """

    name = "records"
    title = "Records by runs that are the same as the champion"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """The record test, the test that does not know of the selection, and several looks."""
        level = settings.policy.alpha
        return [
            *promises("at most", level, {"one": "record test"}),
            *promises("at most", level, {"plain": "one-sided test that ignores the selection"}, promised=False),
            *promises("at most", level, {"looks": f"record test, best of {LOOKS} runs of a date"}),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What is said of one record of each kind; a board without a record does not count."""
        alpha, trials = settings.policy.alpha, settings.trials
        values, _ = swapped(source.values[np.ix_(source.rows(queries, rng), source.pair(rng))], rng)
        seen: dict[str, bool | None] = {}
        lead = float((values[:, 1] - values[:, 0]).mean())
        if abs(lead) > HIGHER:
            low, high = values.T if lead > 0.0 else values.T[::-1]
            # Sampled: the same promise as the exact one, and the same time for any scores.
            result = record_test(low, high, method="sampled", trials=trials, seed=drawn_seed(rng))
            seen |= {"one": result.p < alpha, "plain": result.plain_p < alpha}
        if source.values.shape[1] > LOOKS:
            scores = draw_board(source, queries, rng, runs=LOOKS + 1).scores
            best = 1 + int(scores.means[1:].argmax())
            if scores.means[best] - scores.means[0] > HIGHER:
                champion, record = scores.values[:, 0], scores.values[:, best]
                result = record_test(
                    champion, record, looks=LOOKS, method="sampled", trials=trials, seed=drawn_seed(rng)
                )
                seen["looks"] = result.p < alpha
        return seen


FIRST_DAY: Final = date(2020, 1, 1)
SPOKEN_RULES: Final = {"holm": "Holm", "spending": "alpha spending", "fallback": "online fallback"}


class Certificates(Quantity):
    """How often a history holds a certified record that is no better than the run it displaced.

    Runs come in one a day. All are the same, or the better half of them is and the others are as in the data.
    """

    name = "certificates"
    title = "Any false certificate in a history"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """One per rule and kind of history."""
        labels = {
            f"{rule}_{key}": f"{SPOKEN_RULES[rule]}, {TRUTHS[key]}" for key in ("same", "half") for rule in RECORD_RULES
        }
        return promises("at most", settings.policy.alpha, labels)

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """Whether each rule certifies a false record of one history of each kind."""
        runs = min(settings.runs, source.values.shape[1])
        boards = {
            "same": draw_board(source, queries, rng, runs=runs),
            "half": draw_board(source, queries, rng, runs=runs, equal=max(runs // 2, 2)),
        }
        return {
            f"{rule}_{key}": false
            for key, board in boards.items()
            for rule, false in self._false(board, rng, settings).items()
        }

    def _false(self, board: DrawnBoard, rng: np.random.Generator, settings: Settings) -> dict[str, bool]:
        scores = board.scores
        dated = [BoardRun(name=name, date=FIRST_DAY + timedelta(days=place)) for place, name in enumerate(scores.runs)]
        records = history(dated, dict(zip(scores.runs, scores.means.tolist(), strict=True)))
        p, is_false = [], []
        for record in records.records[1:]:
            old, new = scores.runs.index(str(record.displaced)), scores.runs.index(record.name)
            tested = record_test(
                scores.values[:, old],
                scores.values[:, new],
                method="sampled",  # as exact as the other, and the same time for any scores
                trials=settings.trials * 5,  # the levels of late records are small
                seed=drawn_seed(rng),
            )
            p.append(tested.p)
            is_false.append(bool(board.truth[new] <= board.truth[old] + SAME))
        return {
            rule: any(
                certified and false
                for certified, false in zip(
                    certify_records(p, settings.policy, rule=rule).certified, is_false, strict=True
                )
            )
            for rule in RECORD_RULES
        }


class PossibleRanks(Quantity):
    """How often the possible ranks of every run hold its true rank, and those of the truly best and last runs do.

    A run that truly ties has all ranks of the tie. Scores of the data that are moved to the same mean are as skewed as
    they are, and so are their differences: signs that are flipped at random do not know that, so nothing is promised.
    """

    name = "rank_sets"
    title = "Possible ranks hold the true ones"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """All runs at once, the best and the last, per kind of truth."""
        level = 1.0 - settings.policy.alpha
        labels = {
            f"{part}_{key}": f"{who}, {words}"
            for key, words in TRUTHS.items()
            for part, who in (("all", "of all runs at once"), ("best", "of the best"), ("last", "of the last"))
        }
        recentred = {"all_recentred": "of all runs at once, scores of the data, moved to the same mean"}
        return [*promises("at least", level, labels), *promises("at least", level, recentred, promised=False)]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What one board of each kind says."""
        boards = drawn(source, queries, rng, settings)
        seen: dict[str, bool] = {}
        for key, board in boards.items():
            (seen[f"all_{key}"], seen[f"best_{key}"], seen[f"last_{key}"]) = self._held(board, rng, settings)
        data = boards["data"]
        moved = DrawnBoard(scores=as_scores(data.scores.values - data.truth), truth=np.zeros(len(data.truth)))
        seen["all_recentred"] = self._held(moved, rng, settings)[0]
        return seen

    def _held(self, board: DrawnBoard, rng: np.random.Generator, settings: Settings) -> tuple[bool, bool, bool]:
        """Whether the sets of all runs, of the best and of the last hold every rank that is truly theirs."""
        decisions = rank_sets(board.scores, alpha=settings.policy.alpha, trials=settings.trials, seed=drawn_seed(rng))
        truth, runs = board.truth, len(board.truth)
        first = 1 + (truth[None, :] > truth[:, None] + SAME).sum(axis=1)
        last = runs - (truth[None, :] < truth[:, None] - SAME).sum(axis=1)
        held = (decisions.rank_sets[:, 0] <= first) & (last <= decisions.rank_sets[:, 1])
        return bool(held.all()), bool(held[first == 1].all()), bool(held[last == runs].all())


class Winners(Quantity):
    """How often the interval holds the winner's true mean, and by how much its scores are too good.

    The bias is in units of the measure. It is promised to be small and not to be 0.
    """

    name = "winner"
    title = "The winner's score"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """Interval, optimism and what is left of it, per kind of truth."""
        del settings
        return [
            line
            for key, words in TRUTHS.items()
            for line in (
                *promises("at least", 0.95, {f"interval_{key}": f"95% interval, {words}"}),
                *promises("zero", 0.0, {f"plain_{key}": f"optimism of the mean, {words}"}, promised=False),
                *promises("zero", 0.0, {f"left_{key}": f"left after correction, {words}"}, promised=False),
            )
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """The winner of one board of each kind."""
        seen: dict[str, float | bool] = {}
        for key, board in drawn(source, queries, rng, settings).items():
            result = winner(board.scores, trials=settings.trials, seed=drawn_seed(rng))
            truth = float(board.truth[board.scores.runs.index(result.run)])
            seen[f"interval_{key}"] = result.ci95[0] <= truth <= result.ci95[1]
            seen[f"plain_{key}"] = result.score - truth
            seen[f"left_{key}"] = result.corrected - truth
        return seen


class RedrawnBoard(Quantity):
    """How often the interval of a mean, of a run drawn at random from the board, holds its true mean.

    Beside it, and not promised: how often the ranks of 95% of the bootstrap samples hold its true rank, of which a run
    that truly ties has several; they are not a confidence interval. P(first) is what the bootstrap gives the leader,
    and is compared with how often the leader truly is the best.
    """

    name = "board"
    title = "Intervals of a board"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """Means and ranks per kind of truth, and P(first) of the leader."""
        del settings
        means = {f"mean_{key}": f"95% interval of a mean, {words}" for key, words in TRUTHS.items()}
        ranks = {
            f"rank_{key}": f"ranks of 95% of the samples, {words}" for key, words in TRUTHS.items() if key not in ALIKE
        }
        first = {"p_first": "P(first) of the leader minus how often it is best, runs as in the data"}
        return [
            *promises("at least", 0.95, means),
            *promises("at least", 0.95, ranks, promised=False),
            *promises("zero", 0.0, first, promised=False),
        ]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """What one board of each kind says of one run."""
        seen: dict[str, float | bool] = {}
        for key, board in drawn(source, queries, rng, settings).items():
            redrawn = stability(board.scores, trials=settings.trials, seed=drawn_seed(rng))
            run = int(rng.integers(len(board.truth)))
            truth = board.truth[run]
            low, high = redrawn.mean_ci95[run]
            seen[f"mean_{key}"] = bool(low <= truth <= high)
            if key not in ALIKE:
                first, last = 1 + int((board.truth > truth + SAME).sum()), int((board.truth >= truth - SAME).sum())
                low, high = redrawn.rank_intervals[run]
                seen[f"rank_{key}"] = bool(low <= last and first <= high)
            if key == "data":
                leader = redrawn.order[0]
                seen["p_first"] = float(redrawn.p_first[leader]) - float(board.best[leader])
        return seen


TEAMS: Final = 8
KNOWN: Final = 0.3
UNANSWERABLE: Final = 0.5


class MonitorAlarms(Quantity):
    """How often some alarm fires on a board of teams whose gains carry over to private queries alike.

    The first and the last submission of a team are two runs of the data, the worse one first; public queries, and half
    as many private ones, are drawn from the same data. On harder private queries half of all scores are 0 for all. For
    the power the last submission of one team has the highest score on 30% of the public queries.
    """

    name = "monitor"
    title = "The overfitting alarm"

    def lines(self, settings: Settings) -> Sequence[Promise]:
        """False alarms on private queries as hard and harder, and the power."""
        level = settings.policy.alpha
        knowing = f"alarm for a team that knows {KNOWN:.0%} of the public queries"
        clean = {
            "clean": f"some alarm for {TEAMS} clean teams",
            "harder": "the same, half of the private queries unanswerable",
        }
        power = {"knowing": knowing, "knowing_harder": f"{knowing}, half of the private ones unanswerable"}
        return [*promises("at most", level, clean), *promises("none", None, power, promised=False)]

    def observe(self, source: Source, queries: int, rng: np.random.Generator, settings: Settings) -> Seen:
        """One board of clean teams, the same with harder private queries, and both with one that knows some."""
        pairs = np.stack([rng.permutation(source.values.shape[1])[:2] for _ in range(TEAMS)])
        means = source.values.mean(axis=0)[pairs]
        pairs = np.take_along_axis(pairs, np.argsort(means, axis=1, kind="stable"), axis=1)
        public, private = (
            source.values[np.ix_(source.rows(size, rng), pairs.ravel())] for size in (queries, max(queries // 2, 2))
        )
        harder = np.where(rng.random((len(private), 1)) < UNANSWERABLE, 0.0, private)
        knowing = public.copy()
        knowing[rng.random(queries) < KNOWN, 1] = source.values.max()
        alpha = settings.policy.alpha
        return {
            "clean": _some(_alarms(public, private, alpha)),
            "harder": _some(_alarms(public, harder, alpha)),
            "knowing": _some(_alarms(knowing, private, alpha)[:1]),
            "knowing_harder": _some(_alarms(knowing, harder, alpha)[:1]),
        }


def _alarms(public: NDArray[np.float64], private: NDArray[np.float64], alpha: float) -> tuple[OverfittingAlarm, ...]:
    runs = as_scores(public).runs
    teams = {str(place): runs[2 * place : 2 * place + 2] for place in range(TEAMS)}
    return overfitting_alarms(overfitting(as_scores(public), as_scores(private), teams), alpha=alpha)


def _some(alarms: Sequence[OverfittingAlarm]) -> bool | None:
    """Whether an alarm fired; None where no team can be judged."""
    judged = [alarm.fired for alarm in alarms if alarm.p_corrected is not None]
    return any(judged) if judged else None
