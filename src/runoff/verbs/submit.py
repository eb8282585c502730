"""Send a run to a server, and wait for its scores."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from runoff.arguments import checks_arguments
from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value
from runoff.errors import InputError, NotAllowedError, RunoffError, UsageError
from runoff.files.submission_folder import metadata_of_json

TRIES: Final = 4
WAIT_SECONDS: Final = 2.0
SECONDS: Final = 300
PASSING: Final = (502, 503, 504)
LONGEST_WAIT: Final = 43_200
_BLOCK: Final = 1 << 18
_PAGE: Final = "/boards/"
_API: Final = "/api/v1/boards/"

Sent = Callable[[int, int], object]
"""Called with how many bytes are sent, and of how many."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SubmitResult(Shown):
    """What the server says about a run that it accepted, or about one that was only checked."""

    answer: dict[str, Any]

    @property
    def is_check(self) -> bool:
        """Whether nothing was submitted."""
        return bool(self.answer.get("dry_run"))

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the run."""
        return tuple(self.answer.get("problems", ()))

    def to_dict(self) -> dict[str, object]:
        """The answer of the server."""
        return dict(self.answer)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What happened, in a sentence; without scores, also what else there is to say."""
        return (self._sentence(), *(() if self.answer.get("scores") else self._notes()))

    def screen_grids(self) -> tuple[Grid, ...]:
        """The scores, once there are any."""
        return self.grids() if self.answer.get("scores") else ()

    def grid(self) -> Grid:
        """A row per score, or none yet."""
        rows: list[list[Value]] = [
            [score["labels"], score["queries"], score["measure"], score["mean"]]
            for score in self.answer.get("scores", ())
        ]
        columns = [
            Column("labels", "Labels"),
            Column("queries", "Queries"),
            Column("measure", "Measure"),
            Column("mean", "Mean", "number"),
        ]
        return Grid(title="Scores", columns=columns, rows=rows, notes=self._notes())

    def _sentence(self) -> str:
        if self.is_check:
            quota = self.answer["quota"]
            left = f"{quota['left']} of {quota['most']} submissions are left"
            return f"The run would be accepted; {left}." if self.answer["is_fine"] else f"The run has faults; {left}."
        return "Run {id} ({name}) is {status}.".format_map(self.answer)

    def _notes(self) -> list[str]:
        notes = list(self.problems)
        verdict = self.answer.get("verdict")
        if verdict:
            notes.append(verdict["sentence"])
        if self.answer.get("status_url"):
            notes.append(f"Follow it at {self.answer['status_url']}")
        return notes


@checks_arguments
def submit(
    path: str | os.PathLike[str],
    *,
    board: str,
    token: str,
    metadata: bytes | None = None,
    dry_run: bool = False,
    wait: bool = False,
    sent: Sent | None = None,
    pause: Callable[[float], object] = time.sleep,
) -> SubmitResult:
    """Send a run file to a board.

    board     the address of the board's page, such as https://example.org/boards/passages
    metadata  JSON with name, team, description and more, see `metadata_of_json`
    wait      until it is scored or rejected
    sent      called as the file is sent

    The key of the submission is made of its content, so the same command twice is one submission.
    """
    address = api_address(board)
    if metadata is not None:
        metadata_of_json(metadata)
    file = Path(path)
    key = _key(file, metadata)
    url = f"{address}/runs" + ("?dry_run=true" if dry_run else "")

    def request() -> urllib.request.Request:
        form = _Form(file, metadata, key)
        return urllib.request.Request(  # noqa: S310  # the scheme was checked
            url,
            data=form.blocks(sent),
            method="POST",
            headers={
                "Authorization": f"Bearer {token}",
                "Content-Type": f"multipart/form-data; boundary={form.boundary}",
                "Content-Length": str(form.size),
                "Idempotency-Key": key,
            },
        )

    # The same key makes one submission of several attempts.
    result = SubmitResult(answer=_patient_answer(request, pause))
    return _followed(result, address, token, pause) if wait and not dry_run else result


def api_address(board: str) -> str:
    """The address of a board in the API, from that of its page or in the API.

    >>> api_address("https://example.org/boards/passages/")
    'https://example.org/api/v1/boards/passages'
    """
    parts = urlsplit(board)
    path = parts.path.rstrip("/")
    mark = _API if _API in path else _PAGE
    before, found, slug = path.rpartition(mark)
    if parts.scheme not in ("http", "https") or not parts.netloc or not found or not slug or "/" in slug:
        raise UsageError(f"{board!r} is not a board; expected an address such as https://example.org/boards/passages")
    return f"{parts.scheme}://{parts.netloc}{before}{_API}{quote(slug)}"


class _Form:
    """A file and its metadata as a form, never in memory as a whole."""

    def __init__(self, path: Path, metadata: bytes | None, key: str) -> None:
        self.path = path
        self.boundary = f"runoff-{hashlib.sha256(key.encode()).hexdigest()[:32]}"
        name = path.name.encode("ascii", "replace").decode().replace('"', "'").replace("\\", "_")
        parts = b""
        if metadata is not None:
            parts += self._head('name="metadata"', "application/json") + metadata + b"\r\n"
        self.head = parts + self._head(f'name="file"; filename="{name}"', "application/octet-stream")
        self.tail = f"\r\n--{self.boundary}--\r\n".encode()
        self.file_size = path.stat().st_size
        self.size = len(self.head) + self.file_size + len(self.tail)

    def blocks(self, sent: Sent | None) -> Iterator[bytes]:
        done = 0
        yield self.head
        with self.path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                yield block
                done += len(block)
                if sent is not None:
                    sent(done, self.file_size)
        yield self.tail

    def _head(self, disposition: str, media_type: str) -> bytes:
        lines = (f"--{self.boundary}", f"Content-Disposition: form-data; {disposition}", f"Content-Type: {media_type}")
        return "\r\n".join([*lines, "", ""]).encode()


def _key(path: Path, metadata: bytes | None) -> str:
    digest = hashlib.sha256(metadata or b"")
    if not path.is_file():
        raise InputError([f"{os.fspath(path)}: no such file; expected a run; check the path"])
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return f"content {digest.hexdigest()}"


def _followed(result: SubmitResult, address: str, token: str, pause: Callable[[float], object]) -> SubmitResult:
    url = f"{address.rpartition('/boards/')[0]}/runs/{result.answer['id']}"
    headers = {"Authorization": f"Bearer {token}"}
    for _ in range(LONGEST_WAIT):
        answer = _patient_answer(lambda: urllib.request.Request(url, headers=headers), pause)  # noqa: S310  # the same
        if answer["status"] in ("scored", "rejected"):
            return SubmitResult(answer=answer)
        pause(WAIT_SECONDS)
    raise ServerError(f"{url}: still {answer['status']} after {LONGEST_WAIT * WAIT_SECONDS:,.0f} s; look there later")


class ServerError(RunoffError):
    """The server could not be reached, or refused."""


class _PassingError(ServerError):
    """The same request may succeed a little later."""


def _patient_answer(request: Callable[[], urllib.request.Request], pause: Callable[[float], object]) -> dict[str, Any]:
    """The answer to a request, sent again where the server was not there, went away, or was busy."""
    for attempt in range(TRIES):
        try:
            return _answer(request())
        except _PassingError as error:
            if attempt == TRIES - 1:
                raise ServerError(f"{error}; tried {TRIES} times; try again later") from None
            pause(WAIT_SECONDS * 2**attempt)
    raise ServerError("unreachable")  # pragma: no cover


def _answer(request: urllib.request.Request) -> dict[str, Any]:
    where = request.full_url.partition("?")[0]
    opener = urllib.request.build_opener(_NoRedirection, _Plain, _Secure)
    try:
        with opener.open(request, timeout=SECONDS) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        raise _refusal(where, error) from None
    except urllib.error.URLError as error:
        raise _unreached(where, error.reason) from None
    except ValueError:
        raise ServerError(f"{where}: the answer is not JSON; expected a runoff server; check the address") from None
    except (OSError, http.client.HTTPException) as error:
        raise _unreached(where, error) from None
    if not isinstance(answer, dict):
        raise ServerError(f"{where}: an unknown answer; expected a runoff server; check the address")
    return answer


def _unreached(where: str, reason: object) -> RunoffError:
    if isinstance(reason, ssl.SSLError):
        # Waiting fixes no certificate.
        text = getattr(reason, "verify_message", "") or reason.reason or "no TLS"
        return ServerError(f"{where}: the connection is not safe ({text}); nothing was sent; check the address")
    if isinstance(reason, TimeoutError):
        return _PassingError(f"{where}: no answer in {SECONDS} s")
    if isinstance(reason, ConnectionRefusedError):
        return _PassingError(f"{where}: the server cannot be reached; nothing listens there")
    if isinstance(reason, (ConnectionError, http.client.HTTPException)):
        return _PassingError(f"{where}: the server ended the connection without an answer")
    if isinstance(reason, OSError):
        return _PassingError(f"{where}: the server cannot be reached ({reason.strerror or reason})")
    return ServerError(f"{where}: {reason}; check the address")


def _refusal(where: str, error: urllib.error.HTTPError) -> RunoffError:
    status = error.code
    if 300 <= status < 400:
        to = str(error.headers.get("Location", "nowhere"))[:200]
        return ServerError(f"{where}: has moved to {to}; nothing was sent there; use that address as --board")
    try:
        fault = json.loads(error.read(1 << 20))["error"]
        message, problems = str(fault["message"]), [str(problem) for problem in fault["problems"]]
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        message, problems = "", []
    if status in PASSING:
        return _PassingError(message or f"{where}: status {status}, the server is busy or being restarted")
    if problems:
        return InputError(problems)
    kind = NotAllowedError if status in (401, 403) else ServerError
    return kind(message or f"{where}: status {status}; {_advice(status, error.headers.get('Retry-After', ''))}")


def _advice(status: int, after: str) -> str:
    """What to do about an answer without words of ours."""
    if status == 429:
        return f"too many requests; try again {f'in {int(after):,} s' if after.isdigit() else 'later'}"
    if status >= 500:
        return "the server failed; try again later or write to its organiser"
    return "expected a runoff server; check the address"


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    """Follows nothing: a token is for the server that was named, and a file is not sent by GET."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Hearing:
    """Hears an answer that comes before the whole file was sent, such as that it is too large."""

    def request(self, *arguments: Any, **options: Any) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            super().request(*arguments, **options)  # type: ignore[misc]


class _PlainConnection(_Hearing, http.client.HTTPConnection):
    pass


class _SecureConnection(_Hearing, http.client.HTTPSConnection):
    pass


class _Plain(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_PlainConnection, req)


class _Secure(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req, context=ssl.create_default_context())
