"""What the page of the assessors shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.campaign_visits import CampaignHead
from runoff.server.web.frame.context import PageContext, shown


@dataclass(frozen=True, kw_only=True)
class AssessorLine:
    """An assessor."""

    name: str = shown("Their pseudonym in this campaign.")
    worker: str = shown("Site and worker id, which are personal data; empty without a site.")
    state: str = shown("active, barred or left.")
    reinstate: str = shown("Where the button to let them in again is sent; empty if they are not barred.")
    tasks: str = shown("Tasks that they ended, and how many of them were discarded.")
    tests: str = shown("Test pairs that they failed, and all that they answered.")
    kept: str = shown("Judgments that count.")
    seconds: str = shown("How long a pair took in the median.")
    too_fast: str = shown("The share of answers below the limit.")
    left: str = shown("How often the left side was preferred.")
    left_p: str = shown("The corrected p-value of that against one half.")
    agrees: str = shown("How often they say what the majority of the others says, and on how many pairs.")
    paid: str = shown("What they were paid so far.")
    due: str = shown("What the next code would pay.")
    agreed: str = shown("Which texts they agreed to, and when, the last one first; a dash where it is not known.")


@dataclass(frozen=True, kw_only=True)
class AgreedText:
    """A text of consent that somebody agreed to."""

    number: int = shown("Its number in this campaign, from 1.")
    is_current: bool = shown("Whether it is the one that assessors are asked to agree to now.")
    people: str = shown("How many have agreed to it.")
    text: str = shown("The text, word by word.")


@dataclass(frozen=True, kw_only=True)
class QualityPage(PageContext):
    """The page of the assessors of a campaign."""

    board: str = shown("The name of the board.")
    head: CampaignHead = shown("What stands above the page.")
    is_earlier: bool = shown("Whether newer judgments are being counted, and the numbers are from before them.")
    sentences: tuple[str, ...] = shown("How many assessors there are and what they did, in sentences.")
    too_fast: str = shown("The limit below which an answer is too fast, in seconds.")
    currency: str = shown("The currency of all amounts; empty if none was named.")
    lines: tuple[AssessorLine, ...] = shown("Everybody, the first first.")
    texts: tuple[AgreedText, ...] = shown("The texts that they agreed to, the first first.")
