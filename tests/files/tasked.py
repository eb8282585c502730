"""Tasks and texts for tests of their files."""

from runoff.preferences import make_tasks

PAIRS = [("q1", "a", "b"), ("q1", "a", "c"), ("q2", "d", "e")]
KNOWN = [("q1", "a", "d"), ("q2", "d", "a"), ("q2", "e", "b")]
TASKS = make_tasks(PAIRS, KNOWN)
QUERIES = {"q1": "what is <b>?", "q2": "why"}
DOCS = {"a": "=1+1", "b": 'say "hi", ok', "c": "two\nlines", "d": "日本 & co", "e": "plain"}
