"""The settings of a judging campaign, each declared once; forms, checks and the database take them from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Final, Literal

from runoff.errors import UsageError
from runoff.tables.setting_types import Amount, Flag, OneOf, SettingType, ShortText, Whole
from runoff.tables.settings import Setting, check_settings, declared_settings

Way = Literal["full", "sequential"]
CAMPAIGN_GROUP: Final = "The campaign"
JUDGED: Final = "What is judged"
TASKS: Final = "Tasks and pay"
TEXTS: Final = "What assessors read first"
AFTERWARDS: Final = "Afterwards"
LONGEST_CURRENCY: Final = 20


@dataclass(frozen=True, kw_only=True)
class CampaignSettings:
    """Everything that organisers choose.

    board_id                the board
    query_texts, doc_texts  stored files with the texts of the collection; None: assessors see ids alone
    """

    board_id: int | None = None
    query_texts: str | None = None
    doc_texts: str | None = None
    title: Annotated[
        str,
        Setting(
            SettingType("the name of the campaign"), "Title", "Assessors see this title.", CAMPAIGN_GROUP, required=True
        ),
    ]
    slug: Annotated[
        str,
        Setting(
            SettingType("a name such as spring-2026"),
            "Name in addresses and files",
            "Lowercase letters, digits and hyphens, such as spring-2026. It cannot be changed later.",
            CAMPAIGN_GROUP,
            required=True,
            fixed=True,
        ),
    ]
    label_set: Annotated[
        str,
        Setting(
            SettingType("the name of open labels"),
            "Labels",
            "The judgments can become their next version. Private labels cannot be judged.",
            CAMPAIGN_GROUP,
            planned=True,
        ),
    ] = ""
    depth: Annotated[
        int,
        Setting(
            Whole(low=1, high=1000),
            "Pool depth",
            "How many top documents of each run are pooled with the labels. The number of pairs grows with its square.",
            JUDGED,
            planned=True,
        ),
    ] = 1
    sample: Annotated[
        int | None,
        Setting(
            Whole(low=1, high=10_000_000),
            "Number of queries",
            "Queries are drawn at random. Empty: all queries of the labels.",
            JUDGED,
            planned=True,
        ),
    ] = None
    seed: Annotated[
        int,
        Setting(Whole(), "Seed", "The same seed draws the same queries, tasks and test pairs.", JUDGED, planned=True),
    ] = 0
    way: Annotated[
        Way,
        Setting(
            OneOf(
                labels=(
                    ("full", "All pairs of each pool"),
                    ("sequential", "Sequential: the best answer so far against each other document in turn"),
                )
            ),
            "Method",
            "All pairs rank every document of a pool. Sequential judging only looks for the best one and needs fewer "
            "judgments.",
            JUDGED,
            planned=True,
        ),
    ] = "full"
    judgments_per_pair: Annotated[
        int,
        Setting(
            Whole(low=1, high=1000),
            "Judgments per pair",
            "Each is by a different assessor. Sequential judging takes as many as it needs.",
            JUDGED,
            planned=True,
        ),
    ] = 1
    pairs_per_task: Annotated[
        int,
        Setting(Whole(low=1, high=1000), "Pairs per task", "Test pairs are not counted here.", TASKS, planned=True),
    ] = 10
    tests_per_task: Annotated[
        int,
        Setting(
            Whole(low=0, high=100),
            "Test pairs per task",
            "Pairs with a known answer, added to the pairs above. They are drawn for you, and you can change them.",
            TASKS,
            planned=True,
        ),
    ] = 3
    pay: Annotated[float, Setting(Amount(), "Pay per task", "What the assessor gets; 0 if nobody is paid.", TASKS)] = (
        2.00
    )
    fee: Annotated[
        float, Setting(Amount(), "Fee per task", "What the crowdsourcing site gets, if there is one.", TASKS)
    ] = 0.40
    currency: Annotated[
        str,
        Setting(
            ShortText(longest=LONGEST_CURRENCY),
            "Currency",
            "Shown with all amounts, such as EUR or US dollars. May be empty.",
            TASKS,
        ),
    ] = ""
    seconds_per_pair: Annotated[
        float,
        Setting(Amount(), "Seconds per pair", "Your estimate. It is used until there are judgments to measure.", TASKS),
    ] = 20.0
    too_fast: Annotated[
        float,
        Setting(Amount(), "Too fast (seconds)", "Faster answers are reported as too fast. They still count.", TASKS),
    ] = 2.0
    lease_minutes: Annotated[
        int,
        Setting(
            Whole(low=1, high=100_000),
            "Time limit per task (minutes)",
            "A task that is not done by then goes to somebody else.",
            TASKS,
        ),
    ] = 60
    instructions: Annotated[
        str, Setting(SettingType(lines=True), "Instructions", "What assessors are asked to do.", TEXTS)
    ] = ""
    consent: Annotated[
        str,
        Setting(SettingType(lines=True), "Consent", "Assessors agree to this before their first task.", TEXTS),
    ] = ""
    standing: Annotated[
        bool,
        Setting(
            Flag(),
            "Standing campaign",
            "Runs that are scored later are judged too: each adds the pairs it needs, until the campaign is closed.",
            AFTERWARDS,
        ),
    ] = False
    single_best: Annotated[
        bool,
        Setting(
            Flag(),
            "One best answer per query",
            "New labels have one document per query even where several are equally good: an earlier label if it is one "
            "of them, else the document with the most votes. Graded labels become answers of grade 1. Without this, "
            "all earlier grades stay, and new answers join the best ones.",
            AFTERWARDS,
        ),
    ] = False

    def __post_init__(self) -> None:
        check_settings(self, CAMPAIGN_SETTINGS)
        if (self.query_texts is None) != (self.doc_texts is None):
            raise UsageError("texts of queries or of documents alone; expected both or neither; add the other file")

    @property
    def lease(self) -> timedelta:
        """How long an assessor may keep a task."""
        return timedelta(minutes=self.lease_minutes)


CAMPAIGN_SETTINGS: Final[Mapping[str, Setting]] = declared_settings(CampaignSettings)
"""Every setting of a campaign by name, in the order of its form."""
WAYS: Final[tuple[Way, ...]] = ("full", "sequential")
