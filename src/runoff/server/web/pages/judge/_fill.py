"""From what an assessor finds to what the pages show: nothing of runs, labels, ids or test pairs is in it."""

from __future__ import annotations

import json
import secrets
from typing import Any

from runoff.server.cases.judging.assessor_home import Desk
from runoff.server.cases.judging.enter import consent_hash, consent_text
from runoff.server.cases.judging.judge import SheetPair, TaskSheet
from runoff.server.store.campaigns import Campaign
from runoff.server.store.completions import Completion
from runoff.server.web.frame.context import Frame
from runoff.server.web.frame.numbers import money
from runoff.server.web.pages.judge._context import CodeView, JudgePage, LeavePage, PairView
from runoff.server.web.pages.judge._marks import marked_parts, readable, words_of
from runoff.server.web.pages.judge._words import EMPTY, STATES


def pair_view(pair: SheetPair) -> PairView:
    """A pair with the words of its question apart."""
    question = readable(pair.query)
    words = words_of(question)
    first, second = (marked_parts(readable(text), words) for text in (pair.left, pair.right))
    return PairView(number=pair.id, place=pair.place, question=(question,), first=first, second=second)


def sheet_dict(sheet: TaskSheet) -> dict[str, Any]:
    """A task as browsers and programs get it."""
    pairs = []
    for pair in sheet.pairs:
        view = pair_view(pair)
        row = {"id": view.number, "question": view.question[0], "left": view.first, "right": view.second}
        pairs.append(row | {"answer": pair.answer})
    return {"id": sheet.assignment.id, "pairs": pairs}


def judge_page(desk: Desk, frame: Frame, *, is_marked: bool, empty: str = "") -> JudgePage:
    """The page of an assessor; `empty` is why there was no task when one was asked for."""
    campaign, sheet = desk.campaign, desk.sheet
    pair = None if sheet is None or sheet.next_pair is None else pair_view(sheet.next_pair)
    total = 0 if sheet is None else len(sheet.pairs)
    answered = 0 if sheet is None else sum(one.answer is not None for one in sheet.pairs)
    heading, lines = STATES.get(desk.state, ("", ()))
    is_empty = desk.state == "ready" and empty in EMPTY
    if desk.state == "ready" and desk.tasks:
        heading = "Another task?"
    if is_empty:
        heading, lines = EMPTY[empty]
    if desk.state == "new consent" and campaign.pay:
        lines = tuple(f"{line.removesuffix('.')}, and is paid." for line in lines)
    if sheet is not None and pair is None:
        heading = f"All {total} pairs are answered"
        lines = ("Hand the task in. After that nothing in it can be changed.",)
    return JudgePage(
        frame=frame,
        slug=campaign.slug,
        title=campaign.title,
        heading=heading if pair is None else pair.question[0],
        lines=lines,
        state=desk.state,
        instructions=campaign.instructions.strip(),
        consent=consent_text(campaign),
        consent_hash=consent_hash(campaign),
        pairs_per_task=campaign.pairs_per_task + campaign.tests_per_task,
        pay=money(campaign.pay, campaign.currency) if campaign.pay else "",
        due=money(desk.due, campaign.currency) if campaign.pay else "",
        tasks=desk.tasks,
        is_owed=desk.is_owed,
        is_empty=is_empty,
        is_waiting=is_empty and empty == "wait",
        task=0 if sheet is None else sheet.assignment.id,
        total=total,
        answered=answered,
        pair=pair,
        key=secrets.token_hex(16),
        sheet="" if sheet is None else json.dumps(sheet_dict(sheet)),
        is_marked=is_marked,
        more="?mark=yes" if is_marked else "",
        codes=tuple(code_view(one, campaign) for one in reversed(desk.completions)),
    )


def leave_page(desk: Desk, frame: Frame) -> LeavePage:
    """What leaving would do."""
    lines: list[str] = []
    answered = 0
    if desk.sheet is not None:
        answered = sum(pair.answer is not None for pair in desk.sheet.pairs)
        lines.append(
            f"You hold a task with {answered} of {len(desk.sheet.pairs)} pairs answered. It goes to somebody else, "
            "and its answers are not used."
        )
    has_code = desk.is_owed or desk.sheet is not None
    if desk.campaign.pay and has_code:
        done = [f"for {_tasks(desk.tasks)} that you handed in"] * bool(desk.tasks)
        done += ["for the answered share of the task that you hold"] * bool(answered)
        what = f": {', and '.join(done)}" if done else ""
        lines.append(f"You are paid {money(desk.due, desk.campaign.currency)}{what}.")
    code = "You get a code that tells what you have done, and no more tasks here."
    lines.append(code if has_code else "You get no more tasks here.")
    return LeavePage(
        frame=frame, slug=desk.campaign.slug, title=desk.campaign.title, lines=tuple(lines), has_code=has_code
    )


def code_view(one: Completion, campaign: Campaign) -> CodeView:
    """A completion in words."""
    choices = f"{one.judgments:,} {'choice' if one.judgments == 1 else 'choices'}"
    words = [f"{_tasks(one.tasks)} done", f"{choices} counted for the pay"] if one.judgments else ["no choice counted"]
    if one.discarded:
        words.append(f"{one.discarded:,} not used")
    pay = money(one.pay, campaign.currency) if campaign.pay else ""
    return CodeView(code=one.code, pay=pay, words=", ".join(words).capitalize() + ".")


def _tasks(number: int) -> str:
    return "one task" if number == 1 else f"{number:,} tasks"
