"""The public API: few names, real types, and one verb for each command."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import runoff
import runoff.results
from runoff import choices
from runoff.cli.main import VERBS
from runoff.display import FORMAT_NAMES
from runoff.reading.sources import MeasureSource, ReadOptions
from runoff.significance import SIGNIFICANCE_TESTS
from runoff.significance.corrections import CORRECTIONS
from runoff.simulation.calibration import QUANTITY_NAMES
from runoff.verbs import _ipso_board

ROOT = Path(__file__).resolve().parent.parent
MOST_NAMES = 45
NOT_VERBS = {"serve", "admin", "mcp"}
"""Commands of the server, and other verbs for an agent."""
SAME_NAMES = {"qrels", "measures", "options", "policy", "reading", "progress", "queries", "labels", "query_set"}
OLD_NAMES = {"measure", "question", "asked"}


def problems_of_verbs(modules: set[str], commands: set[str], names: set[str]) -> list[str]:
    """What keeps the public modules of verbs, the commands and the verbs of the API from being one list."""
    verbs = {name for name in names if name in commands | modules}
    return sorted(
        {f"{verb} has no module" for verb in commands - modules}
        | {f"{verb} has no command" for verb in modules - commands}
        | {f"{verb} is not in __all__" for verb in commands - verbs}
    )


def functions() -> dict[str, Callable[..., Any]]:
    return {name: getattr(runoff, name) for name in runoff.__all__ if inspect.isfunction(getattr(runoff, name))}


def holds_any(annotation: object) -> bool:
    """Whether Any is in an annotation, at whatever depth."""
    return annotation is Any or any(map(holds_any, typing.get_args(annotation)))


def untyped(function: Callable[..., Any]) -> list[str]:
    """The parameters of a function, and what it returns, that have no type, or one with Any in it."""
    hints = typing.get_type_hints(function, vars(importlib.import_module(function.__module__)))
    names = [*inspect.signature(function).parameters, "return"]
    return [name for name in names if name not in hints or holds_any(hints[name])]


def old_names(function: Callable[..., Any]) -> list[str]:
    return sorted(OLD_NAMES & set(inspect.signature(function).parameters))


def test_verbs_are_the_commands():
    modules = {path.stem for path in (ROOT / "src/runoff/verbs").glob("[a-z]*.py")}
    assert problems_of_verbs(modules, set(VERBS) - NOT_VERBS, set(runoff.__all__)) == []


def test_a_verb_that_is_missing_somewhere_is_noticed():
    assert problems_of_verbs({"a", "b"}, {"a"}, {"a"}) == ["b has no command"]
    assert problems_of_verbs({"a"}, {"a", "b"}, {"a", "b"}) == ["b has no module"]
    assert problems_of_verbs({"a"}, {"a"}, {"Run"}) == ["a is not in __all__"]


def too_many(names: list[str]) -> list[str]:
    """The names beyond the limit."""
    return sorted(names)[MOST_NAMES:]


def test_few_names():
    assert too_many(runoff.__all__) == []
    lower = {name for name in runoff.__all__ if name.islower() and not name.startswith(("read_", "parse_", "_"))}
    assert lower == set(VERBS) - NOT_VERBS


def test_one_name_too_many_is_noticed():
    names = [f"name{number:02}" for number in range(MOST_NAMES + 1)]
    assert too_many(names[:-1]) == []
    assert too_many(names) == ["name45"]


@pytest.mark.parametrize("name", sorted(functions()))
def test_every_function_has_real_types(name):
    assert untyped(functions()[name]) == []


@pytest.mark.parametrize("name", sorted(functions()))
def test_parameters_have_the_same_names_everywhere(name):
    if name.startswith("read_") or name == "scale":  # `scale` is about one measure, `read_scores` names one
        return
    assert old_names(functions()[name]) == []


def test_functions_without_types_or_with_old_names_are_noticed():
    def planted(first: list[Any], second, *, measure: str, options: int | None = None) -> dict[str, Any]:
        raise NotImplementedError

    assert untyped(planted) == ["first", "second", "return"]
    assert old_names(planted) == ["measure"]


def test_results_are_public():
    assert list(runoff.results.__all__) == sorted(set(runoff.results.__all__))
    for name in runoff.results.__all__:
        assert inspect.isclass(getattr(runoff.results, name))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        runoff.results.Nothing  # noqa: B018


def test_an_unknown_name():
    with pytest.raises(AttributeError, match="module 'runoff' has no attribute 'board_from_file'"):
        runoff.board_from_file  # noqa: B018
    assert re.fullmatch(r"\d+\.\d+.*", runoff.__version__)
    assert set(dir(runoff)) == {*runoff.__all__, "results"}
    assert runoff.results.Comparison is not None


def test_choices_are_the_names_of_what_is_there():
    """Lists of objects are in the layers, in the order of these names."""
    assert choices.FORMATS == FORMAT_NAMES
    assert tuple(test.name for test in SIGNIFICANCE_TESTS) == choices.TESTS
    assert tuple(_ipso_board.PAIR_TESTS) == choices.PAIR_TESTS
    assert ("none", *CORRECTIONS) == choices.POLICY_CORRECTIONS
    assert choices.QUANTITIES == QUANTITY_NAMES
    assert tuple(choices.TIE_RULES) == typing.get_args(choices.TieRule)
    assert tuple(choices.DUPLICATE_RULES) == typing.get_args(choices.DuplicateRule)
    assert ReadOptions().tie_rule == next(iter(choices.TIE_RULES))


def copied_choices(source: str) -> Iterator[str]:
    """Tuples and lists of texts in a module that are among the choices."""
    values = [set(value) for value in vars(choices).values() if isinstance(value, (tuple, dict))]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) > 1:
            texts = {each.value for each in node.elts if isinstance(each, ast.Constant)}
            if len(texts) == len(node.elts) and texts in values:
                yield ast.unparse(node)


def test_the_command_line_copies_no_choices():
    for file in sorted((ROOT / "src/runoff/cli").glob("*.py")):
        assert list(copied_choices(file.read_text(encoding="utf-8"))) == [], file.name


def test_a_copied_choice_is_noticed():
    assert list(copied_choices('RULES = ("holm", "spending", "fallback")\nNAMES = ("a", "b")')) == [
        "('holm', 'spending', 'fallback')"
    ]


def test_the_example_of_the_interface(tmp_path):
    """The Python part of INTERFACE.md, with files of these names."""
    queries = [f"q{number}" for number in range(12)]
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d 1\n" for query in queries))
    (tmp_path / "champion.trec").write_text("".join(f"{query} Q0 x 1 2 c\n{query} Q0 d 2 1 c\n" for query in queries))
    (tmp_path / "challenger.tsv").write_text("".join(f"{query}\td\t1\n" for query in queries))

    qrels = runoff.read_qrels(tmp_path / "qrels.txt")
    champion, challenger = runoff.read_run(tmp_path / "champion.trec"), runoff.read_run(tmp_path / "challenger.tsv")

    result = runoff.compare(champion, challenger, qrels, measures=["nDCG@10", "AP"])
    assert result.verdict.sentence.startswith("challenger.tsv")
    assert result.outcomes is not None
    assert result.outcomes.challenger_only == 0
    assert result.to_dict()["measure"] == "nDCG@10"
    assert "tabular" in result.to_latex()

    board = runoff.board({"bm25": champion, "dense": challenger}, qrels, measures=["RR@10"])
    assert [row.run for row in board.rows] == ["dense", "bm25"]
    runs = {"bm25": champion, "dense": challenger}
    report = runoff.report(runs, qrels)
    assert "dense" in report.headline
    assert report.to_page().startswith("<!")


def test_a_text_is_one_thing_everywhere():
    """Never a sequence of letters."""
    one: MeasureSource = "RR@10"
    qrels = {"q": {"d": 1}}
    run = {"q": {"d": 1.0}}
    assert runoff.evaluate(run, qrels, measures=one).measures == (runoff.parse_measure("RR@10"),)
    assert runoff.evaluate({"mine": run}, qrels, measures=one).runs == ("mine",)
    assert runoff.evaluate([("q", "d", 1.0)], qrels, measures=one).runs == ("run 1",)
