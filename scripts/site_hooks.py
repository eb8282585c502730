"""What mkdocs does in addition: it takes pages from outside docs/, makes the page of Python, and adapts links."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

from scripts.reference import python_page

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

MADE = {"reference/python.md": python_page}
"""Pages that every build writes."""
ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = tuple(f"examples/{file.name}" for file in sorted((ROOT / "examples").iterdir()) if file.is_file())
FROM_ROOT = ("CHANGELOG.md", "CONTRIBUTING.md", "GLOSSARY.md", *EXAMPLES)
"""Files that live outside docs/ and have a place on the site."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for place in FROM_ROOT:
        files.append(File.generated(config, place, abs_src_path=str(ROOT / place)))
    for place, write in MADE.items():
        files.append(File.generated(config, place, content=write()))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Let links out of docs/ and into it lead to the same pages on the site."""
    is_outside = page.file.src_uri in FROM_ROOT
    folder = posixpath.dirname(page.file.src_uri if is_outside else f"docs/{page.file.src_uri}")

    def to_site(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[1])).removeprefix("docs/")
        return f"]({posixpath.relpath(target, posixpath.dirname(page.file.src_uri) or '.')}"

    return re.sub(r"\]\((?![a-z]+:|#)([\w/.-]+)", to_site, markdown)
