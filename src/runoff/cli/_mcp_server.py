"""The Model Context Protocol on standard input and output: a JSON-RPC message per line.

A call is a process of its own. Since 2026-07-28 every request names its version; before, `initialize` agreed on one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Final

from runoff.cli._guarded import ROOTS
from runoff.cli._mcp_tools import TOOLS, tools, words
from runoff.errors import RunoffError

STATELESS: Final = "2026-07-28"
WITH_HANDSHAKE: Final = ("2025-11-25", "2025-06-18")
"""Versions that begin with `initialize`, the newest first."""
MOST_OUTPUT: Final = 8_000_000
"""Bytes of a result; more is no use to an agent."""
AT_ONCE: Final = 2
_META: Final = "io.modelcontextprotocol/"
_DAY: Final = 86_400_000
_PARSE, _REQUEST, _METHOD, _PARAMS, _INTERNAL, _VERSION = -32700, -32600, -32601, -32602, -32603, -32022


class _ProtocolError(Exception):
    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({} if data is None else {"data": data})}


@dataclass
class Server:
    """Answers requests about files in `roots`; a call ends after `seconds`."""

    roots: Sequence[Path]
    seconds: float
    output: BinaryIO
    _lock: Lock = field(default_factory=Lock)
    _running: dict[Any, subprocess.Popen[bytes] | None] = field(default_factory=dict)

    def serve(self, lines: BinaryIO) -> None:
        """Answer until the input ends; then calls that still run are stopped."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for line in lines:
                if line.strip():
                    self._take(line, pool)
            for request in list(self._running):
                self._cancel(request)

    def _take(self, line: bytes, pool: ThreadPoolExecutor) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._send({"id": None, "error": {"code": _PARSE, "message": "a line is not JSON; expected a message"}})
            return
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            self._send({"id": None, "error": {"code": _REQUEST, "message": "not a request of JSON-RPC 2.0"}})
            return
        params = message.get("params") or {}
        if "id" not in message:
            if message["method"] == "notifications/cancelled":
                self._cancel(params.get("requestId"))
            return
        if message["method"] == "tools/call":
            self._running[message["id"]] = None
            pool.submit(self._answer, message["id"], message["method"], params)
        else:
            self._answer(message["id"], message["method"], params)

    def _answer(self, request: Any, method: str, params: Mapping[str, Any]) -> None:
        try:
            reply = {"result": self._result(request, method, params)}
        except _ProtocolError as error:
            reply = {"error": error.error}
        except Exception as error:  # a client waits for an answer, whatever happens
            _log(f"{method}: {error!r}")
            reply = {"error": {"code": _INTERNAL, "message": "an error in runoff; its log says more"}}
        with self._lock:
            is_cancelled = method == "tools/call" and request not in self._running
            self._running.pop(request, None)
        if not is_cancelled:
            self._send({"id": request, **reply})

    def _send(self, message: dict[str, Any]) -> None:
        with self._lock:
            self.output.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")
            self.output.flush()

    def _result(self, request: Any, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        named = (params.get("_meta") or {}).get(f"{_META}protocolVersion")
        if named is not None and named != STATELESS:
            supported = [STATELESS, *WITH_HANDSHAKE]
            raise _ProtocolError(_VERSION, "Unsupported protocol version", {"supported": supported, "requested": named})
        about = {"name": "runoff", "title": "runoff", "version": version("runoff")}
        if method == "initialize":
            wanted = params.get("protocolVersion")
            agreed = wanted if wanted in WITH_HANDSHAKE else WITH_HANDSHAKE[0]
            return {"protocolVersion": agreed, "serverInfo": about, **self._abilities()}
        result: dict[str, Any]
        lasting = {"ttlMs": _DAY, "cacheScope": "private"} if named else {}
        if method == "server/discover":
            result = {"supportedVersions": [STATELESS], "serverInfo": about, **self._abilities(), **lasting}
        elif method == "ping":
            result = {}
        elif method == "tools/list":
            result = {"tools": tools(), **lasting}
        elif method == "tools/call":
            result = self._call(request, params)
        else:
            raise _ProtocolError(_METHOD, f"there is no method '{method}'")
        return {**result, "resultType": "complete", "_meta": {f"{_META}serverInfo": about}} if named else result

    def _abilities(self) -> dict[str, Any]:
        folders = ", ".join(map(str, self.roots))
        advice = f"Evaluates search runs against relevance judgments. Paths are relative to {self.roots[0]}; files are "
        return {"capabilities": {"tools": {}}, "instructions": f"{advice}read in {folders}. Nothing is written."}

    def _call(self, request: Any, params: Mapping[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments") or {}
        if name not in TOOLS or not isinstance(arguments, dict):
            raise _ProtocolError(_PARAMS, f"there is no tool '{name}'; expected one of {', '.join(TOOLS)}")
        try:
            printed, error = self._run(request, words(name, arguments, self.roots))
        except RunoffError as problem:
            return _failure(str(problem))
        if len(printed) > MOST_OUTPUT:
            return _failure(f"the result has {len(printed):,} bytes; expected {MOST_OUTPUT:,} at most; ask for less")
        if not printed:
            return _failure(error or "the command ended without a result; ask for less")
        if error:
            _log(f"{name}: {error}")
        found = json.loads(printed)
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))  # half of what indented text costs an agent
        return {"content": [{"type": "text", "text": text}], "structuredContent": found, "isError": False}

    def _run(self, request: Any, typed: Sequence[str]) -> tuple[bytes, str]:
        """What a command prints, and its error."""
        with tempfile.TemporaryDirectory(prefix="runoff-mcp-") as scratch:
            settings = {ROOTS: os.pathsep.join(map(str, self.roots)), "TMPDIR": scratch, "NO_COLOR": "1"}
            process = subprocess.Popen(  # our own program; words are never read by a shell
                [sys.executable, "-m", "runoff.cli._guarded", *typed],
                cwd=self.roots[0],
                env={**os.environ, **settings, "PYTHONSAFEPATH": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            with self._lock:
                is_cancelled = request not in self._running
                self._running |= {} if is_cancelled else {request: process}
            if is_cancelled:
                process.kill()
            try:
                printed, error = process.communicate(timeout=self.seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return b"", (
                    f"stopped after {self.seconds:g} seconds; expected less work; ask for fewer runs or trials, or "
                    "start runoff mcp with more --seconds"
                )
        # An agent has no use for the lines about usage that click begins with.
        return printed, error.decode("utf-8", "replace").rpartition("\n\nError: ")[2].strip()

    def _cancel(self, request: Any) -> None:
        """Stop a call; nobody waits for its answer."""
        with self._lock:
            process = self._running.pop(request, None) if isinstance(request, str | int) else None
        if process is not None:
            process.kill()


def _failure(sentence: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": sentence}], "isError": True}


def _log(sentence: str) -> None:
    sys.stderr.write(f"runoff mcp: {sentence}\n")
    sys.stderr.flush()
