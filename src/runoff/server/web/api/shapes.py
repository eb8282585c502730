"""Types of the answers of the API, for its OpenAPI description."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, get_type_hints

from pydantic import BaseModel, Field, create_model

from runoff.tables.settings import SETTINGS, BoardSettings


class Fault(BaseModel):
    """What was wrong."""

    kind: str
    message: str
    problems: list[str]


class FaultAnswer(BaseModel):
    """Every answer with a status of 400 or above."""

    error: Fault


class BoardAnswer(BaseModel):
    """A board in the list of boards."""

    slug: str
    title: str
    description: str
    measure: str
    is_open: bool
    opens_at: datetime | None
    closes_at: datetime | None
    upload_limit: int
    runs: int
    url: str


class BoardsAnswer(BaseModel):
    """All boards."""

    boards: list[BoardAnswer]


_SETTINGS: dict[str, Any] = {
    name: (kind, Field(description=SETTINGS[name].help)) for name, kind in get_type_hints(BoardSettings).items()
}
SettingsAnswer: type[BaseModel] = create_model(
    "SettingsAnswer", __doc__="The settings of a board; times are in UTC, sizes in bytes.", **_SETTINGS
)


class QuotaAnswer(BaseModel):
    """What a team may still submit; times are in UTC.

    `member` is who has used more than the team itself, in all their teams together; null if nobody has.
    """

    team: str
    used: int
    most: int
    left: int
    window_days: int
    variants_used: int
    variants: int
    free_at: datetime
    variant_free_at: datetime | None
    member: str | None


class AcceptedAnswer(BaseModel):
    """A run that was taken and waits to be scored."""

    id: int
    name: str
    status: Literal["queued", "scoring", "scored", "rejected"]
    status_url: str


class CheckAnswer(BaseModel):
    """What a dry run found; nothing was kept and no submission was used."""

    dry_run: bool
    is_fine: bool
    problems: list[str]
    queries: int
    missing_queries: int
    quota: QuotaAnswer


class ScoreAnswer(BaseModel):
    """A mean."""

    labels: str
    queries: str
    measure: str
    mean: float
    query_count: int
    missing_queries: int
    private: bool


class VerdictAnswer(BaseModel):
    """What was concluded against the record of the day.

    Without a champion it was the first run; with one and without a verdict, the two could not be compared.
    """

    champion: int | None
    overall: str | None
    how: list[str]
    strict: str | None
    do_no_harm: str | None
    sentence: str
    details: dict[str, Any]
    decided_at: datetime


class RunAnswer(BaseModel):
    """A run and how far it is."""

    id: int
    board: str
    name: str
    team: str | None
    description: str
    status: Literal["queued", "scoring", "scored", "rejected"]
    submitted_at: datetime
    scored_at: datetime | None
    problems: list[str]
    scores: list[ScoreAnswer]
    verdict: VerdictAnswer | None
    held: bool = Field(description="Its scores are not shown: it does not beat its team's best by more than noise.")
    sha256: str | None
    metadata: dict[str, Any] = Field(description="The ir_metadata in the header of the file, as far as you may see it.")


FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": FaultAnswer, "description": text}
    for status, text in (
        (400, "The address holds the character U+0000."),
        (401, "No token, or one that cannot be used."),
        (403, "Not allowed."),
        (404, "Not there, or not for you."),
        (422, "The request cannot be used."),
        (503, "The database is busy; try again."),
    )
}
SUBMIT_FAULTS: dict[int | str, dict[str, Any]] = {
    **FAULTS,
    409: {"model": FaultAnswer, "description": "The board is closed, or the team has this run already."},
    413: {"model": FaultAnswer, "description": "The file is too large."},
    429: {"model": FaultAnswer, "description": "No submission is left; Retry-After says when the next is."},
    507: {"model": FaultAnswer, "description": "The disk is full; nothing was kept."},
}
