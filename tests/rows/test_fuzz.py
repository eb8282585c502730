"""The C of the reader with any bytes under AddressSanitizer and UndefinedBehaviorSanitizer.

The short form replays a small corpus and inputs made from it by chance, which takes a C compiler alone. The long one is
libFuzzer, which looks for inputs that reach new code. Both drive everything but the Python module, check laws of what
comes out, and let allocations fail; `fuzz/fuzz_rows.c` says how.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.programs import required

FUZZ = Path(__file__).parent / "fuzz"
ROOT = FUZZ.parents[2]
SOURCES = ROOT / "src" / "runoff" / "rows" / "compiled"
CORE = [file for file in sorted(SOURCES.glob("*.c")) if "Python.h" not in file.read_text(encoding="utf-8")]
CORE = [file for file in CORE if "python_types.h" not in file.read_text(encoding="utf-8")]
OURS = [FUZZ / name for name in ("allocation.c", "check_lists.c", "checks.c", "fuzz_rows.c")]
CORPUS = sorted((FUZZ / "corpus").iterdir())
INPUTS = 15_000
REPLAYED = f"{len(CORPUS)} files, {INPUTS} changed inputs\n"

ALLOCATION = [f"-D{name}=fuzz_{name}" for name in ("malloc", "calloc", "realloc")]
FLAGS = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}", f"-I{FUZZ}", *ALLOCATION]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}


def compiled_objects(folder: Path, sources: Sequence[Path], *flags: str) -> list[Path]:
    subprocess.run([required("gcc"), *FLAGS, *flags, *SANITIZERS, "-c", *sources], cwd=folder, check=True)
    return [folder / source.with_suffix(".o").name for source in sources]


def linked(folder: Path, objects: Sequence[Path]) -> Path:
    program = folder / "replay"
    subprocess.run([required("gcc"), *SANITIZERS, *objects, "-lm", "-o", program], check=True)
    return program


@pytest.fixture(scope="module")
def objects(tmp_path_factory) -> list[Path]:
    return compiled_objects(tmp_path_factory.mktemp("objects"), [*CORE, *OURS, FUZZ / "replay.c"])


def replayed(program: Path, inputs: int, seed: int) -> subprocess.CompletedProcess[str]:
    command = [str(program), str(inputs), str(seed), *map(str, CORPUS)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", check=False, env=ENVIRONMENT
    )


def test_the_corpus_is_small():
    assert sum(file.stat().st_size for file in CORPUS) < 100_000
    assert 20 < len(CORPUS) < 100


def test_the_core_is_all_but_the_python_module():
    left_out = {file.name for file in SOURCES.glob("*.c")} - {file.name for file in CORE}
    assert left_out == {"module.c", "python_batch.c", "python_judged.c", "python_lists.c"}


@pytest.mark.program
def test_changed_inputs(objects, tmp_path):
    outcome = replayed(linked(tmp_path, objects), INPUTS, seed=1)
    assert (outcome.returncode, outcome.stdout) == (0, REPLAYED), outcome.stderr


@pytest.mark.program
@pytest.mark.parametrize("flags", [("-DNO_AVX2",), ("-DNO_AVX2", "-DNO_SSE2")], ids=["SSE2", "words"])
def test_changed_inputs_on_other_processors(flags, objects, tmp_path):
    """Fields are found with narrower words where a processor lacks AVX2, and with those of eight bytes without SSE2."""
    (scan,) = compiled_objects(tmp_path, [SOURCES / "scan.c"], *flags)
    others = [other for other in objects if other.name != scan.name]
    outcome = replayed(linked(tmp_path, [*others, scan]), INPUTS, seed=2)
    assert (outcome.returncode, outcome.stdout) == (0, REPLAYED), outcome.stderr


FAULTS = {
    "a read behind the ids": ("batch.c", "size_t size = ID_PADDING;", "size_t size = 0;", "heap-buffer-overflow"),
    "a wrong order": (
        "sort.c",
        "ascending ? order < 0 : order > 0",
        "ascending ? order > 0 : order < 0",
        "broken: may_follow",
    ),
    "a leak": ("judged.c", "    free(self->slots);\n", "", "detected memory leaks"),
    "a failure ignored": ("lists.c", "if (slots == NULL)\n        return -1;", "", "runtime error|SEGV"),
    "a fault uncounted": ("batch.c", "if (!is_fine) {", "if (0) {", "broken: read->faults.total"),
    "an overflow": ("decimal.c", "value < EXPONENT_BOUND", "1", "signed integer overflow"),
    "a number": ("decimal.c", "run->is_cut |= digit != 0", "run->is_cut |= digit > 4", "broken: memcmp"),
}


@pytest.mark.program
@pytest.mark.parametrize("file, right, wrong, noticed", FAULTS.values(), ids=FAULTS)
def test_planted_faults_are_noticed(objects, file, right, wrong, noticed, tmp_path):
    text = (SOURCES / file).read_text(encoding="utf-8")
    assert right in text
    (tmp_path / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    (planted,) = compiled_objects(tmp_path, [tmp_path / file])
    others = [other for other in objects if other.name != planted.name]
    outcome = replayed(linked(tmp_path, [*others, planted]), INPUTS // 4, seed=1)
    assert outcome.returncode != 0
    assert any(words in outcome.stderr for words in noticed.split("|")), outcome.stderr


@pytest.mark.proof
@pytest.mark.parametrize("longest, inputs", [(200, 4_000_000), (1_000, 1_000_000), (20_000, 40_000)])
def test_millions_of_inputs(longest, inputs, tmp_path):
    program, found = tmp_path / "fuzz", tmp_path / "found"
    found.mkdir()
    sanitizers = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run([required("clang"), *FLAGS, *sanitizers, *OURS, *CORE, "-lm", "-o", program], check=True)
    options = [f"-max_len={longest}", f"-runs={inputs}", f"-dict={FUZZ / 'rows.dict'}", f"-artifact_prefix={tmp_path}/"]
    subprocess.run([program, *options, found, FUZZ / "corpus"], check=True, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
