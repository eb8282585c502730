"""Put faults into the source, one at a time, and see that the tests notice each of them.

The faults are listed in `scripts/mutation_list.py` and `scripts/mutation_list_server.py`. Each is put into a copy of
the checkout, never into the checkout itself. The tests that should notice it run first; the whole suite only where they
do not. Before all that these first tests run without any fault: a test that fails anyhow proves nothing.

    python scripts/mutations.py --json now.json                        # this checkout
    python scripts/mutations.py --checkout ../before --json then.json  # another one, with the same list
    python scripts/mutations.py --json now.json --compare then.json    # and what was noticed then and is not now

Exit status 1 if a fault was not noticed, 2 if the list does not fit the checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scripts.mutation_list import Mutation

ROOT: Final = Path(__file__).resolve().parent.parent
DATA_VARIABLE: Final = "RUNOFF_TEST_DATA"
LEFT_BEHIND: Final = (
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info", "build", "dist", "runoff-demo", "site",
)  # fmt: skip
"""What a copy of the checkout does without."""
FIRST_SECONDS: Final = 300
BASELINE_SECONDS: Final = 1800
WHOLE_SECONDS: Final = 5400
END_SECONDS: Final = 60
"""How long tests that are told to end may clean up."""
CAUGHT: Final = ("caught", "caught late")
_SUMMARY: Final = "short test summary info"
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
_WHY: Final = re.compile(r"^\S+\.py:\d+: (.+)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a fault.

    status   caught by the first tests, caught late by the whole suite, survived, or no baseline: the first tests fail
             without it too
    test     the first test that failed, and why: the beginning of its message
    is_whole whether a survivor met the whole suite
    """

    name: str
    file: str
    status: str
    test: str = ""
    why: str = ""
    seconds: float = 0.0
    is_whole: bool = False

    @property
    def is_caught(self) -> bool:
        """Whether some test noticed it."""
        return self.status in CAUGHT


@dataclass(frozen=True, kw_only=True)
class Run:
    """How tests ended: which of them failed, and the beginning of the first message."""

    passed: bool
    failures: tuple[str, ...] = ()
    why: str = ""
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Examination:
    """What all runs of tests have in common."""

    checkout: Path
    python: str
    marks: str

    def run(self, folder: Path, paths: Sequence[str], *options: str, seconds: float) -> Run:
        """Run tests in a copy; some that do not end in time have failed."""
        command = [self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", "-m", self.marks]
        began = time.monotonic()
        # A file and no pipe: what the tests leave running cannot hold it open. A session of its own, to end all of it.
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            started = subprocess.Popen(
                [*command, *options, *paths],
                cwd=folder,
                env=self._environment(folder),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                status = started.wait(seconds)
            except subprocess.TimeoutExpired:
                _end(started)
                return Run(passed=False, failures=(f"did not end in {seconds:.0f} s",), seconds=seconds)
            output.seek(0)
            said = output.read()
        spent = time.monotonic() - began
        if status == 0:
            return Run(passed=True, seconds=spent)
        failed = tuple(_FAILED.findall(said.rpartition(_SUMMARY)[2])) or ("no test, but pytest itself",)
        found = _WHY.search(said)
        why = found[1] if found else " ".join(said.split())[-200:]
        return Run(passed=False, failures=failed, why=why[:200], seconds=spent)

    def _environment(self, folder: Path) -> dict[str, str]:
        own = dict(os.environ)
        own["PYTHONPATH"] = f"{folder / 'src'}{os.pathsep}{folder}"
        own["PYTHONDONTWRITEBYTECODE"] = ""
        data = self.checkout.parent / "shared" / "data"
        if DATA_VARIABLE not in own and data.is_dir():
            own[DATA_VARIABLE] = str(data)
        return own


def _end(started: subprocess.Popen[bytes]) -> None:
    """End tests: asked first, since a database that they started is stopped by their cleaning up."""
    started.send_signal(signal.SIGINT)
    try:
        started.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def load_mutations() -> tuple[Mutation, ...]:
    """The whole list."""
    sys.path.insert(0, str(ROOT))  # this file is a program, and the lists are modules beside it
    from scripts.mutation_list import NUMBERS
    from scripts.mutation_list_server import SERVER

    return (*NUMBERS, *SERVER)


def list_problems(mutations: Sequence[Mutation], checkout: Path) -> list[str]:
    """Why the list cannot be used with a checkout."""
    names = [one.name for one in mutations]
    problems = [f"{name}: is listed twice in the list" for name in sorted(set(names)) if names.count(name) > 1]
    for one in mutations:
        file = _source(checkout, one)
        if not file.is_file():
            problems.append(f"{one.name}: there is no src/runoff/{one.file}")
            continue
        times = file.read_text(encoding="utf-8").count(one.old)
        if times != 1:
            problems.append(f"{one.name}: the old text stands {times} times in src/runoff/{one.file}; expected once")
        if one.old == one.new:
            problems.append(f"{one.name}: the old and the new text are the same")
        if not _there(checkout, one.paths):
            problems.append(f"{one.name}: none of its first tests is there ({' '.join(one.paths)})")
    return problems


@contextmanager
def mutated(folder: Path, mutation: Mutation) -> Iterator[None]:
    """A copy with a fault in it, and without it again afterwards."""
    file = _source(folder, mutation)
    content, times = file.read_bytes(), file.stat()
    file.write_text(content.decode().replace(mutation.old, mutation.new), encoding="utf-8")
    # Compiled files are told by time in seconds and size: the two texts must differ in time.
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns + 3_600_000_000_000))
    try:
        yield
    finally:
        file.write_bytes(content)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def find_bad_baselines(
    examination: Examination, folder: Path, mutations: Sequence[Mutation], jobs: int
) -> dict[tuple[str, ...], str]:
    """Sets of first tests that fail without any fault, each with a test that does.

    All of them run together; only sets with a failure among them run again, alone, as they do with a fault.
    """
    sets = list(dict.fromkeys(_there(folder, one.paths) for one in mutations))
    everything = sorted({path for paths in sets for path in paths})
    print(f"without any fault: {len(everything)} files and folders of tests", flush=True)
    together = examination.run(folder, everything, "-n", str(jobs), seconds=BASELINE_SECONDS)
    print(
        f"  {'fine' if together.passed else f'{len(together.failures)} failed'} in {together.seconds:.0f} s", flush=True
    )
    if together.passed:
        return {}
    failed = together.failures
    bad: dict[tuple[str, ...], str] = {}
    for paths in sets:
        if any(name.startswith(paths) for name in failed) or not all("::" in name for name in failed):
            alone = examination.run(folder, paths, "-x", seconds=FIRST_SECONDS)
            if not alone.passed:
                bad[paths] = alone.failures[0]
                print(f"  fails without any fault: {bad[paths]}", flush=True)
    return bad


def examine(
    examination: Examination, mutations: Sequence[Mutation], *, jobs: int, whole: bool
) -> tuple[Outcome, ...]:  # fmt: skip
    """What becomes of each fault, in the order of the list."""
    found: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory(prefix="mutations-") as place:
        folders: queue.Queue[Path] = queue.Queue()
        for number in range(jobs):
            folder = Path(place) / str(number)
            shutil.copytree(examination.checkout, folder, ignore=shutil.ignore_patterns(*LEFT_BEHIND), symlinks=True)
            folders.put(folder)
        bad = find_bad_baselines(examination, Path(place) / "0", mutations, jobs)

        def first(one: Mutation) -> Outcome:
            folder = folders.get()
            try:
                return _examine_first(examination, folder, one, bad)
            finally:
                folders.put(folder)

        with ThreadPoolExecutor(jobs) as pool:
            asked = [pool.submit(first, one) for one in mutations]
            try:
                for number, done in enumerate(as_completed(asked), start=1):
                    outcome = done.result()
                    found[outcome.name] = outcome
                    _tell(outcome, f"{number} of {len(mutations)}")
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)  # those that run are waited for, no other is begun
                raise
        for one in mutations:
            if whole and found[one.name].status == "survived":
                found[one.name] = _examine_whole(examination, folders.queue[0], one, found[one.name])
                _tell(found[one.name], "whole suite")
    return tuple(found[one.name] for one in mutations)


def _examine_first(
    examination: Examination, folder: Path, one: Mutation, bad: dict[tuple[str, ...], str]
) -> Outcome:  # fmt: skip
    paths = _there(folder, one.paths)
    if paths in bad:
        return Outcome(name=one.name, file=one.file, status="no baseline", test=bad[paths])
    with mutated(folder, one):
        run = examination.run(folder, paths, "-x", seconds=FIRST_SECONDS)
    return _outcome(one, run, "caught")


def _examine_whole(examination: Examination, folder: Path, one: Mutation, before: Outcome) -> Outcome:
    with mutated(folder, one):
        run = examination.run(folder, (), "-x", "-n", "2", "--dist", "worksteal", seconds=WHOLE_SECONDS)
    return _outcome(one, run, "caught late", spent=before.seconds, is_whole=True)


def _outcome(one: Mutation, run: Run, caught: str, *, spent: float = 0.0, is_whole: bool = False) -> Outcome:
    return Outcome(
        name=one.name,
        file=one.file,
        status="survived" if run.passed else caught,
        test="" if run.passed else run.failures[0],
        why=run.why,
        seconds=round(run.seconds + spent, 1),
        is_whole=is_whole,
    )


def _tell(outcome: Outcome, where: str) -> None:
    status = outcome.status.upper() if not outcome.is_caught else outcome.status
    behind = f"  ({outcome.test})" if outcome.test else ""
    print(f"{where:>11}  {status:<11} {outcome.seconds:6.1f} s  {outcome.name}{behind}", flush=True)


def _source(folder: Path, mutation: Mutation) -> Path:
    return folder / "src" / "runoff" / mutation.file


def _there(folder: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of some tests that a checkout has: another version may have put some of them together."""
    return tuple(path for path in paths if (folder / path.partition("::")[0]).exists())


def lost(before: Path, now: Sequence[Outcome]) -> list[str]:
    """Names of faults that were noticed before and are not now; only of those that were looked at now."""
    then = {one["name"]: one["status"] for one in json.loads(before.read_text(encoding="utf-8"))["mutations"]}
    return [one.name for one in now if then.get(one.name) in CAUGHT and not one.is_caught]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Put faults into the source and see that the tests notice them.")
    parser.add_argument("--checkout", type=Path, default=ROOT, metavar="DIR", help="the project to examine")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has pytest and all extras")
    parser.add_argument("--only", action="append", metavar="NAME", help="faults with this in their name; repeatable")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="faults at a time")
    parser.add_argument("--marks", default="not proof", metavar="MARKS", help="which tests, as for pytest -m")
    parser.add_argument("--whole", action=argparse.BooleanOptionalAction, default=True,
                        help="run the whole suite on those that the first tests do not notice")  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to this file")
    parser.add_argument("--compare", type=Path, metavar="BEFORE.json", help="results of another checkout")
    parser.add_argument("--list", action="store_true", help="only list the faults, and look whether they fit")
    return parser.parse_args()


def main() -> None:
    """Examine a checkout."""
    asked = _arguments()
    chosen = [
        one
        for one in load_mutations()
        if not asked.only or any(part.lower() in one.name.lower() for part in asked.only)
    ]
    checkout = asked.checkout.resolve()
    problems = list_problems(chosen, checkout) if chosen else ["no fault has such a name; see --list"]
    if asked.list:
        print("\n".join(f"{one.name}  (src/runoff/{one.file})" for one in chosen))
    if problems:
        print("\n".join(problems), file=sys.stderr)
        sys.exit(2)
    if asked.list:
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the copies are removed then, too
    began = time.monotonic()
    examination = Examination(checkout=checkout, python=asked.python, marks=asked.marks)
    found = examine(examination, chosen, jobs=asked.jobs, whole=asked.whole)
    if asked.json is not None:
        text = json.dumps({"mutations": [asdict(one) for one in found]}, indent=1, ensure_ascii=False)
        asked.json.write_text(text + "\n", encoding="utf-8")
    rest = [one for one in found if not one.is_caught]
    print(f"\n{len(found) - len(rest)} of {len(found)} faults were noticed, in {time.monotonic() - began:.0f} s")
    for one in rest:
        print(f"  {one.status}: {one.name}")
    gone = [] if asked.compare is None else lost(asked.compare, found)
    if asked.compare is not None:
        print(
            "\n".join(f"  noticed before and not now: {name}" for name in gone)
            or "  all that was noticed before is noticed"
        )
    sys.exit(bool(rest or gone))


if __name__ == "__main__":
    main()
