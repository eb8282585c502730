"""The size of a compressed file's content, found by reading all of it: KIND FILE."""

from __future__ import annotations

import bz2
import lzma
import sys

size = 0
with bz2.open(sys.argv[2]) if sys.argv[1] == "bzip2" else lzma.open(sys.argv[2]) as stream:
    while chunk := stream.read(1 << 20):
        size += len(chunk)
print(size)
