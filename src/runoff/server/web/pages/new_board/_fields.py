"""The fields of a new board beside its settings: files."""

from __future__ import annotations

from typing import Final

from runoff.server.cases.boards.files import SentFile, SentSets
from runoff.server.web.board_form import setting_groups
from runoff.server.web.form_values import Values
from runoff.server.web.frame.fields import Field, FieldGroup
from runoff.tables.settings import SETTINGS, OrganiserSettings

LABEL_ROWS: Final = 3
EMPTY: Final = OrganiserSettings(title="", measure="RR@10")
"""What a new form holds."""


def board_groups() -> tuple[FieldGroup, ...]:
    """The whole form of a new board."""
    first, second, *rest = setting_groups(EMPTY, is_new=True)
    return first, second, _files(), *rest


def archive_groups() -> tuple[FieldGroup, ...]:
    """The form with an archive."""
    slug = Field(name="archive_slug", label=SETTINGS["slug"].label, required=True, hint=SETTINGS["slug"].help)
    file = Field(name="archive", label="Archive", kind="file", required=True)
    most = Field(name="archive_most", label="Submissions of a team in 30 days", kind="number", value="2")
    return (FieldGroup(title="The archive", fields=(slug, file, most)),)


def sent_sets(values: Values, files: dict[str, SentFile]) -> SentSets:
    """The files of the form; what is missing is in `values.problems`."""
    labels: list[tuple[str, str, SentFile]] = []
    for row in range(1, LABEL_ROWS + 1):
        name, field = " ".join(values.text(f"label_name_{row}").split()), f"label_file_{row}"
        if field in files:
            if not 0 < len(name) <= 50 or not name.isprintable():
                values.problems[f"label_name_{row}"] = "nothing here; expected a name of at most 50 characters"
            if name in [one[0] for one in labels]:
                values.problems[f"label_name_{row}"] = f"{name!r} is there twice; expected another name"
            labels.append((name, field, files[field]))
    if not labels:
        values.problems["label_file_1"] = "no file; expected labels, a qrels file; choose one"
    return SentSets(
        labels=labels,
        public=files.get("public_queries"),
        development=files.get("development_queries"),
        private=files.get("private_queries"),
        private_labels=files.get("private_labels"),
    )


def _files() -> FieldGroup:
    rows = []
    for row in range(1, LABEL_ROWS + 1):
        rows += [
            Field(name=f"label_name_{row}", label="Name of the labels" if row == 1 else f"Name of more labels ({row})",
                  value="labels" if row == 1 else "",
                  hint="The board ranks by the first labels." if row == 1 else "If there are any."),
            Field(name=f"label_file_{row}", label="Labels" if row == 1 else f"More labels ({row})", kind="file",
                  hint="A qrels file: query, 0, document, grade. Plain or compressed." if row == 1 else ""),
        ]  # fmt: skip
    return FieldGroup(
        title="Queries and labels",
        fields=(
            *rows,
            Field(name="public_queries", label="Public queries", kind="file",
                  hint="Teams see scores on them, not their labels; the board ranks by them. A query id on each line. "
                       "Without a file: all queries with labels that are in no other list."),
            Field(name="development_queries", label="Development queries", kind="file",
                  hint="Teams hold their labels. They are shown as a condition of their own."),
            Field(name="private_queries", label="Private queries", kind="file",
                  hint="Sealed with their labels: no scores are shown before the end, and then means alone."),
            Field(name="private_labels", label="Private labels", kind="file",
                  hint="A qrels file of the private queries, if the labels above do not hold them."),
        ),
    )  # fmt: skip


FILES: Final = sum(field.kind == "file" for field in _files().fields)
"""How many files the form of a new board has; a browser sends them all, empty ones too."""
