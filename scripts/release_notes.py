"""Print the section of CHANGELOG.md of a version, the notes of a release: `python -m scripts.release_notes 0.2.0`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


def release_notes(changelog: str, version: str) -> str:
    """Everything below the heading `## [version]`, up to the next version; KeyError if there is none."""
    sections = re.split(r"^## \[(.+?)\].*\n", changelog, flags=re.MULTILINE)
    return dict(zip(sections[1::2], sections[2::2], strict=True))[version].strip()


def main() -> None:
    """Print the notes of the version that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m scripts.release_notes VERSION")
    try:
        print(release_notes(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1]))
    except KeyError:
        sys.exit(f"CHANGELOG.md has no section [{sys.argv[1]}]; rename [Unreleased] before you tag a release")


if __name__ == "__main__":
    main()
