"""What `runoff check` finds beyond what reading refuses: every message once, in the order of display.

The faults for which reading refuses a file have their words where they are found, in `runoff.files`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runoff.display.rows import column, row_class


@row_class
class Finding:
    """One fault or doubt: its line (0 for the whole file), what it is, what was expected and what to do."""

    line: int = column("Line", "count")
    what: str = column("What")
    expected: str = column("Expected")
    fix: str = column("What to do")

    @property
    def sentence(self) -> str:
        """All of it in one line."""
        expected = f"; expected {self.expected}" if self.expected else ""
        return f"{self.what}{expected}{f'; {self.fix}' if self.fix else ''}"


@dataclass(frozen=True)
class Message:
    """A finding with places for numbers and names in braces.

    is_error  whether the files cannot be used together; else it is a warning
    """

    is_error: bool
    fault: str
    expected: str
    fix: str

    def finding(self, line: int = 0, **facts: object) -> Finding:
        """The message about one file."""
        return Finding(line, *(text.format(**facts) for text in (self.fault, self.expected, self.fix)))


NO_COMMON_QUERIES: Final = Message(
    True,
    "no query in common with {qrels}, which has {queries:,}",
    "query ids such as '{like}'",
    "check that run and labels belong together",
)
NO_JUDGED_DOCUMENT: Final = Message(
    True,
    "no document of any list is judged in {qrels}, so all scores would be 0",
    "document ids such as '{like}'",
    "check that document ids are spelled as in the labels",
)
MISSING_METADATA: Final = Message(
    True,
    "no value for {fields} in its ir_metadata",
    "every field that this board requires",
    "add it to the header, between '# ir_metadata.start' and '# ir_metadata.end'",
)
UNKNOWN_QUERIES: Final = Message(
    True,
    "{count:,} of {queries:,} chosen queries are not in {qrels}, the first is '{like}'",
    "queries with judgments",
    "check the list of queries",
)
BAD_RANKS: Final = Message(
    False,
    "rows whose rank is not a whole number: {count:,}; the first has {value}",
    "ranks 1, 2, 3 and so on",
    "write the rank as a number, though the list is ordered by the scores",
)
NOT_FROM_ONE: Final = Message(
    False,
    "ranks do not start at 1 for {count:,} of {queries:,} queries; the lowest of query '{query}' is {value}",
    "ranks 1, 2, 3 and so on",
    "number the documents of each query from 1, or look for lost lines",
)
RANK_TWICE: Final = Message(
    False,
    "two documents have the same rank for {count:,} of {queries:,} queries; query '{query}' has rank {value} twice",
    "every rank once per query",
    "number the documents of each query from 1",
)
CONTRADICTED: Final = Message(
    False,
    "scores contradict ranks for {count:,} of {queries:,} queries; the document at rank {value} of query '{query}' has "
    "a higher score than the one before it",
    "scores that fall as ranks rise, since the list is ordered by the scores",
    "sort by score before numbering; if a low score is good, write minus the score",
)
ONE_SCORE: Final = Message(
    False,
    "all documents have the same score for {count:,} of {queries:,} queries, such as '{query}'",
    "scores that order the list",
    "write the scores of the system, or minus the rank",
)
TIES: Final = Message(
    False,
    "equal scores at ranks {depth:,} and {next:,} for {count:,} of {queries:,} queries",
    "few such ties, since there the tie rule ({tie_rule}) decides what is inside rank {depth:,}",
    "write scores with more digits",
)
OTHER_TAGS: Final = Message(
    False,
    "rows with another run tag than the first row: {count:,}; the first of them has {value}",
    "one run in a file",
    "check that no runs were put together by mistake",
)
DROPPED: Final = Message(
    False,
    "rows dropped, whose documents are listed more than once for a query: {count:,}; --duplicates {rule} allows them",
    "every document once per query",
    "remove the repeats",
)
MISSING_QUERIES: Final = Message(
    False,
    "no document for {count:,} of the {queries:,} queries of {qrels}, such as '{query}'",
    "documents for every judged query, since the others score 0",
    "complete the run",
)
FEW_DOCUMENTS: Final = Message(
    False,
    "documents per query (median): {count:,}; in the other runs {others:,}",
    "lists about as long as those of the other runs",
    "check that the file is complete and not cut at another rank",
)
UNJUDGED: Final = Message(
    False,
    "{share:.0%} of the documents to rank {depth:,} are not judged in {qrels}",
    "mostly judged documents, since the others count as not relevant",
    "read scores with care, or have the documents judged (runoff pool)",
)
SAME_FILE: Final = Message(
    False,
    "the same bytes as {other}",
    "another run in every file",
    "leave one out, or check that the right file was copied",
)
NO_RELEVANT: Final = Message(
    False,
    "no relevant document for {count:,} of {queries:,} queries, such as '{query}'",
    "a relevant document for every query, since most measures are 0 there for every run",
    "check the labels, or leave these queries out (--queries)",
)

MESSAGES: Final = (
    *(
        NO_COMMON_QUERIES,
        NO_JUDGED_DOCUMENT,
        MISSING_METADATA,
        UNKNOWN_QUERIES,
        BAD_RANKS,
        NOT_FROM_ONE,
        RANK_TWICE,
        CONTRADICTED,
    ),
    *(ONE_SCORE, TIES, OTHER_TAGS, DROPPED, MISSING_QUERIES, FEW_DOCUMENTS, UNJUDGED, SAME_FILE, NO_RELEVANT),
)
"""All of them; each is in docs/reference/check.md."""
