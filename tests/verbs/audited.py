"""A small board to audit, in files: a team that tuned on the public queries, a clean one, two label sets, a copy."""

import numpy as np

from runoff.tables.scores import Scores

PUBLIC = [f"a{place}" for place in range(120)]
PRIVATE = [f"b{place}" for place in range(100)]
DEVELOPMENT = PUBLIC[:30]
"""For boards without public queries."""
JUDGED = {"sparse": [*PUBLIC, *PRIVATE], "deep": PRIVATE[:60]}
"""The queries of each label set: no public query has deep labels."""

RUNS = {
    "base": ("", None, "baseline = true"),
    "tuned 1": ("Tuners", "2021-01-01", ""),
    "tuned 2": ("Tuners", "2021-01-10", 'variant_of = "tuned 1"'),
    "tuned 3": ("Tuners", "2021-01-20", 'variant_of = "tuned 1"'),
    "fair 1": ("Fair", "2021-01-05", ""),
    "fair 2": ("Fair", "2021-03-05", ""),
    "copy": ("Third", "2021-03-06", ""),
}
"""Team, date and more of each run, in the order of the board."""
FIELD = {
    "ash 1": ("Ash", "2021-01-06", ""),
    "ash 2": ("Ash", "2021-03-07", ""),
    "oak 1": ("Oak", "2021-01-07", ""),
    "oak 2": ("Oak", "2021-03-08", ""),
}
"""Two more clean teams: with them there are enough to judge a team by the others."""
WITH_FIELD = (*RUNS, *FIELD)


def ranks_of(run):
    """The rank of the relevant document of each query; 11 is too late for RR@10."""
    seeds = {"base": 1, "fair 1": 2, "fair 2": 3, "copy": 3, "ash 1": 5, "ash 2": 6, "oak 1": 7, "oak 2": 8}
    rng = np.random.default_rng(seeds.get(run, 4))
    ranks = dict(zip([*PUBLIC, *PRIVATE], rng.integers(2, 12, size=220).tolist(), strict=True))
    if run in {"fair 2", "copy", "ash 2", "oak 2"}:  # better on all queries alike
        ranks = {query: 1 + rank // 2 for query, rank in ranks.items()}
    known = {"tuned 2": 30, "tuned 3": 90}.get(run, 0)
    return ranks | dict.fromkeys(PUBLIC[:known], 1)


def lines_of(run):
    """The run file: other documents of the run's own before and behind the relevant one."""
    for query, rank in ranks_of(run).items():
        own = "fair 2" if run == "copy" else run
        docs = [f"{own.replace(' ', '')}-{place}" for place in range(1, 12)]
        docs[rank - 1] = f"d-{query}"
        if run == "copy" and query == "a0":
            docs[9] = "another"
        yield from (f"{query} Q0 {doc} {place} {-place} t\n" for place, doc in enumerate(docs, start=1))


def write_audited(
    folder, *, queries=("public", "private"), labels=("sparse", "deep"), runs=tuple(RUNS), measure="RR@10"
):
    """Write the board, or a part of it, and give the path of its board.toml."""
    (folder / "public.txt").write_text("".join(f"{query}\n" for query in PUBLIC))
    (folder / "private.txt").write_text("".join(f"{query}\n" for query in PRIVATE))
    (folder / "development.txt").write_text("".join(f"{query}\n" for query in DEVELOPMENT))
    for name, judged in JUDGED.items():
        (folder / f"{name}.txt").write_text("".join(f"{query} 0 d-{query} 1\n" for query in judged))
    text = f'title = "Small board"\nmeasure = "{measure}"\n'
    text += "".join(f'[queries.{name}]\npath = "{name}.txt"\n' for name in queries)
    text += "".join(f'[labels.{name}]\npath = "{name}.txt"\n' for name in labels)
    for run in runs:
        (folder / f"{run}.run").write_text("".join(lines_of(run)))
        team, date, more = (RUNS | FIELD)[run]
        text += f'[[runs]]\npath = "{run}.run"\nname = "{run}"\nteam = "{team}"\n'
        text += f"date = {date}\n" if date else ""
        text += f"{more}\n"
    (folder / "board.toml").write_text(text)
    return folder / "board.toml"


def rr_scores(queries, runs=tuple(RUNS)):
    """RR@10 by hand."""
    table = [ranks_of(run) for run in runs]
    values = np.array([[1 / ranks[query] if ranks[query] <= 10 else 0.0 for ranks in table] for query in queries])
    return Scores(measure="RR@10", query_ids=tuple(queries), runs=tuple(runs), values=values)
