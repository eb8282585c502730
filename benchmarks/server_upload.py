"""The short form of the server's benchmark: pages of a board while one large run is sent and scored.

`python -m benchmarks.server_upload [--queries N] [--runs N] [--workers N] [--keep FOLDER]` prints when pages were slow,
second by second. With `--keep` the filled database is made once and copied for every round, which then takes half a
minute.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.data import sample
from benchmarks.server import BROWSER, POLL_RATE, RATE, RUNS, Load, driven, filled, pages_of, serving, uploading, warm


def main() -> None:
    """Serve a board, send a run to it, and print what its visitors saw meanwhile."""
    asked = _asked()
    data = sample(asked.queries)
    with tempfile.TemporaryDirectory(prefix="runoff-upload-") as place:
        folder = Path(place) / "site"
        board = _filled(asked, folder)
        pages = pages_of(board["runs"])
        with serving(folder, board, workers=asked.workers) as server:
            print(f"first page after the start: {warm(server, pages):.1f} s; {server.memory() / 1e6:.0f} MB")
            for number in range(asked.rounds):
                during, (taken, scored, cpu) = uploading(server, data, number, asked.rate)
                print(
                    f"acknowledged after {taken:.1f} s, scored after {scored:.1f} s, {cpu:.1f} s of processor time, "
                    f"{server.memory() / 1e6:.0f} MB"
                )
                _tell(during)
            if asked.signed_in:
                for name in ("board", "run"):
                    signed = (*BROWSER, f"Cookie: runoff={board['session']}")
                    _tell(driven(server, f"{name}, signed in", pages[name], RATE / 10, 10, headers=signed))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--queries", type=int, default=6980, help="of the run that is sent, 1000 lines each")
    parser.add_argument("--runs", type=int, default=RUNS, help="that are on the board already")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, help="runs that are sent, one after the other")
    parser.add_argument("--rate", type=float, default=POLL_RATE, help="pages that are asked for in a second")
    parser.add_argument("--keep", type=Path, help="a folder in which the filled database stays for the next time")
    parser.add_argument("--signed-in", action="store_true", help="also pages of somebody who is signed in")
    return parser.parse_args()


def _filled(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    import json

    if asked.keep is None:
        folder.mkdir()
        return filled(sample(asked.queries), asked.runs, folder)
    kept: Path = asked.keep / f"{asked.queries}-{asked.runs}"
    if not (kept / "board.json").is_file():
        kept.mkdir(parents=True, exist_ok=True)
        board = filled(sample(asked.queries), asked.runs, kept)
        (kept / "board.json").write_text(json.dumps(board), encoding="utf-8")
    shutil.copytree(kept, folder)
    board = json.loads((folder / "board.json").read_text(encoding="utf-8"))
    return dict(board)


def _tell(load: Load) -> None:
    shares = ", ".join(f"{what} {1000 * load.share(part):.0f}" for what, part in
                       (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("slowest", 1.0)))  # fmt: skip
    print(f"{load.name}: {len(load.found['times'])} pages, ms: {shares}; faults: {load.found['faults'] or 'none'}")
    seconds: dict[int, list[float]] = {}
    for due, time in zip(load.found["due"], load.found["times"], strict=True):
        seconds.setdefault(int(due), []).append(1000 * time)
    slow = [f"{at} s: {max(times):.0f}" for at, times in sorted(seconds.items()) if max(times) > 50]
    print(f"  slowest of each second, ms: {', '.join(slow) or 'none above 50'}", flush=True)


if __name__ == "__main__":
    main()
