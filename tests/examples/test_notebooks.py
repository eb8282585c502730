"""The notebooks of `examples/`: stored without outputs, and run from the first cell to the last."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
CHARTS = {
    "arabzadeh-2021": 3,
    "craswell-2021": 5,
    "lin-2021": 2,
    "moffat-2024": 6,
}
"""How many charts each notebook draws at least, on simulated data alone."""

# In a process of its own: Jupyter leaves sockets and threads behind.
PROGRAM = """
import sys
from pathlib import Path
import nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
folder = {"metadata": {"path": str(Path(sys.argv[1]).parent)}}
NotebookClient(book, timeout=120, kernel_name="python3", resources=folder).execute()
nbformat.write(book, sys.argv[2])
"""


def test_there_is_one_per_paper():
    assert sorted(file.stem for file in FOLDER.glob("*.ipynb")) == sorted(CHARTS)


@pytest.mark.parametrize("name", CHARTS)
def test_it_is_stored_without_outputs(name):
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in code] == [[]] * len(code)
    assert {cell.execution_count for cell in code} == {None}
    assert book.cells[0].source.startswith("# ")
    assert "DOI 10." in book.cells[0].source


@pytest.mark.program
@pytest.mark.parametrize("name", CHARTS)
def test_it_runs_small_and_without_real_data(name, monkeypatch, tmp_path):
    monkeypatch.setenv("RUNOFF_SMALL", "1")
    monkeypatch.setenv("RUNOFF_TEST_DATA", str(tmp_path / "absent"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    done = tmp_path / "done.ipynb"
    program = [sys.executable, "-c", PROGRAM, str(FOLDER / f"{name}.ipynb"), str(done)]
    result = subprocess.run(program, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    book = nbformat.read(done, as_version=4)
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output.data for output in outputs if output.output_type == "execute_result"]
    assert [output.output_type for output in outputs].count("error") == 0
    assert "is not here; this cell needs it" in shown[-1]["text/plain"]
    pages = [data["text/html"] for data in shown if "text/html" in data]
    pictures = sum(page.count('src="data:image/svg+xml') for page in pages)
    pictures += sum("image/svg+xml" in data for data in shown)
    assert pictures >= CHARTS[name]
    assert any("<table" in page for page in pages)
    assert all(len(data["text/plain"]) < 20_000 for data in shown), "results print as text and not as every number"
