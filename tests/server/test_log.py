"""The log: what runoff does and what others warn of, on standard error."""

import subprocess
import sys

PROGRAM = """
import logging
from runoff.server.log import start_log
start_log()
logging.getLogger("runoff.worker").info("job 7 is done")
logging.getLogger("other").info("noise")
logging.getLogger("other").warning("trouble")
"""


def test_lines_of_the_log():
    shown = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert shown.stdout == ""
    first, second = shown.stderr.splitlines()
    assert first.endswith(" runoff.worker INFO job 7 is done")
    assert second.endswith(" other WARNING trouble")
