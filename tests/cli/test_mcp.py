"""`runoff mcp`, driven over its standard input and output as a client would."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import runoff
from runoff.cli._mcp_tools import LEFT_OUT, TOOLS, command_of, input_schema, words
from runoff.errors import UsageError
from runoff.verbs._small_demo import run_small_demo

META = "io.modelcontextprotocol/protocolVersion"
FILES = {"runs": ["alder.run", "birch.run"], "qrels": "qrels.txt"}
CALLS: dict[str, dict[str, Any]] = {
    "evaluate": {**FILES, "measure": ["RR@10", "AP"]},
    "compare": {"champion": "alder.run", "challengers": ["birch.run"], "qrels": "qrels.txt", "trials": 100},
    "board": {**FILES, "trials": 100, "seed": 3},
    "ipso": {**FILES, "depth": ["5"]},
    "reliability": {**FILES, "splits": 5},
    "check": {**FILES, "depth": 5},
    "scale": {"measure": "RR@3"},
}


class Client:
    def __init__(self, folder: Path, *words: str) -> None:
        self.process: Any = subprocess.Popen(
            [sys.executable, "-m", "runoff", "mcp", *words],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, **message):
        self.send_line(json.dumps({"jsonrpc": "2.0", **message}))

    def send_line(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.send(id="1", method=method, params=params)
        answer = self.receive()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", "1")
        return answer

    def call(self, name, **arguments):
        return self.ask("tools/call", name=name, arguments=arguments)["result"]

    def refusal(self, name, **arguments):
        result = self.call(name, **arguments)
        assert result["isError"], result
        assert "structuredContent" not in result
        return result["content"][0]["text"]

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(30)
        logged = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, logged


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("mcp")
    run_small_demo(place / "open", queries=40, runs=4)
    (place / "secret.run").write_bytes((place / "open" / "alder.run").read_bytes())
    (place / "open" / "link.run").symlink_to(place / "secret.run")
    return place / "open"


@pytest.fixture(scope="module")
def client(folder):
    client = Client(folder)
    yield client
    assert client.close() == (0, "")


@pytest.mark.parametrize(
    "asked, agreed", [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25")]
)
def test_a_handshake(client, asked, agreed):
    result = client.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "t", "version": "0"})
    assert result["result"]["protocolVersion"] == agreed
    assert result["result"]["capabilities"] == {"tools": {}}
    assert result["result"]["serverInfo"]["name"] == "runoff"
    client.send(method="notifications/initialized")
    assert client.ask("ping")["result"] == {}


def test_requests_that_name_their_version(client):
    found = client.ask("server/discover", _meta={META: "2026-07-28"})["result"]
    assert (found["supportedVersions"], found["resultType"]) == (["2026-07-28"], "complete")
    listed = client.ask("tools/list", _meta={META: "2026-07-28"})["result"]
    assert (listed["resultType"], listed["cacheScope"]) == ("complete", "private")
    error = client.ask("tools/list", _meta={META: "1900-01-01"})["error"]
    assert (error["code"], error["data"]["requested"]) == (-32022, "1900-01-01")
    assert "2026-07-28" in error["data"]["supported"]


def test_the_list_of_tools(client):
    listed = client.ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(TOOLS)
    for tool in listed:
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["outputSchema"] == runoff.schema(tool["name"])
        assert tool["annotations"]["readOnlyHint"]
        Draft202012Validator(tool["inputSchema"]).validate(CALLS[tool["name"]])
        assert len(tool["description"]) > 40


@pytest.mark.parametrize("name", TOOLS)
def test_arguments_are_the_options_of_the_command(name):
    properties = set(input_schema(name)["properties"])
    assert properties.isdisjoint(LEFT_OUT)
    options = {max(one.opts, key=len).lstrip("-").replace("-", "_") for one in command_of(name).params}
    assert properties == options - LEFT_OUT


@pytest.mark.parametrize("name", TOOLS)
def test_a_call_answers_what_the_command_prints(client, folder, call, monkeypatch, name):
    result = client.call(name, **CALLS[name])
    assert not result["isError"], result
    Draft202012Validator(runoff.schema(name)).validate(result["structuredContent"])
    text = result["content"][0]["text"]
    assert json.loads(text) == result["structuredContent"]
    assert "\n" not in text
    monkeypatch.chdir(folder)
    assert json.loads(call(*words(name, CALLS[name], [folder])).stdout) == result["structuredContent"]


def test_two_calls_at_once(client):
    for number in (1, 2):
        client.send(id=number, method="tools/call", params={"name": "scale", "arguments": {"measure": f"RR@{number}"}})
    answers = {
        answer["id"]: answer["result"]["structuredContent"]["depth"] for answer in (client.receive() for _ in "12")
    }
    assert answers == {1: 1, 2: 2}


def test_files_with_faults_are_a_result_of_check(client, folder):
    (folder / "bad.run").write_text("q1 Q0 d1 1 x r\n", encoding="utf-8")
    result = client.call("check", runs=["bad.run"])
    assert not result["isError"]
    assert result["structuredContent"]["errors"] == 1


ERRORS = [
    ("evaluate", {"runs": ["none.run"], "qrels": "qrels.txt"}, "none.run: no such file"),
    ("evaluate", {"runs": ["bad.run"], "qrels": "qrels.txt"}, "bad.run:1: "),
    ("scale", {"measure": "RR"}, "RR has no cutoff; expected a number of ranks to fill; write RR@3"),
    ("scale", {}, "Missing argument 'MEASURE'"),
    ("evaluate", {"runs": ["alder.run"]}, "Missing option '--qrels'."),
    ("scale", {"measure": "RR@3", "output": "x"}, "scale has no argument 'output'; expected measure, highest"),
    ("evaluate", {"runs": "alder.run"}, "evaluate: runs is 'alder.run'; expected a list"),
    ("board", {**FILES, "rank_table": "yes"}, "board: rank_table is 'yes'; expected true or false"),
    ("board", {**FILES, "trials": True}, "board: trials is True; expected text or a number"),
    ("board", {**FILES, "trials": -1}, "Invalid value for '--trials'"),
    ("evaluate", {"runs": ["../secret.run"], "qrels": "qrels.txt"}, "not in a folder that may be read; expected"),
    ("evaluate", {"runs": ["/etc/passwd"], "qrels": "qrels.txt"}, "/etc/passwd: not in a folder that may be read"),
    ("evaluate", {"runs": ["link.run"], "qrels": "qrels.txt"}, "link.run: not in a folder that may be read"),
    ("evaluate", {"runs": ["alder.run"], "qrels": "irds:beir/scifact"}, "irds:beir/scifact: nothing is fetched here"),
    ("evaluate", {"runs": ["-"], "qrels": "qrels.txt"}, "standard input is the client's"),
    ("evaluate", {"runs": ["--output=stolen.json", "alder.run"], "qrels": "qrels.txt"}, "no such file"),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments, sentence", ERRORS)
def test_what_is_refused(client, folder, name, arguments, sentence):
    (folder / "bad.run").write_text("q1 Q0 d1 1 x r\n", encoding="utf-8")
    refusal = client.refusal(name, **arguments)
    assert sentence in refusal
    assert "Usage: " not in refusal
    assert not (folder / "stolen.json").exists()


def test_a_board_does_not_lead_out(client, folder):
    lines = ['title = "B"', 'measure = "RR@10"', "[labels.l]", 'path = "qrels.txt"']
    for name, path in (("a", "alder.run"), ("b", "../secret.run")):
        lines += ["[[runs]]", f'name = "{name}"', f'path = "{path}"']
    (folder / "board.toml").write_text("\n".join(lines), encoding="utf-8")
    for tool in ("board", "check"):
        told = json.dumps(client.call(tool, runs=["board.toml"]))
        assert "secret.run: not in a folder that may be read" in told
        assert told.count("secret.run") < 4


def test_another_root(folder):
    client = Client(folder, "--root", str(folder), "--root", str(folder.parent))
    result = client.call("evaluate", runs=["link.run", "../secret.run"], qrels="qrels.txt")
    assert not result["isError"], result
    assert client.close() == (0, "")


def test_errors_of_the_protocol(client):
    assert client.ask("tools/call", name="serve", arguments={})["error"]["code"] == -32602
    assert client.ask("resources/list")["error"]["code"] == -32601
    client.send_line("{")
    assert client.receive()["error"]["code"] == -32700
    client.send_line("[]")
    assert client.receive()["error"]["code"] == -32600
    client.send_line("")
    assert client.ask("ping")["result"] == {}


def test_the_time_limit(folder):
    client = Client(folder, "--seconds", "0.01")
    assert client.refusal("scale", measure="RR@3").startswith("stopped after 0.01 seconds; expected less work")
    assert client.close() == (0, "")


def test_a_cancelled_call_is_not_answered(folder):
    client = Client(folder)
    params = {"name": "board", "arguments": {**FILES, "trials": 50_000_000}}
    client.send(id=7, method="tools/call", params=params)
    client.send(method="notifications/cancelled", params={"requestId": 7})
    assert client.ask("ping")["result"] == {}
    assert client.close() == (0, "")
    assert client.process.returncode == 0


def test_a_missing_folder(tmp_path):
    client = Client(tmp_path, "--root", "none")
    status, logged = client.close()
    assert status == 2
    assert "none: no such folder; expected one whose files may be read; name another" in logged


GUARDED = [
    (["evaluate", "alder.run", "--qrels", "qrels.txt", "-o", "out.json"], "nothing is written here"),
    (["evaluate", "../secret.run", "--qrels", "qrels.txt"], "../secret.run: not in a folder that may be read"),
]


@pytest.mark.parametrize("typed, sentence", GUARDED)
def test_the_guard_alone(folder, tmp_path, typed, sentence):
    ended = subprocess.run(
        [sys.executable, "-m", "runoff.cli._guarded", *typed],
        cwd=folder,
        env={**os.environ, "RUNOFF_ROOTS": str(folder), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert sentence in ended.stderr
    assert not (folder / "out.json").exists()


@pytest.mark.parametrize("line", ["import socket; socket.create_connection(('127.0.0.1', 9))", "os.system('true')"])
def test_the_guard_keeps_off_network_and_programs(folder, tmp_path, line):
    begin = "import os, sys\nfrom pathlib import Path\nfrom runoff.cli._guarded import guard\n"
    code = f"{begin}guard([Path({str(folder)!r})], Path({str(tmp_path)!r}))\n"
    ended = subprocess.run([sys.executable, "-c", code + line], capture_output=True, text=True, check=False)
    assert "is not allowed here" in ended.stderr


def test_a_zero_byte():
    with pytest.raises(UsageError, match="holds a zero byte"):
        words("scale", {"measure": "RR@3\0"}, [Path("/")])


@pytest.mark.proof
def test_the_client_of_the_official_library(folder):
    mcp, stdio = importlib.import_module("mcp"), importlib.import_module("mcp.client.stdio")

    async def session():
        server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "runoff", "mcp"], cwd=str(folder))
        async with stdio.stdio_client(server) as streams, mcp.ClientSession(*streams) as client:
            await client.initialize()
            names = [tool.name for tool in (await client.list_tools()).tools]
            return names, await client.call_tool("compare", CALLS["compare"])

    names, result = asyncio.run(session())
    assert names == list(TOOLS)
    Draft202012Validator(runoff.schema("compare")).validate(json.loads(result.content[0].text))
