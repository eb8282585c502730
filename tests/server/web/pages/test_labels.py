"""The pages of label versions."""

from __future__ import annotations

from tests.server.cases.served import PUBLIC
from tests.server.store.backends import both_databases
from tests.server.web.checks import checked

ADDRESS = "/boards/trees/labels"
TEXT = "".join(f"{query} 0 d 1\n" for query in PUBLIC[1:]) + "q0 0 other 1\n"


def add(serving, text=TEXT, **more):
    csrf = serving.sign_in(serving.served.organiser)
    fields = {"csrf": csrf, "name": "dev", "note": "again", **more}
    return serving.client.post(ADDRESS, data=fields, files={"file": ("new.txt", text.encode())})


@both_databases
def test_a_version_is_added_looked_at_and_used(serving):
    answer = add(serving)
    place = answer.headers["location"].partition("?")[0]
    assert answer.status_code == 303
    early = serving.client.get(place).text
    checked(early)
    assert "No run is scored on both yet" in early
    assert "Runs are still being scored on it." in early
    assert "data-refresh" in early
    serving.work()
    assert "still being scored" not in serving.client.get(place).text
    page = checked(serving.client.get(place).text)
    words = " ".join(page.words)
    assert "the best known answers of 1 of 24 queries change" in words
    assert "not used yet" in words
    serving.client.cookies.clear()
    assert "dev (version 2)" not in serving.client.get("/boards/trees").text
    runs = serving.client.get("/boards/trees/runs/2").text + serving.run(2).text
    assert "version 2" not in runs
    csrf = serving.sign_in(serving.served.organiser)
    assert serving.client.post(f"{place}/use", data={"csrf": csrf}).status_code == 303
    assert "in use" in " ".join(checked(serving.client.get(place).text).words)
    checked(serving.client.get(ADDRESS).text)
    serving.client.cookies.clear()
    board = serving.client.get("/boards/trees").text
    assert "dev (version 2)" in board
    earlier = serving.client.get("/boards/trees", params={"labels": "dev (version 1)"})
    assert earlier.status_code == 200
    assert serving.client.get(place).status_code == 303


def test_faults_are_told_beside_their_field(serving):
    assert "new.txt:2: 3 fields" in add(serving, "q1 0 d 1\nq2 0 d\n").text
    answer = add(serving, name="dev private")
    assert "labels &#39;dev private&#39; are private" in answer.text
    assert (answer.status_code, checked(answer.text) is not None) == (422, True)
    csrf = serving.sign_in(serving.served.organiser)
    nothing = serving.client.post(ADDRESS, data={"csrf": csrf, "name": "dev"}, files={"x": ("", b"")})
    assert nothing.status_code == 422
    assert serving.client.get(f"{ADDRESS}/999").status_code == 404


def test_private_labels_are_told_by_means(serving):
    text = "".join(f"zzsealedzz{number} 0 d 1\n" for number in range(9))
    place = add(serving, text, name="dev private", sealed="yes").headers["location"]
    serving.work()
    shown = serving.client.get(place).text
    assert "For private labels, only means are shown." in shown
    assert "zzsealedzz" not in shown


def test_labels_can_have_their_own_level(serving):
    answer = add(serving, name="strict", level="2")
    assert answer.status_code == 303
    place = answer.headers["location"].partition("?")[0]
    assert "relevance level 2" in " ".join(checked(serving.client.get(place).text).words)
    checked(serving.client.get(ADDRESS).text)
    refused = add(serving, name="strict", level="x")
    assert refused.status_code == 422
    assert "expected a whole number from" in refused.text
