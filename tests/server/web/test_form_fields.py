"""Fields with what was sent and what is wrong."""

from runoff.server.web.forms import Field, FieldGroup, Form, filled


def test_what_was_sent_and_what_is_wrong_is_filled_in():
    groups = (FieldGroup(title="A", fields=(Field(name="x", label="X", value="1"), Field(name="y", label="Y"))),)
    assert filled(groups, None) == groups
    sent = Form({"y": "2"})
    sent.problems["x"] = "bad"
    (group,) = filled(groups, sent)
    assert [(one.value, one.problem) for one in group.fields] == [("1", "bad"), ("2", "")]
