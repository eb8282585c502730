import resource
import subprocess
import sys

import pytest

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
