"""All evidence together: counts, the sentence, and the correction over challengers."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.verdicts import EvidenceLine, EvidenceResult, Policy, together
from runoff.verdicts.facet import decided


def line(key, lead, p, basis="scores", *, counts=True):
    facet = decided(key, lead, p, Policy())
    return EvidenceLine(key=key, label=f"the {key}", basis=basis, facet=facet, strength="", meaning="", counts=counts)


def evidence(*lines):
    return EvidenceResult(champion="old", challenger="new", lines=lines, policy=Policy())


@pytest.mark.parametrize(
    "lines, kind, sentence",
    [
        ([("a", 1, 0.01), ("b", 1, 0.02)], "agree", "All 2 lines of evidence favour new."),
        (
            [("a", -1, 0.01), ("b", 1, 0.2)],
            "lean",
            "1 of 2 lines of evidence favours old, none new; the b shows no difference.",
        ),
        ([("a", 1, 0.5), ("b", -1, 0.2)], "nothing", "None of the 2 lines of evidence favours new or old."),
        (
            [("a", 1, 0.01), ("b", -1, 0.02), ("c", 1, 0.01), ("d", 0, 1.0)],
            "conflict",
            (
                "The evidence conflicts: 2 of 4 lines favour new (the a and the c), 1 old (the b); the d shows no "
                "difference."
            ),
        ),
    ],
)
def test_kinds_and_sentences(lines, kind, sentence):
    found = evidence(*(line(*one) for one in lines))
    assert (found.kind, found.sentence) == (kind, sentence)


def test_several_tests_of_one_measure_count_once():
    found = evidence(
        line("t", 1, 0.01),
        line("signed_rank", 1, 0.01, counts=False),
        line("sign", -1, 0.01, counts=False),
        line("more", 1, 0.3, basis="found"),
    )
    assert [one.key for one in found.counted] == ["t", "more"]
    assert (found.kind, found.sentence) == (
        "lean",
        "1 of 2 lines of evidence favours new, none old; the more shows no difference.",
    )
    content = found.to_dict()
    assert [content[key] for key in ("favour_challenger", "favour_champion", "cannot_tell")] == [1, 0, 1]
    assert [one["counts"] for one in content["lines"]] == [True, False, False, True]
    assert [one["favours"] for one in content["lines"]] == ["challenger", "challenger", "champion", None]


def test_one_line_is_not_counted_in_the_plural():
    found = evidence(line("t", 1, 0.01), line("sign", 1, 0.01, counts=False))
    assert (found.kind, found.sentence) == ("agree", "The only line of evidence favours new.")


def test_one_line_that_cannot_tell_is_not_counted_in_the_plural():
    assert "1 lines" not in evidence(line("t", 1, 0.5), line("sign", 1, 0.5, counts=False)).sentence


def test_the_caution_names_what_is_apart():
    assert "except" not in evidence(line("a", 1, 0.01)).caution
    found = evidence(line("a", 1, 0.01), line("votes", 1, 0.01, basis="people"))
    assert found.caution.startswith("The lines, except the votes, look at the same queries")


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.floats(1e-6, 1), st.booleans()), min_size=1, max_size=12))
def test_counts_add_up_and_swapping_mirrors(drawn):
    found = evidence(*(line(str(at), lead, p, counts=counts) for at, (lead, p, counts) in enumerate(drawn)))
    counts = [len(found.favouring(side)) for side in ("challenger", "champion", None)]
    assert sum(counts) == sum(counts for _, _, counts in drawn)
    swapped = evidence(*(line(str(at), -lead, p, counts=counts) for at, (lead, p, counts) in enumerate(drawn)))
    assert [len(swapped.favouring(side)) for side in ("champion", "challenger", None)] == counts
    assert swapped.kind == found.kind


def test_each_line_is_corrected_over_the_challengers():
    three = [evidence(line("a", 1, 0.02), line("b", 1, 0.001)) for _ in range(3)]
    found = together(three, Policy(correction="bonferroni"))
    assert [one.facet.p for one in found[0].lines] == pytest.approx([0.06, 0.003])
    assert [one.speaks_for for one in found[0].lines] == [None, "challenger"]
    # a line that one of them lacks has a smaller family
    fewer = together([*three[:2], replace(three[2], lines=three[2].lines[1:])], Policy(correction="bonferroni"))
    assert fewer[0].lines[0].facet.p == pytest.approx(0.04)
    assert together(three[:1], Policy())[0].lines == three[0].lines


def test_keys():
    content = evidence(line("a", 1, 0.01), line("b", 1, 0.5)).to_dict()
    assert (content["favour_challenger"], content["favour_champion"], content["cannot_tell"]) == (1, 0, 1)
    assert content["lines"][0]["favours"] == "challenger"
    assert content["lines"][1]["favours"] is None
