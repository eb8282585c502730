"""Who may do what, for every kind of person, action and thing, against a table that is written out."""

import itertools
from typing import get_args

import pytest

from runoff.errors import NotAllowedError, UsageError
from runoff.server.cases.accounts.permissions import ANONYMOUS, RULES, Action, Actor, Scope, Thing, may, require

TEAM, OWN = 7, 1
ACTORS = {
    "anonymous": ANONYMOUS,
    "organiser": Actor(id=OWN, role="organiser"),
    "outsider": Actor(id=OWN, role="member", teams=frozenset({8})),
    "teammate": Actor(id=OWN, role="member", teams=frozenset({8, TEAM})),
    "assessor": Actor(id=OWN, role="assessor"),
}
HIDDEN, SHOWN = Thing(team=TEAM, person=2), Thing(team=TEAM, person=2, published=True)

# Who may, of a thing that is not shown to all, and of one that is; both belong to team 7 and person 2.
ALL = set(ACTORS)
EXPECTED = {
    "see board": ({"organiser"}, ALL),
    "manage board": ({"organiser"}, {"organiser"}),
    "see private results": ({"organiser"}, ALL),
    "see run": ({"organiser", "teammate"}, ALL),
    "download run": ({"organiser", "teammate"}, {"organiser", "teammate"}),
    "see team of run": ({"organiser", "teammate"}, ALL),
    "submit run": ({"teammate"}, {"teammate"}),
    "create team": ({"organiser", "outsider", "teammate"},) * 2,
    "manage team": ({"organiser", "teammate"},) * 2,
    "judge": ({"assessor", "organiser"}, {"assessor", "organiser"}),
    "manage campaign": ({"organiser"}, {"organiser"}),
    "see assessors": ({"organiser"}, {"organiser"}),
    "see person": ({"organiser"}, {"organiser"}),
    "manage person": ({"organiser"}, {"organiser"}),
    "see audit log": ({"organiser"}, {"organiser"}),
}


def test_every_action_has_a_rule_and_an_expectation():
    assert set(RULES) == set(EXPECTED) == set(get_args(Action))


@pytest.mark.parametrize("action, actor, shown", list(itertools.product(EXPECTED, ACTORS, [False, True])))
def test_every_person_action_and_thing(action, actor, shown):
    assert may(ACTORS[actor], action, SHOWN if shown else HIDDEN) == (actor in EXPECTED[action][shown])


@pytest.mark.parametrize("action", EXPECTED)
def test_a_thing_of_nobody_is_nobody_s(action):
    """None is no team and no person: who has no team is not in the team of a thing without one."""
    if action != "create team":
        assert not may(ACTORS["outsider"], action, Thing())
    assert not may(ANONYMOUS, action, Thing())


def test_people_manage_themselves():
    for action in ("see person", "manage person"):
        assert all(may(actor, action, Thing(person=OWN)) == (actor.id is not None) for actor in ACTORS.values())


@pytest.mark.parametrize("action", EXPECTED)
def test_a_token_narrows_to_what_everybody_may_and_never_widens(action):
    for scopes in itertools.chain.from_iterable(itertools.combinations(get_args(Scope), n) for n in range(5)):
        for actor, thing in itertools.product(ACTORS.values(), (HIDDEN, SHOWN, Thing(person=OWN))):
            narrowed = Actor(id=actor.id, role=actor.role, teams=actor.teams, scopes=frozenset(scopes))
            named = RULES[action].scope in scopes and may(actor, action, thing)
            assert may(narrowed, action, thing) == (named or may(ANONYMOUS, action, thing))


def test_a_role_without_a_person_is_nothing():
    assert not may(Actor(role="organiser"), "manage board")


def test_a_refusal_says_what_to_do():
    with pytest.raises(NotAllowedError, match="not allowed to submit run; log in first"):
        require(ANONYMOUS, "submit run", HIDDEN)
    with pytest.raises(NotAllowedError, match="not allowed to manage board; ask an organiser"):
        require(ACTORS["assessor"], "manage board")
    require(ACTORS["organiser"], "manage board")
    with pytest.raises(UsageError, match="action 'fly' is unknown"):
        may(ANONYMOUS, "fly")  # type: ignore[arg-type]
