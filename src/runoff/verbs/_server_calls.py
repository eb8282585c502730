"""Requests to a server: sent again where that can help, otherwise with the reason in words."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, Final

from runoff.errors import InputError, NotAllowedError, RunoffError

TRIES: Final = 4
WAIT_SECONDS: Final = 2.0
SECONDS: Final = 300
PASSING: Final = (502, 503, 504)


class ServerError(RunoffError):
    """The server could not be reached, or refused."""


class _PassingError(ServerError):
    """The same request may succeed a little later."""


def patient_answer(request: Callable[[], urllib.request.Request], pause: Callable[[float], object]) -> dict[str, Any]:
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
            found = json.load(response)
    except urllib.error.HTTPError as error:
        raise _refusal(where, error) from None
    except urllib.error.URLError as error:
        raise _unreached(where, error.reason) from None
    except ValueError:
        raise ServerError(f"{where}: the answer is no JSON; expected a runoff server; check the address") from None
    except (OSError, http.client.HTTPException) as error:
        raise _unreached(where, error) from None
    if not isinstance(found, dict):
        raise ServerError(f"{where}: an unknown answer; expected a runoff server; check the address")
    return found


def _unreached(where: str, reason: object) -> RunoffError:
    if isinstance(reason, ssl.SSLError):
        # Waiting fixes no certificate.
        text = getattr(reason, "verify_message", "") or reason.reason or "no TLS"
        return ServerError(f"{where}: the connection is not safe ({text}); nothing was sent; check the address")
    if isinstance(reason, TimeoutError):
        return _PassingError(f"{where}: no answer in {SECONDS} s")
    if isinstance(reason, ConnectionRefusedError):
        return _PassingError(f"{where}: the server cannot be reached; nobody listens there")
    if isinstance(reason, (ConnectionError, http.client.HTTPException)):
        return _PassingError(f"{where}: the server ended the connection without an answer")
    if isinstance(reason, OSError):
        return _PassingError(f"{where}: the server cannot be reached ({reason.strerror or reason})")
    return ServerError(f"{where}: {reason}; check the address")


def _refusal(where: str, error: urllib.error.HTTPError) -> RunoffError:
    status = error.code
    if 300 <= status < 400:
        to = str(error.headers.get("Location", "nowhere"))[:200]
        return ServerError(f"{where}: is elsewhere now, at {to}; nothing was sent there; use its address as --board")
    try:
        fault = json.loads(error.read(1 << 20))["error"]
        message, problems = str(fault["message"]), [str(one) for one in fault["problems"]]
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
        return "the server has a fault; try again later or tell its organiser"
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
