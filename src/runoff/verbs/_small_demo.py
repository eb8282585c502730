"""The small demo: one query set, one label set and eight runs with a known truth, in files and scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value
from runoff.errors import UsageError
from runoff.results.evaluation import EvaluationResult
from runoff.simulation import SparseBoardConfig, simulate_sparse_board
from runoff.verbs._demo_files import check_ours
from runoff.verbs.evaluate import evaluate

MEASURE = "RR@10"


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallDemoResult(Shown):
    """What the small demo wrote and found; `truth` is each run's expected score."""

    folder: Path
    evaluation: EvaluationResult
    truth: dict[str, float]
    seed: int

    def to_dict(self) -> dict[str, object]:
        """The evaluation, and the truth that it tries to find."""
        return {"folder": str(self.folder), "seed": self.seed, "truth": self.truth, **self.evaluation.to_dict()}

    def grid(self) -> Grid:
        """A row per run: rank, score and truth."""
        rows: list[list[Value]] = []
        for rank, facts in enumerate(self.evaluation.facts, start=1):
            run = facts.run
            mean = self.evaluation.mean(run, MEASURE)
            rows.append([rank, run, mean, self.truth[run], self._true_rank(run), facts.unjudged_at_depth])
        queries = len(self.evaluation.query_ids)
        return Grid(
            title=f"A simulated leaderboard: {len(rows)} runs on {queries:,} queries",
            columns=[
                Column("rank", "Rank", "count"),
                Column("run", "Run"),
                Column("rr_10", MEASURE, "number", best="high", help="The mean that the leaderboard shows."),
                Column("true_rr_10", f"True {MEASURE}", "number", help="The mean over infinitely many queries."),
                Column("true_rank", "True rank", "count"),
                Column("unjudged_at_depth", "Unjudged@10", "share"),
            ],
            rows=rows,
            notes=[
                f"Runs and qrels are in {self.folder}; seed {self.seed}.",
                f"Score them yourself: runoff evaluate {self.folder}/*.run --qrels {self.folder}/qrels.txt",
            ],
        )

    def _true_rank(self, run: str) -> int:
        """One more than the number of better runs, so that equally good ones share a rank."""
        return 1 + sum(truth > self.truth[run] for truth in self.truth.values())


def run_small_demo(folder: str | Path, *, queries: int = 1000, runs: int = 8, seed: int = 0) -> SmallDemoResult:
    """Simulate a board with sparse labels, write its run and qrels files into a folder, and score them."""
    folder = Path(folder)
    board = simulate_sparse_board(SparseBoardConfig(queries=queries, runs=runs, seed=seed))
    qrels, paths = folder / "qrels.txt", [folder / f"{name}.run" for name in board.names]
    check_ours(qrels, *paths)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        qrels.write_text("".join(board.qrels_lines()), encoding="utf-8")
        for name, path in zip(board.names, paths, strict=True):
            path.write_text("".join(board.run_lines(name)), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written to ({error.strerror}); name another folder") from None
    evaluation = evaluate(paths, qrels, measures=[MEASURE])
    truth = {f"{name}.run": value for name, value in board.true_rr(10).items()}
    return SmallDemoResult(folder=folder, evaluation=evaluation, truth=truth, seed=seed)
