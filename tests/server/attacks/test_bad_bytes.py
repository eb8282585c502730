"""NUL, control characters and huge numbers, in every address and every form: a clear 4xx, never a fault."""

from __future__ import annotations

import re

import pytest
from fastapi.routing import APIRoute

from runoff.server.web.app import ROUTES
from tests.server.store.backends import both_databases
from tests.server.web.judged import JSON

HUGE = "9" * 30
ROUTE_LIST = [
    (prefix + route.path, min(route.methods or ()), [field.alias for field in route.dependant.query_params])
    for prefix, routers in ROUTES
    for router in routers
    for route in router.routes
    if isinstance(route, APIRoute)
]
FIELDS = (
    "name", "title", "email", "password", "display_name", "role", "to", "team", "label", "labels", "set_name", "slug",
    "description", "text", "key", "task", "pair", "side", "person", "worker", "measure", "instructions", "consent",
)  # fmt: skip
"""Of most forms."""


def filled(path, value):
    """The address with this value for each of its parameters."""
    return re.sub(r"\{[^}]*\}", value, path)


def expect_refusal(answer, path):
    assert 300 <= answer.status_code < 500, (path, answer.status_code, answer.text[:200])


@both_databases
def test_no_address_with_a_nul_is_a_fault(serving):
    serving.sign_in(serving.served.organiser)
    signed = dict(serving.client.cookies)
    for cookies in ({}, signed):
        serving.client.cookies.clear()
        serving.client.cookies.update(cookies)
        for path, method, _ in ROUTE_LIST:
            if "{" in path:
                answer = serving.client.request(method, filled(path, "a%00b"))
                assert answer.status_code == 400, (path, answer.status_code, answer.text[:200])
    answer = serving.client.get("/api/v1/boards/a%00b")
    assert answer.json()["error"]["message"].startswith("the address holds the character U+0000")


@both_databases
def test_no_parameter_with_a_nul_or_a_huge_number_is_a_fault(serving):
    serving.sign_in(serving.served.organiser)
    for path, method, parameters in ROUTE_LIST:
        address = path.replace("{slug}", "trees").replace("{run_id}", "1").replace("{number}", "1")
        for name in parameters:
            if method == "GET":
                answer = serving.client.get(f"{filled(address, '1')}?{name}=a%00b")
                assert answer.status_code == 400, (address, name, answer.status_code)
                answer = serving.client.get(f"{filled(address, '1')}?{name}={HUGE}")
                assert answer.status_code < 500, (address, name, answer.status_code)


@both_databases
@pytest.mark.parametrize("bad", ["a\0b", "\0", "a\x1bb"])
def test_no_form_with_control_characters_is_a_fault(serving, bad):
    csrf = serving.sign_in(serving.served.organiser)
    session = serving.client.cookies["runoff"]
    for path, method, _ in ROUTE_LIST:
        if method != "POST":
            continue
        address = path.replace("{slug}", "trees").replace("{run_id}", "1").replace("{number}", "1")
        for form in ({"data": dict.fromkeys(FIELDS, bad)}, {"data": {bad: "1"}}):
            form["data"]["csrf"] = csrf
            serving.client.cookies.set("runoff", session)
            answer = serving.client.post(filled(address, "1"), **form)
            expect_refusal(answer, path)
            answer = serving.client.post(filled(address, "1"), **form, files={"file": ("a\0b.run", b"q 0 d 1 1 r")})
            expect_refusal(answer, path)
    serving.client.cookies.clear()
    answer = serving.client.post("/sign-in", data={"email": f"ann{bad}@example.org", "password": "x"})
    assert answer.status_code == 422
    assert "holds the character U+00" in answer.text


@both_databases
def test_lone_surrogates_by_another_charset_are_refused(serving):
    # UTF-7 can write half a pair, which no database takes.
    body = b'--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n+2AA-@b.org\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x; charset=utf-7"}
    assert serving.client.post("/sign-in", content=body, headers=headers).status_code == 422


@both_databases
@pytest.mark.parametrize("number", [HUGE, "0" * 19 + "1" + "9" * 30, "1" * 5000, "-1", "1e9", "٣", "nan"])
def test_huge_numbers_in_forms_of_judging(judged, number):
    judged.come_in(judged.link())
    for form, fields in (
        ("choices", {"task": number, "pair": "1", "side": "left"}),
        ("choices", {"task": "1", "pair": number, "side": "left"}),
        ("undo", {"task": number}),
        ("done", {"task": number}),
    ):
        answer = judged.post(form, **fields)
        assert answer.status_code == 422, (form, fields, answer.text[:200])
    task = judged.take()
    row = {"task": task["id"], "pair": task["pairs"][0]["id"], "side": "left", "seconds": "1e308"}
    assert judged.post("choices", JSON, **row).status_code == 200
