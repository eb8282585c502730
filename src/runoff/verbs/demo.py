"""The demo: a simulated year of a leaderboard, written to files and analysed; what was planted and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runoff.arguments import checks_arguments
from runoff.display import Column, Grid, Shown
from runoff.display.charts import start_drawing
from runoff.display.grid import Value
from runoff.display.rows import row_dict
from runoff.phrases import counted
from runoff.reading.sources import Progress
from runoff.results.board import rank_range
from runoff.simulation.year import SimulatedYear, YearConfig, simulate_year
from runoff.verbs._demo_analysis import DemoAnalysis, analyse_demo
from runoff.verbs._demo_files import MEASURE, DemoFiles, write_demo
from runoff.verbs._demo_findings import Planted, findings_of, flagged_besides, private_ranks, true_ranks

SHOWN_RUNS = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class DemoResult(Shown):
    """What was planted in the year and what was found.

    planted   everything that was planted, found or not
    besides   what was flagged although nobody planted it
    """

    files: DemoFiles
    year: SimulatedYear
    analysis: DemoAnalysis
    planted: tuple[Planted, ...]
    besides: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self.files.folder

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff demo --format json`."""
        config, labels = self.year.config, self.analysis.labels
        ranks, private = true_ranks(self.year), private_ranks(self.analysis)
        return {
            "folder": str(self.folder),
            "seed": config.seed,
            "public_queries": config.public,
            "private_queries": config.private,
            "planted": [
                {
                    **row_dict(one, "key", "who", "story", "found", "evidence"),
                    "numbers": dict(one.numbers),
                }
                for one in self.planted
            ],
            "besides": list(self.besides),
            "labels": {"label_best": labels.label_best, "winner_best": labels.winner_best},
            "runs": [
                {
                    **row_dict(row, "run", "team", "mean"),
                    "rank": rank,
                    "rank_interval": list(row.rank_interval),
                    "rank_set": list(row.rank_set),
                    "rank_private": private[row.run],
                    "true_mean": self.year.truth[row.run].rr,
                    "true_rank": ranks[row.run],
                }
                for rank, row in enumerate(self.analysis.board.rows, start=1)
            ],
        }

    def opening(self, width: int) -> tuple[str, ...]:
        """The page in plain words: what was simulated, then each planted thing and what was found of it."""
        config, labels = self.year.config, self.analysis.labels
        hits = sum(one.found for one in self.planted)
        teams = len({plan.team for plan in self.year.cast if not plan.baseline})
        paragraphs = [
            (
                f"A simulated year of a leaderboard (seed {config.seed}): {counted(len(self.year.cast), 'run')} of "
                f"{counted(teams, 'team')} and the organisers, on {config.public:,} public and {config.private:,} "
                f"private queries. {len(self.planted)} things were planted in it; runoff found {hits} of them."
            )
        ]
        for number, one in enumerate(self.planted, start=1):
            said = "Found" if one.found else "Not found"
            break_line = "\n" if width else " "  # a page has no lines to break
            paragraphs.append(f"{number}. Planted: {one.story}{break_line}{said}: {one.evidence}")
        paragraphs.append(
            f"New labels: the label is truly the best document of its pool for "
            f"{labels.label_best:.1%} of {config.judged:,} judged queries, the winner of the tournament for "
            f"{labels.winner_best:.1%}, although a third of all judgments are wrong."
        )
        if self.besides:
            paragraphs.append(
                "Also flagged, although nobody planted it: " + " ".join(self.besides) + " False alarms are rare, not "
                "impossible: an alarm is a reason to ask the team, not proof."
            )
        else:
            paragraphs.append("Nothing else was flagged.")
        return tuple(paragraphs)

    def grid(self) -> Grid:
        """A row per planted thing."""
        return Grid(
            title="Planted and found",
            columns=[
                Column("planted", "Planted"),
                Column("who", "Who"),
                Column("found", "Found"),
                Column("shown", "Shown by"),
            ],
            rows=[
                [one.key.replace("_", " "), one.who, "yes" if one.found else "no", one.shown] for one in self.planted
            ],
        )

    def grids(self) -> tuple[Grid, ...]:
        """The planted things, and the top of the board beside the truth."""
        return self.grid(), self._board_grid()

    def _board_grid(self) -> Grid:
        truth, ranks, private = self.year.truth, true_ranks(self.year), private_ranks(self.analysis)
        roles = {plan.name: plan.role or "" for plan in self.year.cast}
        rows: list[list[Value]] = []
        for rank, row in enumerate(self.analysis.board.rows, start=1):
            if rank <= SHOWN_RUNS or roles[row.run] not in {"", "overfitted"}:
                role = roles[row.run].replace("_", " ") or None
                true = truth[row.run].rr, ranks[row.run]
                rows.append([row.run, rank, row.mean, rank_range(row.rank_set), private[row.run], *true, role])
        return Grid(
            title="The board and the truth",
            columns=[
                Column("run", "Run"),
                Column("rank", "Rank", "count"),
                Column("mean", MEASURE, "number"),
                Column("rank_set", "Possible ranks"),
                Column("rank_private", "On private", "count"),
                Column("true_mean", f"True {MEASURE}", "number", help="The mean over infinitely many queries."),
                Column("true_rank", "True rank", "count"),
                Column("role", "Planted as"),
            ],
            rows=rows,
            notes=[
                f"The first {SHOWN_RUNS} on the public queries, and those with a planted role; sparse labels.",
                f"Open {self.files.report} in a browser. The README.md next to it lists what else to try.",
            ],
        )


@checks_arguments
def demo(
    folder: str | Path,
    *,
    config: YearConfig | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> DemoResult:
    """Simulate a year of a leaderboard, write its files into a folder, analyse them, and write the report there too.

    config  sizes and seed; else the usual sizes with `seed`
    """
    start_drawing()
    year = simulate_year(config or YearConfig(seed=seed))
    files = write_demo(year, Path(folder))
    analysis = analyse_demo(year, files, progress=progress)
    files.report.write_text(analysis.report.to_page(), encoding="utf-8")
    return DemoResult(
        files=files,
        year=year,
        analysis=analysis,
        planted=findings_of(year, analysis),
        besides=flagged_besides(year, analysis),
    )
