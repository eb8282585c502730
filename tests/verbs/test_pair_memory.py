"""What is known of pairs of runs already."""

from __future__ import annotations

from runoff.verbs._pair_memory import PairMemory


def test_a_pair_is_known_by_kind_both_runs_in_order_and_what_else_matters():
    kept, made = {}, []

    def remember(key, make):
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def asked(identities, what, names, *more):
        def make():
            made.append((what, names, *more))
            return len(made)

        return PairMemory(remember=remember, identities=identities).of(what, names, make, *more)

    first, renamed = {"a": 1, "b": 2}, {"a": 1, "c": 2}
    assert asked(first, "comparison", ("a", "b")) == 1
    assert asked(first, "comparison", ("b", "a")) == 2
    assert asked(first, "record", ("a", "b"), 1) == 3
    assert asked(first, "record", ("a", "b"), 2) == 4
    assert asked(renamed, "comparison", ("a", "c")) == 1, "the identity counts, and holds the name where it matters"
    assert asked({"a": 1, "b": 3}, "comparison", ("a", "b")) == 5
    assert len(made) == 5
