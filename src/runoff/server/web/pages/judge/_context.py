"""What the pages of an assessor show."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import PageContext, shown


@dataclass(frozen=True, kw_only=True)
class PairView:
    """A pair; texts are in parts, of which every second is a word of the question."""

    number: int = shown("The number of the pair, which tells nothing about it.")
    place: int = shown("Its place in the task, from 1.")
    question: tuple[str, ...] = shown("What was asked, in parts.")
    first: tuple[str, ...] = shown("The passage on the left, in parts.")
    second: tuple[str, ...] = shown("The passage on the right, in parts.")


@dataclass(frozen=True, kw_only=True)
class CodeView:
    """A completion code."""

    code: str = shown("What the crowdsourcing site asks for.")
    pay: str = shown("What is paid under it.")
    words: str = shown("What was done.")


@dataclass(frozen=True, kw_only=True)
class JudgePage(PageContext):
    """A pair to be judged, or what else there is for an assessor."""

    slug: str = shown("The name of the campaign in addresses.")
    title: str = shown("The title of the campaign.")
    heading: str = shown("What the page is about.")
    lines: tuple[str, ...] = shown("Sentences below the heading.")
    state: str = shown(
        "What the assessor finds: no consent, new consent, given, ready, draft, paused, closed, left or stopped."
    )
    instructions: str = shown("How to judge, by the organisers.")
    consent: str = shown("What an assessor agrees to.")
    consent_hash: str = shown("Tells that text from any other.")
    pairs_per_task: int = shown("How many pairs a task has at most.")
    pay: str = shown("What a task pays; empty if nothing.")
    due: str = shown("What leaving now would pay; empty if tasks pay nothing.")
    tasks: int = shown("Tasks handed in since the last code.")
    is_owed: bool = shown("Whether there is work that no code tells of yet.")
    is_empty: bool = shown("Whether a task was asked for just now and there was none.")
    is_waiting: bool = shown("Whether there may be one soon, so that the page looks again by itself.")
    task: int = shown("The number of the task in hand; 0 without one.")
    total: int = shown("How many pairs the task has.")
    answered: int = shown("How many of them are answered.")
    pair: PairView | None = shown("The pair to be judged; None if there is none.")
    key: str = shown("Makes the same form sent twice one choice.")
    sheet: str = shown("The whole task as JSON, so that the next pair is there at once; empty without one.")
    is_marked: bool = shown("Whether words of the question are marked.")
    more: str = shown("What is added to addresses so that words stay marked.")
    codes: tuple[CodeView, ...] = shown("Completion codes so far, the newest first.")


@dataclass(frozen=True, kw_only=True)
class LeavePage(PageContext):
    """What leaving means, before it is done."""

    slug: str = shown("The name of the campaign in addresses.")
    title: str = shown("The title of the campaign.")
    lines: tuple[str, ...] = shown("What happens to the task in hand, and what is paid.")
    has_code: bool = shown("Whether there is work that a code tells of.")


@dataclass(frozen=True, kw_only=True)
class OwnCampaignLine:
    """A campaign that somebody can judge in."""

    slug: str = shown("Its name in addresses.")
    title: str = shown("Its title.")
    state: str = shown("open, paused, closed or draft.")


@dataclass(frozen=True, kw_only=True)
class OwnCampaignsPage(PageContext):
    """The campaigns of an assessor."""

    campaigns: tuple[OwnCampaignLine, ...] = shown("Those that they take part in, or may.")
