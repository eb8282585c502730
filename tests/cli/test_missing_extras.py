"""The light installation: what works without each optional package, and what the error says where one is needed."""

from __future__ import annotations

import sys

import pytest

import runoff
from runoff.errors import MissingExtraError

OPTIONAL = ("altair", "pandas", "polars", "pyarrow", "vl_convert")
RUN = "q1 Q0 d1 1 2.0 a\nq1 Q0 d2 2 1.0 a\nq2 Q0 d3 1 2.0 a\nq3 Q0 d4 1 2.0 a\n"


@pytest.fixture(params=[*((name,) for name in OPTIONAL), OPTIONAL], ids=[*OPTIONAL, "all of them"])
def without(request, monkeypatch):
    """As if these packages were not installed."""
    for name in request.param:
        monkeypatch.setitem(sys.modules, name, None)
    return request.param


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d2 1\nq2 0 d3 1\nq3 0 d5 1\n", encoding="utf-8")
    for name, text in {"a.run": RUN, "b.run": RUN.replace("d4", "d5")}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in ("a.run", "b.run")], ["--qrels", str(tmp_path / "qrels.txt")]


@pytest.mark.parametrize("verb", ["evaluate", "compare", "board"])
@pytest.mark.parametrize("format_name", ["table", "json"])
def test_text_files_need_none_of_them(call, without, files, verb, format_name):
    runs, qrels = files
    result = call(verb, *runs, *qrels, "-m", "RR@10", "--format", format_name, "--quiet")
    assert (result.returncode, result.stderr) == (0, "")
    assert "b.run" in result.stdout


def _missing(monkeypatch, package: str, extra: str):
    monkeypatch.setitem(sys.modules, package, None)
    return pytest.raises(MissingExtraError, match=rf"pip install 'runoff\[{extra}\]'$")


def test_frames_need_polars(monkeypatch, tmp_path):
    with _missing(monkeypatch, "polars", "polars"):
        runoff.scale("RR@3").to_frame()
    (tmp_path / "run.parquet").write_bytes(b"PAR1")
    with _missing(monkeypatch, "polars", "polars"):
        runoff.read_run(tmp_path / "run.parquet")


def test_parquet_on_the_command_line_needs_polars(call, monkeypatch, files, tmp_path):
    monkeypatch.setitem(sys.modules, "polars", None)
    (_, run), qrels = files
    (tmp_path / "run.parquet").write_bytes(b"PAR1")
    for runs in (
        [str(tmp_path / "run.parquet")],
        [run, "--per-query", "--format", "parquet", "--output", str(tmp_path / "scores")],
    ):
        result = call("evaluate", *runs, *qrels, "-m", "RR@10")
        assert result.returncode == 2
        assert result.stderr.endswith("install it with: pip install 'runoff[polars]'\n")
    assert not (tmp_path / "scores").exists()


def test_drawing_needs_the_engine(monkeypatch):
    chart = runoff.scale("RR@3").chart()
    for draw in (chart.to_svg, chart.to_png, chart.to_pdf):
        with _missing(monkeypatch, "vl_convert", "charts"):
            draw()


def test_figures_and_reports_say_so_before_they_read(call, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    nowhere = [str(tmp_path / "none.run"), "--qrels", str(tmp_path / "none.txt")]
    for arguments in (
        ["board", *nowhere, "--figure", "board.svg"],
        ["report", *nowhere],
        ["report", *nowhere, "--format", "json", "--figures", str(tmp_path / "figures")],
        ["demo", str(tmp_path / "demo")],
    ):
        result = call(*arguments)
        assert (result.returncode, result.stdout) == (2, ""), arguments
        assert result.stderr == (
            "drawing charts needs an optional package; install it with: pip install 'runoff[charts]'\n"
        )
    assert not list(tmp_path.iterdir())


def test_a_notebook_gets_text_without_the_engine(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    result = runoff.scale("RR@3")
    assert set(result.chart()._repr_mimebundle_()) == {"application/vnd.vegalite.v6+json", "text/plain"}
    assert "<pre>RR@3 takes unequal steps\n\nattainable      ┼" in result._repr_html_()
    assert "<img" not in result._repr_html_()


def test_an_altair_object_needs_altair(monkeypatch):
    with _missing(monkeypatch, "altair", "altair"):
        runoff.scale("RR@3").chart().to_altair()
