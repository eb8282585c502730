"""Judgments for tests: small tables drawn at random, and slow and obvious counts of them."""

from collections import Counter, defaultdict

from hypothesis import strategies as st

QUERIES = ("q1", "q2", "301")
DOCS = ("a", "b", "c", "d", "e-long-document-id", "日本")
ASSESSORS = ("ann", "bob", "cy", None)


def judgments(*, ties=True, min_size=1, max_size=40):
    """Lists of rows (query, left, right, preferred, assessor)."""
    pairs = [(left, right) for left in DOCS for right in DOCS if left != right]
    sides = (0, 1, None) if ties else (0, 1)

    def row(query, pair, side, assessor):
        return (query, *pair, None if side is None else pair[side], assessor)

    rows = st.builds(
        row, st.sampled_from(QUERIES), st.sampled_from(pairs), st.sampled_from(sides), st.sampled_from(ASSESSORS)
    )
    return st.lists(rows, min_size=min_size, max_size=max_size)


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


def winners_of(result):
    return dict(zip(result.query_ids, result.winners, strict=True))
