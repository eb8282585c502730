"""The test pairs of a campaign: list, draw, add and remove them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from runoff.errors import ConflictError, InputError, UsageError
from runoff.phrases import counted
from runoff.server.cases.judging.campaign_files import add_known_pairs, draw_campaign_pairs
from runoff.server.cases.judging.known_pairs import ShownKnownPair, list_known_pairs, remove_known_pair
from runoff.server.web.campaign_visits import CampaignVisit, visit_campaign
from runoff.server.web.forms import SIGNED, Field, FieldGroup, Form, SignedForm, filled
from runoff.server.web.frame.context import Row
from runoff.server.web.uploads import reading
from runoff.server.web.visitors import AnySite, Number, SignedIn

router = APIRouter(include_in_schema=False)
ADDRESS: Final = "/boards/{slug}/campaigns/{number}/test-pairs"
ON_PAGE: Final = 25
SHOWN: Final = 400
"""Characters of a text that are shown."""
Page = Annotated[int, Query(ge=1, le=100_000)]


@router.get(ADDRESS, response_class=HTMLResponse)
def show_pairs(
    site: AnySite, visitor: SignedIn, slug: str, number: Number, page: Page = 1, done: str = ""
) -> HTMLResponse:
    """The test pairs."""
    return _page(visit_campaign(site, visitor, slug, number), page=page, done=done)


@router.post(ADDRESS)
def add_pairs(site: AnySite, visitor: SignedIn, slug: str, number: Number, form: SignedForm) -> Response:
    """Add test pairs, one on each line; every line that is wrong is said."""
    visit = visit_campaign(site, visitor, slug, number)
    pairs = read_pairs(form)
    if form.problems:
        return _page(visit, sent=form)
    try:
        with reading(site, visitor.actor):
            add_known_pairs(
                site.database, site.files, number, pairs, actor=visitor.actor, now=site.now(),
                reader=site.reader,
            )  # fmt: skip
    except InputError as error:
        # The names of the server's own files are nobody's business.
        form.problems["pairs"] = "\n".join(problem.partition(": ")[2] for problem in error.problems)
    except (ConflictError, UsageError) as error:
        form.problems["pairs"] = str(error)
    if form.problems:
        return _page(visit, sent=form)
    return RedirectResponse(f"{visit.address}/test-pairs?done=pairs-added", status_code=303)


@router.post(ADDRESS + "/draw", dependencies=[SIGNED])
def draw_pairs(site: AnySite, visitor: SignedIn, slug: str, number: Number) -> Response:
    """Draw test pairs of a draft, so that they can be looked at."""
    visit = visit_campaign(site, visitor, slug, number)
    try:
        with reading(site, visitor.actor):
            draw_campaign_pairs(
                site.database, site.files, number, actor=visitor.actor, now=site.now(),
                reader=site.reader,
            )  # fmt: skip
    except InputError as error:
        return _page(visit, problem="; ".join(problem.partition(": ")[2] for problem in error.problems[:5]))
    except (ConflictError, UsageError) as error:
        return _page(visit, problem=str(error))
    return RedirectResponse(f"{visit.address}/test-pairs?done=pairs-drawn", status_code=303)


@router.post(ADDRESS + "/{pair}/remove", dependencies=[SIGNED])
def remove_pair(site: AnySite, visitor: SignedIn, slug: str, number: Number, pair: Number) -> Response:
    """Switch off a test pair, and give back what people lost by it."""
    visit = visit_campaign(site, visitor, slug, number)
    restored = remove_known_pair(site.database, number, pair, actor=visitor.actor, now=site.now())
    done = "pair-restored" if restored else "pair-removed"
    return RedirectResponse(f"{visit.address}/test-pairs?done={done}", status_code=303)


def read_pairs(values: Form) -> list[tuple[str, str, str]]:
    """The test pairs of a text: query, right and wrong answer on each line; faults by line are the field's problem."""
    pairs, problems = [], []
    for line, text in enumerate(values.needed("pairs", "a query and two documents on each line").splitlines(), start=1):
        words = text.split()
        if not words:
            continue
        if len(words) != 3:
            problems.append(f"line {line}: {len(words)} words; expected a query id and two document ids")
        elif words[1] == words[2]:
            problems.append(f"line {line}: the same document twice; expected the right answer and a wrong one")
        else:
            pairs.append((words[0], words[1], words[2]))
    if problems:
        values.problems["pairs"] = "\n".join(problems)
    return pairs


def _page(
    visit: CampaignVisit, *, page: int = 1, done: str = "", problem: str = "", sent: Form | None = None
) -> HTMLResponse:
    campaign = visit.campaign
    known = list_known_pairs(visit.site.database, campaign.id, actor=visit.visitor.actor)
    address = f"{visit.address}/test-pairs"
    skip = (page - 1) * ON_PAGE
    seen = known[skip : skip + ON_PAGE]
    return visit.answer(
        "campaign_pairs/pairs.html",
        "/test-pairs",
        done=done,
        problem=problem,
        status=422 if problem or sent is not None else 200,
        words=f"Test pairs {skip + 1:,} to {skip + len(seen):,} of {len(known):,}."
        if seen
        else "There are no test pairs yet.",
        warnings=pair_warnings(known),
        lines=tuple(map(_line, seen)),
        newer=f"{address}?page={page - 1}" if page > 1 else "",
        older=f"{address}?page={page + 1}" if skip + len(seen) < len(known) else "",
        can_draw=campaign.started_at is None and bool(campaign.tests_per_task),
        groups=filled(_groups(), sent),
    )


def _line(pair: ShownKnownPair) -> Row:
    known = pair.known
    return Row(
        number=known.id,
        query_id=known.query_id,
        query=_short(pair.query),
        right=_short(pair.right),
        right_id=known.right_doc,
        wrong=_short(pair.wrong),
        wrong_id=known.wrong_doc,
        origin="drawn" if known.drawn else "added",
        failed=f"{pair.answers.failed:,} of {pair.answers.answered:,}" if pair.answers.answered else "–",
        is_doubtful=pair.answers.is_failed_by_most and known.removed_at is None,
        off="" if known.removed_at is None else f"{known.removed_at:%Y-%m-%d}",
    )


def pair_warnings(pairs: Sequence[ShownKnownPair]) -> tuple[str, ...]:
    """What an organiser should look at: pairs that most people fail."""
    doubtful = [pair for pair in pairs if pair.answers.is_failed_by_most]
    on = sum(pair.known.removed_at is None for pair in doubtful)
    off = len(doubtful) - on
    warnings = []
    if on:
        warnings.append(
            f"Most people fail {counted(on, 'test pair')}. Check the right answer, and switch off a pair whose answer "
            "is wrong or debatable: whoever was barred for it is reinstated, with answers and pay."
        )
    if off:
        warnings.append(
            f"Switched off: {counted(off, 'test pair')} that most people failed. Nobody is barred for "
            f"{'it' if off == 1 else 'them'}, and the answers of those who failed count and are paid."
        )
    return tuple(warnings)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()} …"


def _groups() -> tuple[FieldGroup, ...]:
    return (
        FieldGroup(title="Add test pairs", fields=(
            Field(name="pairs", label="Query, right answer, wrong answer", kind="textarea", required=True,
                  hint="Ids, one pair per line, such as: 1048585 7187158 2346"),
        )),
    )  # fmt: skip
