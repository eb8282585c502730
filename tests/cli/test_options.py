"""Shared options: their names, sizes, and how a result leaves the program."""

import io
import json
import os
import stat
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from runoff import display
from runoff.cli import options, output
from runoff.files import whole
from runoff.files.streams import DEFAULT_MAX_BYTES

SCORE = ("evaluate", "good.run", "--qrels", "qrels.txt")


def test_the_limit_of_files_is_that_of_the_library():
    assert options.size_of("64G") == DEFAULT_MAX_BYTES


@pytest.mark.parametrize("text, size", [("1", 1), ("2k", 2048), ("3M", 3 << 20), ("64G", 64 << 30), ("1t", 1 << 40)])
def test_sizes(text, size):
    assert options.size_of(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "k", "1.5G", "1GB", "lots", "²"])
def test_what_is_no_size(text):
    with pytest.raises(click.BadParameter, match="is not a size; expected bytes such as 500000000, 500M or 64G"):
        options.size_of(text)


@pytest.mark.parametrize("board", [False, True])
def test_what_comparisons_look_at(board):
    seen = {}

    @click.command()
    @options.comparison_options(board=board)
    def verb(**asked):
        seen.update(asked)

    runner = CliRunner()
    assert runner.invoke(verb, []).exit_code == 0
    assert seen == {"depth": None, "level": None, "gains": None}
    assert runner.invoke(verb, ["--depth", "20", "--level", "2", "--gains", "0,0.5,1"]).exit_code == 0
    assert seen == {"depth": 20, "level": 2, "gains": (0.0, 0.5, 1.0)}
    for arguments, said in (
        (["--depth", "0"], "--depth"),
        (["--level", "x"], "--level"),
        (["--gains", "0,x"], "'x' is not a number; expected one gain per grade, such as 0,0.5,1"),
        (["--gains", "0,nan"], "'nan' is not a number"),
    ):
        result = runner.invoke(verb, arguments)
        assert result.exit_code == 2
        assert said in result.output
    shown = runner.invoke(verb, ["--help"]).output
    assert [name in shown for name in ("--depth K", "--level GRADE", "--gains G0,G1,...")] == [True] * 3
    assert ("a board.toml names its own" in " ".join(shown.split())) == board


def test_output_goes_to_the_file_and_nowhere_else(board, call):
    shown = call(*SCORE, "--format", "json")
    written = call(*SCORE, "--format", "json", "--output", "scores.json")
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    assert (board / "scores.json").read_text(encoding="utf-8") == shown.stdout
    assert sorted(file.name for file in board.iterdir()) == ["good.run", "poor.run", "qrels.txt", "scores.json"]
    assert call(*SCORE, "--format", "json", "-o", "-").stdout == shown.stdout


def test_output_replaces_a_file_only_when_all_went_well(board, call, monkeypatch):
    file = board / "scores.txt"
    file.write_text("old", encoding="utf-8")
    assert call("evaluate", "absent.run", "--qrels", "qrels.txt", "-o", "scores.txt").returncode == 2
    assert file.read_text(encoding="utf-8") == "old"

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        result = call(*SCORE, "-o", "scores.txt")
    assert (result.returncode, result.stdout) == (2, "")
    assert "scores.txt: cannot be written (No space left on device)" in result.stderr
    assert file.read_text(encoding="utf-8") == "old"
    assert len(list(board.iterdir())) == 4  # nothing half-written is left


def test_output_through_a_link_and_with_the_usual_rights(board, call):
    (board / "link.csv").symlink_to("target.csv")
    assert call(*SCORE, "--format", "csv", "-o", "link.csv").returncode == 0
    assert (board / "link.csv").is_symlink()
    target = board / "target.csv"
    assert target.read_text(encoding="utf-8").startswith("run,ndcg_10,missing_queries")
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~whole._umask()
    target.chmod(0o640)
    call(*SCORE, "-o", "target.csv")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_output_never_replaces_a_pipe_or_a_device(board, call):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert call(*SCORE, "--format", "csv", "-o", "pipe").returncode == 0
    assert os.read(reader, 1000).startswith(b"run,ndcg_10")
    os.close(reader)
    assert Path("pipe").is_fifo()


@pytest.mark.parametrize("place", ["no/such/folder/file", "good.run/file"])
def test_output_to_a_place_that_cannot_be(board, call, place):
    result = call(*SCORE, "-o", place)
    assert (result.returncode, result.stdout) == (2, "")
    assert f"{place}: cannot be written" in result.stderr


def test_names_that_are_not_text_are_written_out(board, runoff_program):
    os.rename("good.run", b"good\xff.run")  # noqa: PTH104
    for encoding in ("utf-8", "ascii"):
        result = runoff_program(
            "evaluate",
            os.fsdecode(b"good\xff.run"),
            "--qrels",
            "qrels.txt",
            "--format",
            "json",
            PYTHONIOENCODING=encoding,
        )
        assert (result.returncode, result.stderr) == (0, "")
        assert json.loads(result.stdout)["runs"][0]["run"] == "good\udcff.run"


class Terminal(io.TextIOWrapper):
    """A standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns, no_colour", [(40, False), (200, True)])
def test_a_terminal_gets_its_width_and_colours(board, monkeypatch, columns, no_colour):
    from runoff import evaluate

    result = evaluate(["good.run", "poor.run"], "qrels.txt", measures=[f"P@{k}" for k in range(1, 9)])
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_colour:
        monkeypatch.setenv("NO_COLOR", "1")
    expected = display.render(result, "table", width=columns, colour=not no_colour)
    screen = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Terminal(screen))
        output.Output(format_name="table", file=None, quiet=False).write(result)
        shown = screen.getvalue().decode("utf-8")
    assert shown == expected
    assert ("\x1b[1m" in shown) is not no_colour


FIGURED = [
    ("board", "good.run", "poor.run", "--qrels", "qrels.txt", "--trials", "5"),
    ("reliability", "good.run", "poor.run", "--qrels", "qrels.txt", "--splits", "1"),
    ("compare", "good.run", "poor.run", "--qrels", "qrels.txt", "--level", "1"),
    ("ipso", "good.run", "poor.run", "--qrels", "qrels.txt", "--level", "1", "--depth", "3"),
    ("scale", "RR@3"),
]


@pytest.mark.parametrize("arguments", FIGURED, ids=" ".join)
def test_a_figure_is_written_beside_the_result(board, call, arguments):
    alone = call(*arguments)
    both = call(*arguments, "--figure", "picture.svg")
    assert (both.returncode, both.stdout) == (0, alone.stdout)
    assert Path("picture.svg").read_text(encoding="utf-8").startswith("<svg")


def test_another_chart_can_be_named(board, call):
    assert call(*FIGURED[0], "--figure", "ranks.PNG", "--chart", "rank_intervals").returncode == 0
    assert Path("ranks.PNG").read_bytes().startswith(b"\x89PNG")


BAD_FIGURES = [
    (
        ("scale", "RR@3", "--figure", "x.gif"),
        "'x.gif' is not a picture that can be drawn; expected a name that ends in",
    ),
    (("scale", "RR@3", "--figure", "x"), ".svg, .png, .pdf"),
    (("scale", "RR@3", "--chart", "scale_values"), "--chart names what --figure draws; give --figure FILE too"),
    (("scale", "RR@3", "--figure", "x.svg", "--chart", "pie"), "this result has no chart 'pie'; expected one of"),
    (("scale", "RR@3", "--figure", "nowhere/x.svg"), "nowhere/x.svg: cannot be written"),
    (("ipso", "--theory", "--figure", "x.svg"), "this result has no chart"),
]


@pytest.mark.parametrize("arguments, message", BAD_FIGURES, ids=lambda value: " ".join(value) if value else "")
def test_figures_that_cannot_be_drawn_are_refused(board, call, arguments, message):
    result = call(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert not Path("x.svg").exists()
