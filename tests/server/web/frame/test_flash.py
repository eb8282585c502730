"""Sentences about what has just been done."""

from runoff.server.web.frame.flash import DONE, done_words


def test_only_known_words_say_anything():
    assert all(text.endswith(".") for text in DONE.values())
    assert done_words("made") == (DONE["made"],)
    assert done_words("") == done_words("<script>") == ()
