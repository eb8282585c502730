"""Judgments for tests: small tables drawn at random, and slow and obvious counts of them."""

from collections import Counter, defaultdict

from hypothesis import strategies as st

from runoff.tables import Preferences

QUERIES = ("q1", "q2", "301")
DOCS = ("a", "b", "c", "d", "e-long-document-id", "日本")
ASSESSORS = ("ann", "bob", "cy", None)


@st.composite
def judgments(draw, *, docs=DOCS, ties=True, min_size=1, max_size=40):
    """Rows (query, left, right, preferred, assessor)."""
    rows = []
    for _ in range(draw(st.integers(min_size, max_size))):
        left, right = draw(st.permutations(docs))[:2]
        preferred = draw(st.sampled_from([left, right, None] if ties else [left, right]))
        rows.append((draw(st.sampled_from(QUERIES)), left, right, preferred, draw(st.sampled_from(ASSESSORS))))
    return rows


def mirrored(rows):
    """The same judgments with the sides exchanged."""
    return [(query, right, left, preferred, *rest) for query, left, right, preferred, *rest in rows]


def pair_votes(rows):
    """{query: {(x, y): votes for x minus votes for y}}, both ways round."""
    votes: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for query, left, right, preferred, *_ in rows:
        sign = 0 if preferred is None else 1 if preferred == left else -1
        votes[query][left, right] += sign
        votes[query][right, left] -= sign
    return votes


def slow_tournament(rows):
    """The winners of each query, by the definition."""
    found = {}
    for query, votes in pair_votes(rows).items():
        left = {doc for pair in votes for doc in pair}
        while True:
            wins = dict.fromkeys(left, 0.0)
            for (one, other), vote in votes.items():
                if one in left and other in left:
                    wins[one] += 1.0 if vote > 0 else 0.5 if vote == 0 else 0.0
            best = {doc for doc in left if wins[doc] == max(wins.values())}
            if best == left or len(best) == 1:
                found[query] = tuple(sorted(best))
                break
            left = best
    return found


def table_of(rows):
    return Preferences.of(rows)


def winners_of(result):
    return dict(zip(result.query_ids, result.winners, strict=True))
