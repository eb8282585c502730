"""The command as a whole: verbs, help, exit statuses, quick start."""

import importlib
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from runoff.choices import FORMATS, JUNIT, PARQUET, SCORE_ROWS
from runoff.cli.main import SLOW_READER, VERBS
from runoff.rows import IS_COMPILED

ROOT = Path(__file__).resolve().parent.parent.parent

# Verbs that print no result: two run or look after a server, one answers an agent, one prints a file of the package.
WITHOUT_VERB = ("serve", "admin", "mcp")
WITHOUT_FORMATS = (*WITHOUT_VERB, "schema")
OF_RESULTS = [verb for verb in VERBS if verb not in WITHOUT_FORMATS]
PARTS = {"_guarded", "_mcp_server", "_mcp_tools"}
"""Modules of `runoff mcp`."""


def test_help_names_every_verb(call):
    result = call("--help")
    assert result.returncode == 0
    for verb, job in VERBS.items():
        assert f"{verb} " in result.stdout
        assert job in result.stdout
    assert "runoff evaluate bm25.run dense.run --qrels qrels.txt -m RR@10 -m nDCG@10\n" in result.stdout


OWN_FORMATS = {"check": (JUNIT,), "evaluate": (*SCORE_ROWS, PARQUET)}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_of_a_verb_has_an_example_and_the_formats(call, verb, option):
    result = call(verb, option)
    assert result.returncode == 0
    assert re.search(rf"^Usage: runoff {verb} ", result.stdout)
    assert re.search(rf"^  Examples?:\n(    runoff {verb} .+\n)+\Z", result.stdout, re.MULTILINE)
    assert max(map(len, result.stdout.splitlines())) <= 100
    if verb in WITHOUT_FORMATS:
        return
    names = (*FORMATS, *OWN_FORMATS.get(verb, ()))
    assert f"[{'|'.join(names)}]" in result.stdout
    for option_name in ("--output", "--seed", "--quiet"):
        assert option_name in result.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_has_a_module_a_function_and_tests(verb):
    assert hasattr(importlib.import_module(f"runoff.cli.{verb}"), verb)
    assert (ROOT / "tests" / "cli" / f"test_{verb}.py").is_file()
    if verb not in WITHOUT_VERB:
        importlib.import_module(f"runoff.verbs.{verb}")
        assert (ROOT / "tests" / "verbs" / f"test_{verb}.py").is_file()


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_help(verb):
    command = getattr(importlib.import_module(f"runoff.cli.{verb}"), verb)
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert options or verb == "schema"
    assert [option.name for option in options if not option.help] == []


def test_every_verb_module_is_listed():
    modules = {file.stem for file in (ROOT / "src" / "runoff" / "cli").glob("*.py")}
    assert modules == {*VERBS, "__init__", "main", "options", "output", "reading_options", *PARTS}


def test_version(call):
    note = [] if IS_COMPILED else [SLOW_READER]
    assert call("--version").stdout.splitlines() == [f"runoff {version('runoff')}", *note]


@pytest.mark.parametrize(
    "word, hint",
    [("evalute", "did you mean 'evaluate'?"), ("frobnicate", f"the verbs are {', '.join(VERBS)}")],
)
def test_an_unknown_verb_gets_a_hint(call, word, hint):
    result = call(word, "x.run")
    assert (result.returncode, result.stdout) == (2, "")
    assert f"there is no verb '{word}'; {hint}" in result.stderr


def test_without_a_verb_help_is_an_error(call):
    result = call()
    assert (result.returncode, result.stdout) == (2, "")
    assert "Usage: runoff" in result.stderr


def test_help_loads_no_library_but_click():
    """One process for all: what any of them loads stays loaded."""
    program = (
        "import contextlib, io, sys\n"
        "from runoff.cli.main import main\n"
        "for line in sys.stdin.read().splitlines():\n"
        "    sys.argv = ['runoff', *line.split()]\n"
        "    shown = io.StringIO()\n"
        "    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):\n        main()\n"
        "    libraries = ('numpy', 'rich', 'polars', 'scipy', 'ir_measures')\n"
        "    loaded = [name for name in libraries if name in sys.modules]\n"
        "    print(line, 'runoff' in shown.getvalue(), *loaded)"
    )
    asked = ["--help", "--version", *(f"{verb} --help" for verb in VERBS)]
    shown = subprocess.run(
        [sys.executable, "-c", program], input="\n".join(asked), capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines() == [f"{line} True" for line in asked]


def test_an_interrupt_in_a_destructor_is_not_lost(call, monkeypatch, board):
    class Interrupted:
        def __del__(self):
            raise KeyboardInterrupt

    def work(*_, **__):
        Interrupted()
        time.sleep(20)
        raise AssertionError("it went on")

    monkeypatch.setattr("runoff.verbs.evaluate.evaluate", work)
    # Tests may run where Ctrl-C is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = call("evaluate", "good.run", "--qrels", "qrels.txt")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (result.returncode, result.stdout, result.stderr.strip()) == (130, "", "interrupted")


def test_an_interrupt_is_no_traceback(call, monkeypatch, board):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("runoff.verbs.evaluate.evaluate", interrupt)
    result = call("evaluate", "good.run", "--qrels", "qrels.txt")
    assert (result.returncode, result.stdout, result.stderr.strip()) == (130, "", "interrupted")


def test_python_m_runoff_is_runoff(runoff_program):
    assert runoff_program("--version").stdout.splitlines()[0] == f"runoff {version('runoff')}"
