import errno
import gc
import os
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.tables import memory as scratch_module
from runoff.tables.memory import Scratch, in_file

CODE = """
import resource, numpy as np
from runoff.tables.memory import keep_freed_memory
{call}
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(200):
    np.ones(1 << 17)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(call: str) -> int:
    done = subprocess.run([sys.executable, "-c", CODE.format(call=call)], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(
    not hasattr(resource, "RUSAGE_SELF") or sys.platform != "linux", reason="counts page faults on Linux"
)
def test_blocks_are_used_again():
    assert faults("keep_freed_memory()") <= faults("")


def test_the_same_arrays(tmp_path):
    scratch = Scratch(tmp_path)
    values = np.random.default_rng(0).random((7, 3))
    moved = scratch.moved(values)
    assert moved.tobytes() == values.tobytes()
    assert type(moved) is np.ndarray
    assert in_file(moved)
    assert in_file(moved[1:, ::-2][:, :1].T)
    assert not in_file(values)
    assert not in_file(moved.copy())
    assert scratch.moved(moved) is moved
    assert scratch.size == values.nbytes


def test_zeros_in_either_order(tmp_path):
    columns = Scratch(tmp_path).empty((4, 2), np.int8, order="F")
    assert columns.flags.f_contiguous
    assert not columns.any()
    columns[:, 1] = 5
    assert columns.sum() == 20
    assert Scratch(tmp_path).empty((0, 10), np.int8).shape == (0, 10)


def test_files_have_no_names_and_go_with_their_arrays(tmp_path):
    array = Scratch(tmp_path).moved(np.arange(5000.0))
    assert list(tmp_path.iterdir()) == []
    assert mapped(tmp_path) == 1
    part = array[10:20]
    del array
    gc.collect()
    assert part.sum() == sum(range(10, 20))
    del part
    gc.collect()
    assert mapped(tmp_path) == 0


def mapped(folder):
    """How many files of a folder this process has mapped."""
    return sum(f"{folder}/" in line for line in Path("/proc/self/maps").read_text().splitlines())


def test_the_folder_of_temporary_files_by_default():
    assert Scratch().folder == Path(tempfile.gettempdir())


def test_a_folder_without_room(tmp_path, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(UsageError, match=r"nowhere: cannot take 80 bytes .* \(No such file or directory\)"):
        Scratch(tmp_path / "nowhere").moved(np.zeros(10))
    with pytest.raises(UsageError, match=r"cannot take 1,[\d,]+ bytes .* \([\d,]+ are free\)"):
        Scratch(tmp_path, needed=10**18)
    with pytest.raises(UsageError, match=r"nowhere: cannot take 5 bytes .* \(No such file or directory\)"):
        Scratch(tmp_path / "nowhere", needed=5)
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(UsageError, match=r"\(No space left on device\); expected a folder with room; name another$"):
        Scratch(tmp_path).moved(np.zeros(10))
    with pytest.raises(UsageError, match=r"; expected a folder with room; name one by TMPDIR$"):
        Scratch().moved(np.zeros(10))


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_many_arrays_share_few_files(tmp_path, monkeypatch):
    """Each file that is mapped counts among those that a process may have open, often 1024."""
    monkeypatch.setattr(scratch_module, "FILE_SIZE", 1 << 16)
    scratch = Scratch(tmp_path)
    before = open_files()
    arrays = [scratch.moved(np.arange(number, number + 1000.0)) for number in range(3000)]
    large = scratch.moved(np.ones(100_000, dtype=np.int16))
    assert open_files() - before < 100
    assert all(array[0] == number and array[-1] == number + 999 for number, array in enumerate(arrays))
    assert all(array.ctypes.data % 64 == 0 for array in arrays)
    assert large.sum() == 100_000
    assert scratch.size == 3000 * 8000 + 200_000
    del arrays, large, scratch
    gc.collect()
    assert mapped(tmp_path) == 0
    assert open_files() == before


def test_many_threads_take_arrays_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch_module, "FILE_SIZE", 1 << 14)
    scratch = Scratch(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        arrays = list(pool.map(lambda number: scratch.moved(np.full(77, number)), range(400)))
    assert all((array == number).all() for number, array in enumerate(arrays))


def test_a_system_that_cannot_promise_room(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate")
    monkeypatch.setattr(scratch_module, "_ZEROS", bytes(1000))
    scratch = Scratch(tmp_path)
    assert not scratch.empty((70, 50), np.int8).any()
    assert scratch.moved(np.arange(999.0)).sum() == sum(range(999))
