"""Renew the golden files in `tests/golden/expected` and the page of commands, and print what changed: `make golden`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from scripts.reference import write_reference
from tests.conftest import DATA_VARIABLE, data_folder
from tests.golden import real_data
from tests.golden.outputs import NAMES, Outputs
from tests.golden.pinned import NOT_PINNED, Of, can_be_pinned, pinned
from tests.golden.stored import EXPECTED, renew, stale_files


def main() -> None:
    """Renew all golden files."""
    if not can_be_pinned():
        sys.exit(f"{NOT_PINNED}; renew them on such a machine")
    EXPECTED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as base, pinned() as made_by:
        changes = _renew_outputs(made_by(Outputs, Path(base))) | _renew_real_data(made_by, Path(base) / "real")
    changes |= dict.fromkeys(write_reference(), "written again from the program")
    for file, change in changes.items():
        print(f"{file} changed:\n{change}\n")
    total = sum(file.stat().st_size for file in EXPECTED.iterdir())
    files = f"{len(changes)} {'file' if len(changes) == 1 else 'files'} changed"
    print(files if changes else "nothing changed", f"({total / 1000:,.0f} kB in all)")


def _renew_outputs(output_of: Of) -> dict[str, str]:
    changes: dict[str, str] = {}
    for name in NAMES:
        changes |= renew(name, output_of(name))
    for file in stale_files(NAMES):
        file.unlink()
        changes[file.name] = "no output has this name now"
    return changes


def _renew_real_data(made_by: Callable[..., Of], folder: Path) -> dict[str, str]:
    data = data_folder()
    if not data.is_dir():
        print(f"no real data in {data}; set {DATA_VARIABLE} to the folder that holds it", file=sys.stderr)
        return {}
    folder.mkdir()
    before = real_data.read_summaries()
    output_of = made_by(real_data.RealOutputs, folder, data)
    after = {file: summary for name in real_data.BY_NAME for file, summary in output_of(name).items()}
    change = real_data.summary_difference(before, after)
    if not change:
        return {}
    real_data.write_summaries(after)
    return {real_data.FILE.name: change}


if __name__ == "__main__":
    main()
