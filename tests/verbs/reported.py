"""A simulated board to report on: teams, dates, a baseline, public and private queries, two label sets."""

from datetime import date, timedelta

from runoff.simulation import SparseBoardConfig, simulate_sparse_board


def write_reported(folder, *, runs=6, queries=90, measure="RR@10", names=None, seed=1):
    """Write a simulated board and give the path of its board.toml; `names` replace those of the first runs."""
    made = simulate_sparse_board(SparseBoardConfig(queries=queries, runs=max(runs, 4), depth=12, seed=seed))
    middle = 2 * queries // 3
    for name, ids in (("public", made.query_ids[:middle]), ("private", made.query_ids[middle:])):
        (folder / f"{name}.txt").write_text("".join(f"{query}\n" for query in ids))
    lines = list(made.qrels_lines())
    judged = set(made.query_ids[middle // 2 : middle // 2 + middle])
    (folder / "sparse.txt").write_text("".join(lines))
    (folder / "deep.txt").write_text("".join(line for line in lines if line.split()[0] in judged))
    parts = [f'title = "Simulated passages"\nmeasure = "{measure}"\n']
    parts += [f'[queries.{name}]\npath = "{name}.txt"\n' for name in ("public", "private")]
    parts += [f'[labels.{name}]\npath = "{name}.txt"\n' for name in ("sparse", "deep")]
    for place, system in enumerate(made.names[:runs]):
        file = f"{system}.run"
        (folder / file).write_text("".join(made.run_lines(system)))
        called = (names or {}).get(place, system)
        day = date(2021, 1, 4) + timedelta(days=9 * ((place * 7) % max(runs, 1)))
        parts.append(f"[[runs]]\npath = {quoted(file)}\nname = {quoted(called)}\n")
        parts.append("baseline = true\n" if place == 0 else f"team = {quoted(f'Team {place % 5}')}\ndate = {day}\n")
    (folder / "board.toml").write_text("".join(parts), encoding="utf-8")
    return folder / "board.toml"


def quoted(text):
    """A TOML string of any text."""
    escaped = "".join(char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08x}" for char in text)
    return f'"{escaped}"'
