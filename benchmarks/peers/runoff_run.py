"""The rows of a run file by runoff, all documents kept: RUN."""

from __future__ import annotations

import sys

from runoff.files import read_run

print(len(read_run(sys.argv[1])))
