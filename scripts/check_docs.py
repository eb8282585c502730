"""Check the documentation: links and paths lead somewhere, Python blocks are Python, docs/index.md lists every page.

Run by `make docs`. Prints one line per problem and exits with status 1 if there is any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^ {0,3}```(\w*)[^\n]*\n(.*?)^ {0,3}```\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MADE = ("docs/reference/python.md",)
"""Pages that the build of the site makes."""
MENTION = re.compile(r"(?<![\w/\"'])docs(?:/[\w-]+)+\.md")
PROGRAM = re.compile(r"(?<![\w/])(?:tests|scripts)/[\w/]+\.py\b")
HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", re.MULTILINE)


def pages(root: Path) -> list[Path]:
    """Markdown files of the project: the root's, those in docs/ and the folder notes in src/."""
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("src/**/*.md")])


def anchors(text: str) -> set[str]:
    """Names that a link into this page may use after `#`."""
    prose = FENCE.sub("", text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(prose)}


def link_problems(page: Path, text: str) -> Iterator[str]:
    """Links to a file or heading that is not there."""
    for target in LINK.findall(INLINE_CODE.sub("", FENCE.sub("", text))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if file.as_posix().endswith(MADE):
            continue
        if not file.exists():
            yield f"link to {target}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"link to {target}: no such heading"


def code_problems(text: str) -> Iterator[str]:
    """Blocks marked `python` that Python cannot parse; `>>>` examples are run by the tests instead."""
    for language, code in FENCE.findall(text):
        if language != "python" or ">>>" in code:
            continue
        try:
            ast.parse(code)
        except SyntaxError as error:
            yield f"python block {code.strip().splitlines()[0]!r}: {error.msg}"


def path_problems(root: Path, text: str) -> Iterator[str]:
    """Tests and scripts that a page names and that are not there."""
    for path in sorted(set(PROGRAM.findall(text))):
        if not (root / path).is_file():
            yield f"names {path}: no such file"


def index_problems(root: Path) -> Iterator[str]:
    """Pages that docs/index.md does not link to."""
    index = root / "docs" / "index.md"
    targets = LINK.findall(index.read_text(encoding="utf-8"))
    linked = {(index.parent / target.partition("#")[0]).resolve() for target in targets}
    for page in sorted((root / "docs").glob("**/*.md")):
        if page != index and page.resolve() not in linked:
            yield f"docs/index.md: no link to {page.relative_to(root / 'docs')}"


def mention_problems(root: Path) -> Iterator[str]:
    """Pages that code or tests mention by their path, and that are not there."""
    for folder in ("src", "tests", "benchmarks", "studies"):
        for file in sorted((root / folder).glob("**/*.py")):
            if file.parent == root / "tests" / "scripts":  # they plant such mentions
                continue
            for mention in MENTION.findall(file.read_text(encoding="utf-8")):
                if not (root / mention).is_file():
                    yield f"{file.relative_to(root)}: no page {mention}"


def find_problems(root: Path = ROOT) -> list[str]:
    """All problems, each with the page it is on."""
    problems = []
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        faults = [*link_problems(page, text), *code_problems(text), *path_problems(root, text)]
        problems += [f"{page.relative_to(root)}: {problem}" for problem in faults]
    return [*problems, *index_problems(root), *mention_problems(root)]


def main() -> None:
    """Print the problems."""
    problems = find_problems()
    print("\n".join(problems) or f"docs: {len(pages(ROOT))} pages, no problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
