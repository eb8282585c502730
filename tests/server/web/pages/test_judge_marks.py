"""Words of a question in passages, in any script."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runoff.server.web.pages.enter import Sent, sent_by
from runoff.server.web.pages.judge.marks import STOP_WORDS, marked_parts, readable, words_of


@given(text=st.text(max_size=200), question=st.text(max_size=60))
def test_parts_together_are_the_text(text, question):
    words = words_of(question)
    parts = marked_parts(text, words)
    assert "".join(parts) == text
    assert len(parts) % 2 == 1
    assert not STOP_WORDS & set(words)


def test_whole_words_in_any_case():
    parts = marked_parts("Cats: a CAT, the cat's, concatenate, cat", words_of("What is a cat?"))
    assert parts[1::2] == ("CAT", "cat", "cat")
    assert marked_parts("of the and", words_of("of the and")) == ("of the and",)


def test_marks_belong_to_their_letters():
    assert words_of("हिन्दी क्या है?") != ()
    assert marked_parts("हिन्दी", ["हिन"]) == ("हिन्दी",)
    assert marked_parts("यह हिन्दी है", ["हिन्दी"])[1::2] == ("हिन्दी",)
    assert marked_parts("a+b (c++)", words_of("c++ a+b"))[0] == "a+b (c++)", "single letters say little"


def test_control_characters_are_blanks_and_joiners_stay():
    assert readable("a\x00b\x1b[2J\r\nc\u200dd\u202e") == "a b [2J\nc\u200dd\u202e"


def test_sites_write_their_parameters_in_their_own_ways():
    assert sent_by([("WORKERID", "a"), ("worker", "b")]) == Sent(worker="b")
    assert sent_by([("worker", "first"), ("worker", "second")]).worker == "first"
    assert sent_by([("x", "y")]) == Sent()
    assert len(sent_by([("worker", "w" * 999)]).worker) == 200
