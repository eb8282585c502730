"""The files of the demo: runs, labels, query lists, board.toml, judgments, texts, the truth and a README."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from runoff.errors import UsageError
from runoff.files.board_text import render_board
from runoff.files.judging.table import render_judgment_csv
from runoff.files.streams import usable_cores
from runoff.simulation.year import SimulatedYear
from runoff.simulation.year.judging import CARELESS, assessor_name, judge_year
from runoff.simulation.year.texts import YearTexts, document_lines, run_bytes
from runoff.tables.board import Board, BoardRun

MEASURE: Final = "RR@10"
TITLE: Final = "A simulated year"


@dataclass(frozen=True, kw_only=True)
class DemoFiles:
    """Where everything is."""

    folder: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))

    @property
    def board(self) -> Path:
        """The description of the board."""
        return self.folder / "board.toml"

    @property
    def report(self) -> Path:
        """The report."""
        return self.folder / "report.html"

    @property
    def judgments(self) -> Path:
        """The preference judgments."""
        return self.folder / "judgments.csv"

    @property
    def truth(self) -> Path:
        """What is true."""
        return self.folder / "truth.json"

    def labels(self, name: str) -> Path:
        """A label set: sparse or deep."""
        return self.folder / f"qrels-{name}.txt"

    def queries(self, name: str) -> Path:
        """A query set: public or private."""
        return self.folder / f"{name}.txt"

    def texts(self, name: str) -> Path:
        """Texts of the queries or documents."""
        return self.folder / f"{name}.tsv"

    def run(self, name: str) -> Path:
        """The file of a run."""
        return self.folder / "runs" / f"{name}.run.gz"


def write_demo(year: SimulatedYear, folder: Path) -> DemoFiles:
    """Write all files of a simulated year; an earlier demo in the folder is replaced, and nothing else."""
    files = DemoFiles(folder=folder)
    check_ours(files.board, files.truth, files.judgments, files.folder / "README.md")
    try:
        files.run("").parent.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(1) as pool:  # true means take as long as all files
            truth = pool.submit(truth_of, year)
            _write_runs(year, files)
        _write_labels(year, files)
        query_ids = np.array(year.questions.query_ids)
        for name, chosen in (("public", year.is_public), ("private", ~year.is_public)):
            _write(files.queries(name), (f"{query_id}\n" for query_id in query_ids[chosen].tolist()))
        texts = YearTexts(year)
        _write(files.texts("queries"), texts.query_lines())
        _write(files.texts("documents"), document_lines(year, texts))
        _write(files.judgments, render_judgment_csv(judge_year(year)))
        _write(files.truth, [json.dumps(truth.result(), indent=1), "\n"])
        _write(files.board, [render_board(_board(year, files), folder=folder)])
        _write(files.folder / "README.md", [render_readme(year, folder)])
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written to ({error.strerror}); name another folder") from None
    return files


def check_ours(*files: Path) -> None:
    """Refuse to replace somebody's files: either none of these is there, or all are, from an earlier demo."""
    present = [file for file in files if file.exists()]
    if present and len(present) < len(files):
        raise UsageError(
            f"{present[0]}: is there already, and not from an earlier demo; expected a folder without such a file; "
            "name another folder"
        )


def truth_of(year: SimulatedYear) -> dict[str, object]:
    """The content of truth.json: true means, who is what, and the best document of every query."""
    questions = year.questions
    best = questions.documents[np.arange(len(questions)), questions.best].tolist()
    roles = {str(plan.role): plan.name for plan in year.cast if plan.role and plan.role != "overfitted"}
    roles |= {"overfitted_team": year.plan("overfitted").team, "careless_assessor": assessor_name(CARELESS)}
    return {
        "seed": year.config.seed,
        "roles": roles,
        "runs": {
            plan.name: {
                "true_rr_10": year.truth[plan.name].rr,
                "standard_error": year.truth[plan.name].error,
                "best_document_first": year.truth[plan.name].best_first,
                "role": plan.role,
            }
            for plan in year.cast
        },
        "label_is_best": year.label_is_best,
        "best_documents": {
            query_id: f"D{document}" for query_id, document in zip(questions.query_ids, best, strict=True)
        },
    }


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _write_runs(year: SimulatedYear, files: DemoFiles) -> None:
    """All run files, compressed on all cores; without a time in them, so that a seed gives the same bytes."""

    def write(name: str) -> None:
        text = run_bytes(year.questions.numbers, year.documents(name), year.run_scores(name), name)
        files.run(name).write_bytes(gzip.compress(text, compresslevel=1, mtime=0))

    with ThreadPoolExecutor(usable_cores()) as pool:
        list(pool.map(write, year.ranked))


def _write_labels(year: SimulatedYear, files: DemoFiles) -> None:
    questions = year.questions
    query_ids = questions.query_ids
    labels = questions.documents[np.arange(len(questions)), questions.label].tolist()
    sparse = (f"{query_id} 0 D{document} 1\n" for query_id, document in zip(query_ids, labels, strict=True))
    _write(files.labels("sparse"), sparse)
    grades = questions.grades(year.deep)
    _write(
        files.labels("deep"),
        (
            f"{query_ids[row]} 0 D{questions.documents[row, candidate]} {grades[place, candidate]}\n"
            for place, (row, pool) in enumerate(zip(year.deep.tolist(), year.deep_pools(), strict=True))
            for candidate in pool.tolist()
        ),
    )


def _board(year: SimulatedYear, files: DemoFiles) -> Board:
    return Board(
        title=TITLE,
        measure=MEASURE,
        depth=year.config.depth,
        queries={name: files.queries(name) for name in ("public", "private")},
        labels={name: files.labels(name) for name in ("sparse", "deep")},
        runs=tuple(
            BoardRun(
                name=plan.name,
                path=files.run(plan.name),
                team=plan.team,
                date=plan.date,
                baseline=plan.baseline,
                variant_of=plan.variant_of,
            )
            for plan in year.cast
        ),
    )


def render_readme(year: SimulatedYear, folder: Path) -> str:
    """The text of the README."""
    champion, trade_off = year.plan("champion").name, year.plan("trade_off").name
    config, again = year.config, f"runoff demo {folder} --seed {year.config.seed}"
    return f"""# A simulated year of a leaderboard

Nothing here is real. `{again}` wrote it, and writes the same again.

| file | |
|---|---|
| `report.html` | the report: open it in a browser |
| `board.toml` | the board: query sets, labels, and {len(year.cast)} runs with teams and dates |
| `runs/` | the runs, {config.depth} documents per query |
| `public.txt`, `private.txt` | the {config.public:,} public and {config.private:,} private queries |
| `qrels-sparse.txt` | one label for every query, often not the best document |
| `qrels-deep.txt` | graded labels for {config.deep:,} private queries |
| `judgments.csv` | preference judgments for {config.judged:,} private queries, with test pairs |
| `queries.tsv`, `documents.tsv` | texts of queries, labelled and top documents (10 per private, 3 per public query) |
| `truth.json` | the truth behind the simulation: spoilers |

Look for yourself before you read `truth.json`:

```sh
cd {folder}
runoff board board.toml
runoff board board.toml --query-set private
runoff audit board.toml -m nDCG@10
runoff compare runs/{champion}.run.gz runs/{trade_off}.run.gz --qrels qrels-sparse.txt --queries public.txt --depth 20
runoff evaluate runs/*.run.gz --qrels qrels-deep.txt -m nDCG@10
runoff tally judgments.csv --runs 'runs/*.run.gz' --qrels qrels-sparse.txt
runoff report board.toml -m nDCG@10 --full -o report-again.html
```
"""
