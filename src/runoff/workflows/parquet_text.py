"""Parquet runs from strangers: read in a process of their own, because a damaged file can end the one that reads it.

python -m runoff.workflows.parquet_text PARQUET TEXT MAX_BYTES writes the run as TREC text.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from runoff.errors import InputError

SECONDS: Final = 900
_BAD_INPUT: Final = 2


def write_parquet_as_text(source: Path, target: Path, *, max_bytes: int, seconds: float = SECONDS) -> None:
    """Write the run in a Parquet file as text; whatever the file does to its reader becomes an `InputError`."""
    command = [sys.executable, "-m", __name__, str(source), str(target), str(max_bytes)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise InputError([f"{source}: reading takes more than {seconds:,.0f} s; expected less; send text"]) from None
    if done.returncode == _BAD_INPUT:
        raise InputError(json.loads(done.stdout))
    if done.returncode != 0:
        raise InputError([f"{source}: the Parquet file is damaged or too large to be read; write it again"])


def main(source: str, target: str, max_bytes: str) -> int:
    """Read one file and write the other; problems go to standard output as JSON."""
    from runoff.files.runs import read_run

    try:
        run = read_run(source, max_bytes=int(max_bytes))
    except InputError as error:
        sys.stdout.write(json.dumps(error.problems))
        return _BAD_INPUT
    with Path(target).open("w", encoding="utf-8") as file:
        file.writelines(f"{query_id} Q0 {doc_id} 0 {score!r} run\n" for query_id, doc_id, score in run)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
