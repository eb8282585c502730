"""Look for words that runoff does not use: old names, odd phrases, and translations of German idioms.

Run by `make lint`. It reads what people read: strings, docstrings and comments in Python, templates and scripts in
src/, and the documentation outside code blocks. Prints one line per finding and exits with status 1 if there is any.

A line that needs such a word says why, on the same line or the line above: `# words: REASON` in Python,
`<!-- words: REASON -->` in Markdown, `{# words: REASON #}` in a template, `// words: REASON` in a script.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

INSTEAD = {
    r"mend(?:s|ed|ing)?": "fix",
    r"stands? twice": "appears twice, is listed twice",
    r"stands? (?:beside|there|here|in(?! for)|at|by|on|behind|before|together)": "is, appears",
    r"told": "reported, shown; recognised",
    r"tells? (?:\w+ ){0,3}apart": "distinguishes; differs significantly",
    r"in the mean(?! (?:[A-Z`{%|*]|difference|rank|score))": "on average",
    r"(?<!there )is no (?:\w+ )?"
    r"(?:number|date|id|name|file|folder|text|measure|test|rank|grade|sign|proof|promise|fault|finding|scale)": (
        "is not"
    ),
    r"seen from": "detectable; smallest detectable difference",
    r"could (?:hardly )?have (?:been )?seen": "power",
    r"sights?": "power, smallest detectable difference",
    r"duels?": "comparison",
    r"contests?": "comparison of several challengers",
    r"so many": "N; a given number of",
    r"what there is": "say what it is",
    r"lies?(?! (?:about|detector))": "is, is stored",
    r"kept away": "not shown, cached",
    r"the middle one": "the median",
    r"[\d,]+ such queries": "queries",
    r"of further ones": "other",
    r"takes? long": "takes a long time; slow",
    r"to be had": "available",
    r"anew": "again",
    r"is kept under": "is cached by",
    r"in a ring": "in a cycle",
    r"how alike": "how similar",
    r"in the median": "the median",
    r"speaks? (?:of|for|against)": "refers to; favours; contradicts",
    r"(?:with|by) the root of": "the square root",
    r"no \w+ can tell(?! \w+ apart)": "not significantly different",
    r"(?<!effectiveness )(?<!evaluation )metrics?": "measure",  # titles of papers
}
"""A pattern for words that are not used, and what to write instead; upper and lower case are the same."""

PATTERN = re.compile(r"(?<![\w/_.-])(?:" + "|".join(f"({words})" for words in INSTEAD) + r")(?![\w_])", re.IGNORECASE)
ALLOWED = re.compile(r"\bwords: \S")
FENCE = re.compile(r"^ {0,3}```.*?^ {0,3}```\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
BRACES = re.compile(r"\{[^{}\n]*\}")
STRUCK_OUT = re.compile(r"~~.*?~~", re.DOTALL)
NOT_READ = ("CHANGELOG.md", "commands.md")
"""History, in the words of its day; and a page that is made from the help of the commands, which is read in src/."""


class Finding(NamedTuple):
    """One word that should be another."""

    line: int
    words: str
    instead: str


def findings_in_text(text: str, first_line: int = 1) -> Iterator[Finding]:
    """Words in a text whose first line has the given number."""
    for found in PATTERN.finditer(text):
        instead = list(INSTEAD.values())[(found.lastindex or 1) - 1]
        yield Finding(first_line + text.count("\n", 0, found.start()), found[0], instead)


def findings_in_python(text: str) -> Iterator[Finding]:
    """Words in strings and comments; a reason above a string holds for all of its lines."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind in {"STRING", "COMMENT", "FSTRING_MIDDLE"}:
            first = token.start[0]
            if not any(ALLOWED.search(line) for line in lines[max(first - 2, 0) : first]):
                is_formatted = "f" in token.string.lower().partition(token.string[-1])[0]
                prose = BRACES.sub("{}", token.string) if is_formatted else token.string
                yield from findings_in_text(prose, first)


def findings_in_markdown(text: str) -> Iterator[Finding]:
    """Words in prose: code and what is struck out are left out."""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    for pattern in (FENCE, INLINE_CODE, STRUCK_OUT):
        text = pattern.sub(blank, text)
    return findings_in_text(text)


def files(root: Path) -> list[Path]:
    """Everything that is read: the documentation, and code and templates in src/."""
    pages = [page for page in (*root.glob("*.md"), *root.glob("docs/**/*.md")) if page.name not in NOT_READ]
    sources = [file for ending in ("py", "html", "js", "md", "txt") for file in root.glob(f"src/**/*.{ending}")]
    return sorted([*pages, *sources])


def find_problems(root: Path = ROOT) -> list[str]:
    """All findings, each with its file and line."""
    problems = []
    for file in files(root):
        text = file.read_text(encoding="utf-8")
        read = {".py": findings_in_python, ".md": findings_in_markdown}.get(file.suffix, findings_in_text)
        lines = text.splitlines()
        for finding in read(text):
            near = lines[max(finding.line - 2, 0) : finding.line]
            if not any(ALLOWED.search(line) for line in near):
                place = f"{file.relative_to(root)}:{finding.line}"
                problems.append(f"{place}: {finding.words!r}; write: {finding.instead}")
    return problems


def main() -> None:
    """Print the findings."""
    problems = find_problems()
    print("\n".join(problems) or f"words: {len(files(ROOT))} files, no problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
