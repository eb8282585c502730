"""The README of a demo folder: what is in it, and what to try."""

from __future__ import annotations

from pathlib import Path

from runoff.simulation.year import SimulatedYear


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
