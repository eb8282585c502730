"""The shape of the project: sizes, names, tests in mirrored folders, a light public API."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import runoff

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "runoff"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

CEILING = 400
GENERATED = re.compile(r'(?:/\* |\{\n "\$comment": ")Written by (scripts/\w+\.py)\b')
"""The first line of a table in C, or the first key of a schema, which may be longer than the ceiling."""

GRAB_BAGS = {"common", "core", "helpers", "misc", "utils"}
HEAVY = [
    "alembic", "altair", "click", "ir_measures", "pandas", "polars", "pyarrow", "rich", "scipy", "sqlalchemy",
    "vl_convert", "zstandard",
]  # fmt: skip

# Folders that other programs write, or whose tests are those of the folder above.
UNMIRRORED = {"rows/compiled", "server/store/migrations", "server/store/migrations/versions"}

EXTENSION_POINTS = ("measures", "significance", "reports/sections", "verbs", "server/web/pages")
"""Folders in which every public file, or folder of a page, is an item of one list; each has a test of its own."""

# Files that tools and machines write; they are no part of the project.
NOT_OURS = {".git", ".venv", "__pycache__", "build", "dist", "runoff-demo", "site"} | {
    f".{tool}_cache" for tool in ("import_linter", "mypy", "pytest", "ruff")
}


def python_files(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def project_files(folder: Path = ROOT) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name in NOT_OURS or entry.name == ".hypothesis" or entry.suffix in {".egg-info", ".pyc"}:
            continue
        if entry.is_dir():
            yield from project_files(entry)
        else:
            yield entry


def text_of(file: Path) -> str:
    """Content of a text file, nothing for a binary one."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def tree_of(file: Path) -> ast.Module:
    """The parsed source of a Python file."""
    return ast.parse(text_of(file))


def relative(files: list[Path]) -> list[str]:
    return [str(file.relative_to(ROOT)) for file in files]


def generator_of(file: Path) -> str:
    """The script that writes a file in C or JSON, as its beginning says; nothing if a person writes it."""
    found = GENERATED.match(text_of(file)) if file.suffix in {".c", ".h", ".json"} else None
    return found[1] if found else ""


def test_no_file_is_longer_than_the_ceiling():
    files = [*project_files(ROOT / "src"), *python_files("studies", "tests", "benchmarks")]
    long = [file for file in files if text_of(file).count("\n") > CEILING and not generator_of(file)]
    assert relative(long) == [], f"split these: more than {CEILING} lines"


def test_generated_files_have_their_generator():
    missing = [
        file for file in project_files(ROOT / "src") if (script := generator_of(file)) and not (ROOT / script).is_file()
    ]
    assert relative(missing) == [], "commit the script that writes these"


@pytest.mark.parametrize(
    "name, first_line, script",
    [
        ("powers.h", "/* Written by scripts/write_powers.py; do not edit. */", "scripts/write_powers.py"),
        ("powers.h", "/* Powers of five, written by hand. */", ""),
        ("board.json", '{\n "$comment": "Written by scripts/schemas.py; do not edit.",', "scripts/schemas.py"),
        ("board.json", '{\n "title": "Written by scripts/schemas.py"', ""),
        ("powers.py", "/* Written by scripts/write_powers.py; do not edit. */", ""),
    ],
)
def test_a_generated_file_says_so_in_its_first_line(tmp_path, name, first_line, script):
    file = tmp_path / name
    file.write_text(f"{first_line}\nint powers[1];\n", encoding="utf-8")
    assert generator_of(file) == script


def test_no_grab_bags():
    files = python_files("src", "studies", "tests", "benchmarks", "scripts")
    bags = [file for file in files if GRAB_BAGS & {part.removesuffix(".py").lstrip("_") for part in file.parts[-2:]}]
    assert relative(bags) == [], "name these for what they hold"


def test_nothing_in_the_source_looks_like_a_test():
    found = []
    for file in python_files("src"):
        names = [file.stem, file.parent.name]
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        names += [node.name for node in ast.walk(tree_of(file)) if isinstance(node, kinds)]
        found += [f"{file.name}: {name}" for name in names if name.startswith("test_")]
        found += [f"{file.name}: {name}" for name in (file.stem, file.parent.name) if name == "tests"]
    assert found == [], "pytest and readers would take these for tests; use a noun"


def source_folders(package: Path) -> set[str]:
    """The folders of a package that hold Python files with code."""
    files = [file for file in package.rglob("*.py") if file.name != "__init__.py"]
    return {file.parent.relative_to(package).as_posix() for file in files} - {"."}


def untested_folders(package: Path, tests: Path) -> list[str]:
    """Folders of the source without a test in the folder of the same name; a page's are beside those of other pages."""
    return sorted(
        folder
        for folder in source_folders(package) - UNMIRRORED
        if not folder.startswith("server/web/pages/") and not any((tests / folder).glob("test_*.py"))
    )


def untested_items(package: Path, tests: Path) -> list[str]:
    """Items of the extension points without a test file of their name."""
    return [
        f"{folder}/{name}"
        for folder in EXTENSION_POINTS
        for name in sorted(entry.stem for entry in (package / folder).iterdir() if is_item(entry))
        if not (tests / folder / f"test_{name}.py").is_file()
    ]


def is_item(entry: Path) -> bool:
    return not entry.name.startswith("_") and (entry.suffix == ".py" or (entry / "__init__.py").is_file())


def test_tests_mirror_the_folders_of_the_source():
    assert untested_folders(PACKAGE, ROOT / "tests") == [], "tests of these folders belong in tests/, at the same path"
    assert {folder for folder in UNMIRRORED if not (PACKAGE / folder).is_dir()} == set(), "drop these exceptions"


def test_every_item_of_a_list_has_its_test():
    assert untested_items(PACKAGE, ROOT / "tests") == [], "each of these needs tests/<folder>/test_<name>.py"


def test_a_folder_or_an_item_without_tests_is_noticed(tmp_path):
    for folder in EXTENSION_POINTS:
        (tmp_path / "package" / folder).mkdir(parents=True)
    for name in ("boards/history.py", "measures/rr.py", "measures/_base.py"):
        file = tmp_path / "package" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("x = 1\n", encoding="utf-8")
    tests = tmp_path / "tests" / "measures"
    tests.mkdir(parents=True)
    (tests / "test_other.py").write_text("", encoding="utf-8")
    assert untested_folders(tmp_path / "package", tmp_path / "tests") == ["boards"]
    assert untested_items(tmp_path / "package", tmp_path / "tests") == ["measures/rr"]


def test_every_folder_is_a_package():
    bare = sorted({file.parent for file in python_files("src") if not (file.parent / "__init__.py").is_file()})
    assert relative(bare) == [], "these need an __init__.py"


def public_classes(files: list[Path]) -> dict[str, list[str]]:
    """The files that define each public class at their top level."""
    owners: dict[str, list[str]] = {}
    for file in files:
        for node in tree_of(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                owners.setdefault(node.name, []).append(file.name)
    return owners


def test_no_public_class_name_twice():
    twice = {name for name, files in public_classes(python_files("src", "studies")).items() if len(files) > 1}
    assert twice == set(), "a reader would take one for the other; rename one of the two"


def test_a_class_name_that_is_owned_twice_is_noticed(tmp_path):
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text("class Grid:\n    pass\n\n\nclass _Own:\n    pass\n", encoding="utf-8")
    assert public_classes(sorted(tmp_path.iterdir())) == {"Grid": ["first.py", "second.py"]}


def test_public_names_are_sorted_and_there():
    assert list(runoff.__all__) == sorted(set(runoff.__all__))
    for name in runoff.__all__:
        assert getattr(runoff, name) is not None


def test_importing_runoff_is_light():
    program = f"import sys, runoff; print([name for name in {HEAVY} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]", "import these where they are used"


def imported_libraries(file: Path) -> set[str]:
    """Top-level names of the modules that a file imports anywhere, without the standard library and runoff."""
    names = set()
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"runoff", "_typeshed"}  # type checkers know the latter


def test_every_imported_library_is_declared():
    extras = PROJECT["optional-dependencies"]
    optional = [requirement for extra in extras if extra not in {"dev", "peers"} for requirement in extras[extra]]
    names = [re.match(r"[\w.-]+", requirement) for requirement in [*PROJECT["dependencies"], *optional]]
    declared = {re.sub(r"[_.-]+", "-", name[0].lower()) for name in names if name}
    distributions = packages_distributions()
    undeclared = set()
    for file in python_files("src"):
        for library in imported_libraries(file):
            homes = {re.sub(r"[_.-]+", "-", home.lower()) for home in distributions.get(library, [library])}
            if not homes & declared:
                undeclared.add(f"{file.relative_to(ROOT)}: {library}")
    assert sorted(undeclared) == [], "declare these in pyproject.toml"


def test_the_package_shows_the_readme():
    assert (ROOT / "README.md").is_file()
    assert PROJECT.get("readme") == "README.md"


def test_no_lock_files():
    names = {"package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json"}
    locks = [
        file
        for file in project_files()
        if file.suffix == ".lock" or file.name in names or (file.name.startswith("pylock") and file.suffix == ".toml")
    ]
    assert relative(locks) == [], "constraints.txt is the only list of versions"


def test_no_registry_addresses():
    # Written in halves, or this file would find itself.
    addresses = ["pypi" + ".org", "files." + "pythonhosted", "index" + "-url", "registry." + "npmjs"]
    found = [file for file in project_files() if any(address in text_of(file) for address in addresses)]
    assert relative(found) == [], "where packages come from is the user's choice"


def test_no_paths_of_one_machine():
    # A home folder of / would match everything.
    places = [f"{place}/" for place in {str(Path.home()), str(ROOT)} if place.count("/") >= 1 and place != "/"]
    found = [file for file in project_files() if any(place in text_of(file) for place in places)]
    assert relative(found) == [], "these would not work anywhere else"


def test_constraints_are_names_and_versions():
    lines = text_of(ROOT / "constraints.txt").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins
    assert all(pin.count("==") == 1 and not set(pin) & set(" @/;#") for pin in pins)
