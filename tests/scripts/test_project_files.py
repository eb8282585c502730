"""Files that only a host reads: they are valid, and CI runs what a developer runs."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.release_notes import release_notes

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "deploy" / "conda" / "recipe.yaml"
YAML = sorted([*ROOT.glob(".github/**/*.yml"), ROOT / "CITATION.cff", ROOT / ".pre-commit-config.yaml", RECIPE])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]


def read(place: str) -> Any:
    return yaml.safe_load((ROOT / place).read_text(encoding="utf-8"))


def commands(workflow: Any) -> list[str]:
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("file", YAML, ids=lambda file: file.name)
def test_yaml_can_be_read(file):
    assert isinstance(yaml.safe_load(file.read_text(encoding="utf-8")), dict)


def test_every_job_of_a_workflow_has_steps_and_pinned_actions():
    for name in ("ci.yml", "release.yml"):
        workflow = read(f".github/workflows/{name}")
        assert workflow["permissions"] == {"contents": "read"}
        for job in workflow["jobs"].values():
            assert job["runs-on"]
            assert all(("run" in step) != ("uses" in step) for step in job["steps"])
            assert all(re.search(r"@(v\d|release/v\d)", step["uses"]) for step in job["steps"] if "uses" in step)


def test_ci_runs_make_check_on_every_python():
    jobs = read(".github/workflows/ci.yml")["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == VERSIONS
    assert jobs["macos"]["strategy"]["matrix"]["python"] == VERSIONS
    assert "make check" in [step.get("run") for step in jobs["linux"]["steps"]]
    assert "make test" in [step.get("run") for step in jobs["macos"]["steps"]]


def test_ci_calls_targets_that_the_makefile_has():
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = [
        command.removeprefix("make ") for command in commands(read(".github/workflows/ci.yml")) if "make" in command
    ]
    hooks = read(".pre-commit-config.yaml")["repos"][0]["hooks"]
    assert {*called, *(hook["entry"].removeprefix("make ") for hook in hooks)} <= targets


def test_make_check_is_the_file_that_names_every_step():
    steps = re.findall(r"^make ([a-z-]+)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert steps == ["format-check", "lint", "types", "imports", "docs", "test", "test-programs"]
    assert re.search(r"^check: .*\n\t\.ci/run$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_classifiers_name_the_versions_that_ci_tests():
    prefix = "Programming Language :: Python :: 3."
    assert [f"3.{one.removeprefix(prefix)}" for one in PROJECT["classifiers"] if one.startswith(prefix)] == VERSIONS


def test_the_citation_names_the_four_papers():
    citation = read("CITATION.cff")
    assert (citation["title"], citation["license"]) == (PROJECT["name"], PROJECT["license"])
    dois = [paper["doi"].lower() for paper in citation["references"]]
    pages = "".join(page.read_text(encoding="utf-8").lower() for page in (ROOT / "docs" / "method").glob("*.md"))
    assert len(dois) == 4
    assert [doi for doi in dois if doi.removeprefix("10.48550/arxiv.") not in pages] == []


def test_the_conda_recipe_needs_what_the_package_needs():
    recipe = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))
    names_there = {"isal": "python-isal"}
    parts = (re.fullmatch(r"([\w.-]+)(>=[\d.]+)(;.*)?", text) for text in PROJECT["dependencies"])
    needed = {f"{names_there.get(part[1], part[1])} {part[2]}" for part in parts if part}
    assert len(needed) == len(PROJECT["dependencies"])
    assert set(recipe["requirements"]["run"]) == {*needed, f"python {PROJECT['requires-python']}"}
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert {text.replace(" ", "") for text in recipe["requirements"]["host"]} >= set(build)
    # rattler-build knows no `stdlib`, unlike `compiler`, without variants, which the documented command lacks.
    assert recipe["requirements"]["build"] == ['${{ compiler("c") }}']
    assert recipe["context"]["version"] in (ROOT / "setup.py").read_text(encoding="utf-8")


def test_the_notes_of_a_release_are_its_section():
    changelog = (
        "# Changelog\n\n## [Unreleased]\n\n- c\n\n## [0.2.0] - 2026-01-02\n\n### Added\n\n- b\n\n## [0.1.0]\n\n- a\n"
    )
    assert release_notes(changelog, "0.2.0") == "### Added\n\n- b"
    assert release_notes(changelog, "0.1.0") == "- a"
    with pytest.raises(KeyError):
        release_notes(changelog, "0.3.0")
