"""The README of a demo folder: every file that it names is there, and every command runs."""

import re
import shlex

import pytest

from runoff.cli.main import runoff
from runoff.simulation.year import YearConfig, simulate_year
from runoff.workflows.demo_files import write_demo
from tests.workflows.undrawn import undrawn_charts


@pytest.fixture(scope="module")
def year():
    return simulate_year(YearConfig(public=60, private=20, deep=2, judged=2, seed=9))


def test_its_files_are_there_and_its_commands_run(year, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "demo"
    write_demo(year, folder)
    text = (folder / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w.-]+/?)`", "".join(line for line in text.splitlines() if line.startswith("|")))
    assert len(named) >= 10
    assert [name for name in named if not (folder / name).exists()] == ["report.html"]  # the analysis writes it
    monkeypatch.chdir(folder)
    commands = re.findall(r"^runoff (.+)$", text, re.MULTILINE)
    assert len(commands) == 7
    for command in commands:
        words = []
        for word in shlex.split(command):
            is_for_the_shell = "*" in word and f"'{word}'" not in command
            words += sorted(map(str, folder.glob(word))) if is_for_the_shell else [word]
        with undrawn_charts():
            assert not runoff(words, prog_name="runoff", standalone_mode=False)
        assert capsys.readouterr().out


def test_it_says_how_to_make_it_again(year, tmp_path):
    write_demo(year, tmp_path)
    assert f"runoff demo {tmp_path} --seed 9" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert pytest.approx(0.2, abs=0.2) == year.label_is_best
