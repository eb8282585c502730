"""The README of a demo folder: every file that it names is there, and every command runs."""

import re
import shlex

import pytest

from runoff.cli.main import runoff
from runoff.simulation.year import YearConfig, simulate_year
from runoff.verbs._demo_files import write_demo


@pytest.fixture(scope="module")
def year():
    return simulate_year(YearConfig(public=60, private=20, deep=2, judged=2, seed=9))


@pytest.fixture
def folder(year, tmp_path, monkeypatch):
    """The files of the demo; the test is in their folder."""
    write_demo(year, tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    return tmp_path / "demo"


def readme(folder):
    return (folder / "README.md").read_text(encoding="utf-8")


def commands_of(folder):
    """The words of each command, with the files that a shell would put in place of stars."""
    commands = re.findall(r"^runoff (.+)$", readme(folder), re.MULTILINE)
    assert len(commands) == 7
    for command in commands:
        words = []
        for word in shlex.split(command):
            is_for_the_shell = "*" in word and f"'{word}'" not in command
            words += sorted(str(file.relative_to(folder)) for file in folder.glob(word)) if is_for_the_shell else [word]
        yield words


def test_its_files_are_there_and_its_commands_are_understood(folder):
    rows = "".join(line for line in readme(folder).splitlines() if line.startswith("|"))
    named = re.findall(r"`([\w.-]+/?)`", rows)
    assert len(named) >= 10
    assert [name for name in named if not (folder / name).exists()] == ["report.html"]  # the analysis writes it
    for words in commands_of(folder):
        with runoff.make_context("runoff", list(words)) as context:
            name, command, rest = runoff.resolve_command(context, words)
            assert command is not None
            assert command.make_context(name, rest, parent=context).params  # faults in options and files are raised


@pytest.mark.program
def test_its_commands_run(folder, capsys):
    for words in commands_of(folder):
        assert not runoff(words, prog_name="runoff", standalone_mode=False)
        assert capsys.readouterr().out


def test_it_says_how_to_make_it_again(year, tmp_path):
    write_demo(year, tmp_path)
    assert f"runoff demo {tmp_path} --seed 9" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert pytest.approx(0.2, abs=0.2) == year.label_is_best
