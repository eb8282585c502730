"""Nothing that an assessor gets to read tells runs, labels, ids or test pairs apart."""

from __future__ import annotations

import json
import re

from sqlalchemy import select

from runoff.server.store.models.campaigns import TASK_PAIR
from tests.server.cases.judging.campaigned import DOCS, QUERIES
from tests.server.web.judged import JSON, JudgeSite
from tests.server.web.leaks import Crawl

RUNS = [f"run {number}" for number in range(3)] + [f"run{number}" for number in range(3)]
IDS = [f"{letter}.{query}" for letter in DOCS for query in QUERIES]
WORDS = [
    *RUNS,
    *IDS,
    *QUERIES,
    "Team ",
    "expected",
    "known",
    "gold",
    "qrel",
    "label_set",
    "batch",
    "relevan",
    "test pair",
]


def told(text: str) -> str:
    """A page without what the texts of the world and of the frame say themselves."""
    return text.replace("What is known about", "").replace("Test site", "")


def read_by(judged: JudgeSite) -> list[str]:
    """Everything that an assessor reads from the link to the code, pages, answers and their headers."""
    found: list[str] = []

    def keep(answer):
        heads = "\n".join(
            f"{name}: {value}" for name, value in answer.headers.items() if name != "content-security-policy"
        )
        found.append(told(f"{answer.url}\n{heads}\n{answer.text}"))
        return answer

    link = judged.link()
    keep(judged.client.get(link))
    keep(judged.come_in(link))
    keep(judged.client.get("/judge/best"))
    offers = 0
    while (offer := keep(judged.post("task", JSON)).json())["state"] == "given":
        offers += 1
        task = offer["task"]
        for pair in task["pairs"]:
            keep(judged.client.get("/judge/best?mark=yes"))
            row = {"task": task["id"], "pair": pair["id"], "side": "left", "key": f"k{pair['id']}"}
            keep(judged.post("choices", JSON, **row))
            if pair is task["pairs"][0]:
                keep(judged.post("undo", JSON, task=task["id"], key="u"))
                keep(judged.post("choices", JSON, **(row | {"key": "again", "side": "right"})))
                keep(judged.post("choices", JSON, **(row | {"key": "other", "side": "left"})))
        if offers == 1:
            judged.post("undo", JSON, task=task["id"], key="u2")
            keep(judged.client.get("/judge/best/leave"))
        for pair in task["pairs"]:
            keep(judged.post("choices", JSON, task=task["id"], pair=pair["id"], side="left", key=f"e{pair['id']}"))
        keep(judged.post("done", JSON, task=task["id"]))
        keep(judged.client.get("/judge/best"))
    keep(judged.post("leave"))
    keep(judged.client.get("/judge/best"))
    assert offers
    return found


def test_no_page_or_answer_names_a_run_an_id_or_a_test_pair(judged):
    found = read_by(judged)
    for word in WORDS:
        assert [text for text in found if re.search(rf"(?<!\w){re.escape(word)}", text)] == [], word


def test_a_campaign_without_texts_has_nothing_but_ids_to_show(database, tmp_path):
    # It also shows that the search above finds what is there.
    with JudgeSite.made_in(database, tmp_path, query_texts=None, doc_texts=None) as judged:
        judged.come_in(judged.link())
        judged.take()
        page = judged.page()
    assert any(re.search(rf"(?<!\w){re.escape(word)}", page) for word in IDS)
    assert not any(
        re.search(rf"(?<!\w){re.escape(word)}", told(page)) for word in WORDS if word not in (*IDS, *QUERIES)
    )


def test_whoever_follows_all_links_finds_nothing_either(judged):
    judged.come_in(judged.link())
    judged.take()
    crawl = Crawl(judged.client).follow(["/judge/best", "/judge", "/judge/best/leave"])
    own = {path: one for path, one in crawl.found.items() if path.startswith(("/judge", "/enter"))}
    assert len(own) >= 3
    for word in WORDS:
        assert [path for path, one in own.items() if re.search(rf"(?<!\w){re.escape(word)}", told(one.text))] == [], (
            word
        )
    assert crawl.holding(IDS) == [], "nor do boards name a document"
    assert crawl.faults == []


def test_test_pairs_and_real_pairs_look_alike(judged):
    judged.come_in(judged.link())
    task = judged.take()
    shapes = {json.dumps({name: type(value).__name__ for name, value in pair.items()}) for pair in task["pairs"]}
    assert len(shapes) == 1
    numbers = [pair["id"] for pair in task["pairs"]]
    query = select(TASK_PAIR.c.id, TASK_PAIR.c.expected).where(TASK_PAIR.c.id.in_(numbers)).order_by(TASK_PAIR.c.id)
    with judged.site.database.read() as connection:
        rows = connection.execute(query).all()
    tests = [place for place, row in enumerate(rows) if row.expected]
    assert [row.id for row in rows] == numbers, "numbers follow the places, which are shuffled"
    assert len(tests) == 4
    assert tests not in ([0, 1, 2, 3], [9, 10, 11, 12])


def test_answers_to_a_test_pair_and_a_real_pair_are_the_same(judged):
    judged.come_in(judged.link())
    task = judged.take()
    answers = set()
    for pair in task["pairs"]:
        kept = judged.post("choices", JSON, task=task["id"], pair=pair["id"], side="left", key=f"k{pair['id']}")
        heads = tuple(sorted((name, value) for name, value in kept.headers.items()))
        answers.add((kept.status_code, heads, kept.text.replace(str(pair["id"]), "N")))
    assert len({(status, len(heads)) for status, heads, _ in answers}) == 1
    assert len({re.sub(r"\d+", "N", text) for *_, text in answers}) == 1
