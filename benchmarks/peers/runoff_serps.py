"""The retrieved ranks of a run file by runoff, only judged documents kept: RUN QRELS."""

from __future__ import annotations

import sys

from runoff.files import read_qrels, read_serps

print(read_serps(sys.argv[1], read_qrels(sys.argv[2])).retrieved.sum())
