"""Connections of clients: how many there may be, and how long a client may take to send a request or read an answer.

A client that keeps a connection open and sends nothing, or a byte now and then, costs a file descriptor and no more. It
is closed when its time is up; and when there are too many connections, the oldest that has sent no request makes room.
So idle clients never keep others out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from runoff.server.networks import customer_of

if TYPE_CHECKING:
    import asyncio

LEAST_RATE: Final = 2000
"""Bytes a second that a client has to send of a body, and to read of an answer, on average."""
RESERVED_FILES: Final = 200
"""File descriptors for everything but connections: databases, uploads, workers."""
SHARE_OF_ADDRESS: Final = 10
"""One address of the network has at most this part of the connections: one in ten."""
_LOOK_SECONDS: Final = 0.5
_TOO_SLOW: Final = "the request arrived too slowly; expected all of it without long pauses; send it again"
_FULL: Final = "too many connections are open; try again in some seconds"

Networks = tuple[IPv4Network | IPv6Network, ...]


@dataclass(frozen=True, kw_only=True)
class ConnectionLimits:
    """What clients may take.

    connections     that may be open at once
    header_seconds  from the first byte of a request, or the beginning of a connection, to the end of the headers
    body_seconds    that a client may lag behind `LEAST_RATE` while it sends a body or reads an answer
    proxies         addresses that may have any number of the connections
    """

    connections: int
    header_seconds: float
    body_seconds: float
    proxies: Networks = ()

    @property
    def per_address(self) -> int:
        """Connections of one address that is not a proxy."""
        return max(1, self.connections // SHARE_OF_ADDRESS)


@dataclass(eq=False, kw_only=True)
class OpenConnections:
    """All connections of a server, the oldest first; in all, and by where they come from."""

    limits: ConnectionLimits
    everyone: dict[LimitedProtocol, None] = field(default_factory=dict)
    by_site: defaultdict[str, dict[LimitedProtocol, None]] = field(default_factory=lambda: defaultdict(dict))
    is_looking: bool = False

    def admit(self, connection: LimitedProtocol) -> bool:
        """Count a new connection, in place of the oldest without a request if there are too many; or refuse it."""
        limits, site = self.limits, self.by_site[connection.site]
        self.everyone[connection] = site[connection] = None
        too_many_of_site = len(site) > limits.per_address and not connection.is_of_proxy
        if too_many_of_site or len(self.everyone) > limits.connections:
            others = site if too_many_of_site else self.everyone
            oldest = next((other for other in others if other.is_waiting and other is not connection), None)
            if oldest is None:
                return False
            self.forget(oldest)
            oldest.transport.abort()
        if not self.is_looking:
            self.is_looking = True
            connection.loop.call_later(_LOOK_SECONDS, self._look, connection.loop, connection.loop.time())
        return True

    def forget(self, connection: LimitedProtocol) -> None:
        """No longer count a connection."""
        self.everyone.pop(connection, None)
        site = self.by_site.get(connection.site, {})
        site.pop(connection, None)
        if not site:
            self.by_site.pop(connection.site, None)

    def _look(self, loop: asyncio.AbstractEventLoop, before: float) -> None:
        now = loop.time()
        for connection in tuple(self.everyone):
            connection.look(now, now - before)
        self.is_looking = bool(self.everyone)
        if self.is_looking:
            loop.call_later(_LOOK_SECONDS, self._look, loop, now)


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 with limits; `limited_protocol` makes a class of it for a server."""

    open_connections: OpenConnections

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.site = ""
        self.is_of_proxy = False
        self._headers_since: float | None = None
        self._has_sent = False
        self._body_seconds = self.open_connections.limits.body_seconds
        self._body_left = self._answer_left = self._body_seconds
        self._unread = 0

    @property
    def is_waiting(self) -> bool:
        """Whether it has no request that is being received or answered."""
        request: RequestResponseCycle | None = self.cycle  # None before the first
        return request is None or request.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or close it if there are too many."""
        super().connection_made(transport)
        self._headers_since = self.loop.time()
        address = self.client[0] if self.client else ""
        self.site, self.is_of_proxy = customer_of(address), _is_in(address, self.open_connections.limits.proxies)
        if not self.open_connections.admit(self):
            self._refuse("503 Service Unavailable", _FULL, "retry-after: 5\r\n")

    def connection_lost(self, exc: Exception | None) -> None:
        """The client or the server has closed it."""
        self.open_connections.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        if self.transport.is_closing():
            return
        cycle, self._has_sent = self.cycle, True
        super().data_received(data)
        if self.is_waiting:
            self._headers_since = self._headers_since or self.loop.time()
            return
        self._headers_since = None
        left = self._body_left if self.cycle is cycle else self._body_seconds
        self._body_left = min(self._body_seconds, left + len(data) / LEAST_RATE)

    def look(self, now: float, passed: float) -> None:
        """Close the connection if its client is too slow; called every now and then."""
        limits = self.open_connections.limits
        self._look_at_answer(passed)
        if self.transport.is_closing():
            return
        if self.is_waiting:
            if self._headers_since is None or now - self._headers_since <= limits.header_seconds:
                return
            if self._has_sent:
                self._refuse("408 Request Timeout", _TOO_SLOW)
            else:
                # Browsers open connections that they may not need.
                self.transport.close()
        elif self.cycle.more_body and not self.flow.read_paused:
            # Paused, it is the server that takes its time.
            self._body_left -= passed
            if self._body_left < 0:
                self._refuse("408 Request Timeout", _TOO_SLOW)

    def _look_at_answer(self, passed: float) -> None:
        # Also of a connection that is closing: it stays until its last byte is read.
        unread, before = self.transport.get_write_buffer_size(), self._unread
        self._unread = unread
        if unread == 0 or unread > before:
            self._answer_left = self._body_seconds
            return
        self._answer_left = min(self._body_seconds, self._answer_left - passed + (before - unread) / LEAST_RATE)
        if self._answer_left < 0:
            self.transport.abort()

    def _refuse(self, status: str, reason: str, more: str = "") -> None:
        """Answer in one go, unless an answer has begun, and close."""
        request: RequestResponseCycle | None = self.cycle
        has_begun = request is not None and request.response_started and not request.response_complete
        if not has_begun:
            head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(reason)}\r\n{more}"
            self.transport.write(f"{head}connection: close\r\n\r\n{reason}".encode())
        if request is not None:
            # Nothing of what the app still sends is written after this.
            request.disconnected = True
            request.message_event.set()
        self.transport.close()


def limited_protocol(limits: ConnectionLimits) -> type[LimitedProtocol]:
    """The protocol of a server with these limits."""
    return type("ServerProtocol", (LimitedProtocol,), {"open_connections": OpenConnections(limits=limits)})


def connections_within_files(wanted: int) -> int:
    """Raise the number of files that this process may open, as far as it may; how many connections that allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(1, min(wanted, soft - RESERVED_FILES))
    return wanted


def _is_in(address: str, networks: Networks) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)
