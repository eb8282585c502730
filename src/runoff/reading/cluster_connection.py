"""Connecting to a Dask cluster: certificates are checked first, and a connection that fails is explained."""

from __future__ import annotations

import gc
import os
import signal
import socket
import ssl
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from ipaddress import ip_address
from multiprocessing import resource_tracker
from typing import Final
from urllib.parse import urlsplit

from runoff.errors import UsageError

TCP: Final = "tcp://"
TLS: Final = "tls://"
PLAIN: Final = "plain+tcp://"
"""What is written before the address of another host to go without encryption."""
LOCAL: Final = "local"
PACKAGE: Final = "runoff"
_PARTS: Final = ("the authority's certificate", "our own certificate", "our key")
_OPTION: Final = "--cluster-tls CA CERT KEY"


def encrypted_address(address: str) -> str:
    """The address of a scheduler as Dask takes it: by TLS if it is on another host, unless `PLAIN` was asked for.

    Whoever can read or change what goes to a scheduler knows the labels and can run programs on its workers.

    >>> encrypted_address("10.0.0.1:8786")
    'tls://10.0.0.1:8786'
    """
    if address.startswith(PLAIN):
        return TCP + address.removeprefix(PLAIN)
    if address.partition(":")[0] == LOCAL:
        return address
    if "://" not in address:
        return (TCP if _is_here(urlsplit(TCP + address).hostname or "") else TLS) + address
    if address.startswith(TCP) and not _is_here(urlsplit(address).hostname or ""):
        host = address.removeprefix(TCP)
        raise UsageError(
            f"cluster {address}: is not encrypted, and on another host; expected {TLS}{host} with {_OPTION}; use that, "
            f"or {PLAIN}{host} if nobody else is in that network"
        )
    return address


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_certificates(address: str, tls: Sequence[str] | None) -> None:
    """Refuse certificates without tls://, files that are missing or no PEM, and a key of another certificate."""
    if tls is None:
        return
    if not address.startswith(TLS):
        raise UsageError(
            f"cluster {address}: certificates are given for an address that is not encrypted; expected "
            "tls://HOST:PORT; change the address, or give no certificates"
        )
    authority, certificate, key = tls
    for file, part in zip(tls, _PARTS, strict=True):
        try:
            with open(file, "rb"):  # noqa: PTH123  # as OpenSSL will
                pass
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise UsageError(f"{file}: {reason}; expected {part}, a PEM file; check {_OPTION}") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(authority)
    except (ssl.SSLError, ValueError):
        raise UsageError(f"{authority}: holds no certificate; expected {_PARTS[0]} as PEM; check {_OPTION}") from None
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")  # else OpenSSL asks on the terminal
    except (ssl.SSLError, ValueError) as error:
        raise UsageError(f"{_unfit(certificate, key, error)}; check {_OPTION}") from None


def _unfit(certificate: str, key: str, error: Exception) -> str:
    if "MISMATCH" in str(error):
        return f"{key}: is not the key of {certificate}; expected the one that it was made with"
    return (
        f"{certificate} with {key}: cannot be used; expected a certificate and its key as PEM files, the key without a "
        "pass phrase"
    )


def check_host(address: str) -> None:
    """Refuse at once the name of a host that nobody knows; Dask would go on trying."""
    found = urlsplit(address)
    if found.hostname is None or found.scheme not in {"tcp", "tls"}:
        return
    try:
        socket.getaddrinfo(found.hostname, None)
    except OSError:
        raise UsageError(
            f"cluster {address}: no host is called {found.hostname}; expected one with a Dask scheduler; check the "
            "address"
        ) from None


def check_versions(found: Mapping[str, object]) -> None:
    """Refuse workers without runoff, which any task of ours would end, and those with another version.

    found  what `importlib.metadata.version` says of runoff at the address of each
    """
    here = version(PACKAGE)
    for worker, there in sorted(found.items()):
        if there != here:
            what = f"has runoff {there}" if isinstance(there, str) else "has no runoff"
            raise UsageError(
                f"worker {worker}: {what}; expected {here} as here, on every worker; install it there: "
                f"pip install '{PACKAGE}[cluster]=={here}'"
            )


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Threads and processes that are started here never see Ctrl-C; it takes effect at the end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let interrupts through again when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_go(error: BaseException | None) -> None:
    """Let a client of Dask that could not start end now: the error that it ended with alone knows it.

    Else it would end at some time in some thread; if just then another one starts, each waits for the other.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
    gc.collect()


def connection_problem(address: str, tls: Sequence[str] | None, error: Exception) -> UsageError:
    """Why a cluster could not be entered, from what Dask said of it."""
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    known = _known(address, tls, error)
    if known is not None:
        return UsageError(f"cluster {address}: cannot be used: {known}")
    return UsageError(
        f"cluster {address}: cannot be used ({reason}); expected a Dask scheduler with a worker, such "
        "as tls://HOST:8786, or local; check the address, the certificates and that workers are there"
    )


def _known(address: str, tls: Sequence[str] | None, error: Exception) -> str | None:
    """What is behind an error of the connection; None if this is not known."""
    said, kind = str(error), type(error).__name__
    whose = f"the authority in {os.fspath(tls[0])}" if tls else "the authority of Dask's configuration"
    if "ssl_context" in said:
        return (
            f"no certificates for tls:// are given; expected {_OPTION}, or distributed.comm.tls in Dask's configuration"
        )
    if "certificate does not match" in said:
        return (
            f"the certificate of its scheduler is not of {whose}; expected one that this authority signed; check both"
        )
    if kind not in {"CommClosedError", "FatalCommClosedError"}:
        return None
    if address.startswith(TLS):
        return (
            "the scheduler closed the connection; expected one that speaks TLS and accepts our certificate; check its "
            "address, and that its authority signed the certificate"
        )
    return (
        "the scheduler closed the connection, as one does that speaks TLS; expected tls://HOST:PORT then, with "
        f"{_OPTION}; check its address"
    )
