"""Permissions: one table of rules that says who may do what, asked by every use case and page of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from runoff.errors import NotAllowedError, UsageError

Role = Literal["organiser", "member", "assessor"]
Scope = Literal["read", "submit", "judge", "organise"]
Grant = Literal["team", "member", "self", "assessor", "published", "organiser"]
Action = Literal[
    "see board",
    "manage board",
    "see private results",
    "see run",
    "download run",
    "see team of run",
    "submit run",
    "create team",
    "manage team",
    "judge",
    "manage campaign",
    "see assessors",
    "see person",
    "manage person",
    "see audit log",
]


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Who asks: nobody in particular (no id), or a person with a role and teams; `scopes` are those of an API token."""

    id: int | None = None
    role: Role | None = None
    teams: frozenset[int] = frozenset()
    scopes: frozenset[Scope] | None = None


@dataclass(frozen=True, kw_only=True)
class Thing:
    """What is asked about: the team or the person that it belongs to, and whether it is shown to all by now."""

    team: int | None = None
    person: int | None = None
    published: bool = False


ANYTHING: Final = Thing()
ANONYMOUS: Final = Actor()


@dataclass(frozen=True)
class Rule:
    """One grant of these is enough; `scope` is what an API token must have been given besides."""

    grants: tuple[Grant, ...]
    scope: Scope


RULES: Final[dict[Action, Rule]] = {
    "see board": Rule(("published", "organiser"), "read"),
    "manage board": Rule(("organiser",), "organise"),
    "see private results": Rule(("published", "organiser"), "read"),
    "see run": Rule(("published", "team", "organiser"), "read"),
    "download run": Rule(("team", "organiser"), "read"),
    "see team of run": Rule(("published", "team", "organiser"), "read"),
    "submit run": Rule(("team",), "submit"),
    "create team": Rule(("member", "organiser"), "submit"),
    "manage team": Rule(("team", "organiser"), "submit"),
    # Members of teams do not judge: their own runs are among what is judged. Organisers may, to try it out.
    "judge": Rule(("assessor", "organiser"), "judge"),
    "manage campaign": Rule(("organiser",), "organise"),
    "see assessors": Rule(("organiser",), "organise"),
    "see person": Rule(("self", "organiser"), "read"),
    "manage person": Rule(("self", "organiser"), "organise"),
    "see audit log": Rule(("organiser",), "organise"),
}


def may(actor: Actor, action: Action, thing: Thing = ANYTHING) -> bool:
    """Whether somebody may do something.

    >>> ann = Actor(id=1, role="member", teams=frozenset({7}))
    >>> may(ann, "submit run", Thing(team=7)), may(ann, "submit run", Thing(team=8)), may(ANONYMOUS, "see audit log")
    (True, False, False)
    """
    if action not in RULES:
        raise UsageError(f"action {action!r} is unknown; expected one of {', '.join(get_args(Action))}")
    rule = RULES[action]
    if thing.published and "published" in rule.grants:
        # A token never shows less than no token.
        return True
    if actor.scopes is not None and rule.scope not in actor.scopes:
        return False
    return any(_fulfils(actor, grant, thing) for grant in rule.grants)


def require(actor: Actor, action: Action, thing: Thing = ANYTHING) -> None:
    """Raise `NotAllowedError` unless `may`; the message does not say whether the thing exists."""
    if not may(actor, action, thing):
        advice = "log in first" if actor.id is None else "ask an organiser if you should be"
        raise NotAllowedError(f"you are not allowed to {action}; {advice}")


def _fulfils(actor: Actor, grant: Grant, thing: Thing) -> bool:
    has_account = actor.id is not None
    held: dict[Grant, bool] = {
        "published": thing.published,
        "team": has_account and thing.team is not None and thing.team in actor.teams,
        "self": has_account and thing.person == actor.id,
        "member": has_account and actor.role == "member",
        "assessor": has_account and actor.role == "assessor",
        "organiser": has_account and actor.role == "organiser",
    }
    return held[grant]
