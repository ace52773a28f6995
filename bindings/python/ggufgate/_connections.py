"""Connections to web servers: kept per thread, only to public addresses, with time limits."""

from __future__ import annotations

import functools
import http.client
import io
import ipaddress
import socket
import ssl
import threading
import time
from typing import Any, Dict, Tuple, Union

_MOST_CONNECTIONS = 16  # per thread

_Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]
_GIVEN = ipaddress.IPv6Network("2000::/3")  # assigned global IPv6 addresses
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Ranges that some Python versions do not know: 6to4 relays, and documentation.
_OTHERS = tuple(map(ipaddress.ip_network, ("192.88.99.0/24", "3fff::/20")))


class NotPublic(Exception):
    """A host has an address that is not public."""


class NotFound(OSError):
    """A host has no known address."""


def is_public(address: _Address) -> bool:
    """Whether an address is public. For addresses of translators and relays, checks the target."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in _GIVEN:
            return False
    return (address.is_global and not address.is_multicast and not address.is_reserved
            and not any(address in other for other in _OTHERS))


class _Received(io.RawIOBase):
    """The input of a socket within the time limit of its connection, also if it comes slowly."""

    def __init__(self, connection: Any, sock: socket.socket) -> None:
        self._connection = connection
        self._sock = sock
        self._raw: Any = sock.makefile("rb", buffering=0)
        self.is_over = False  # do not wait any more

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        if self.is_over:
            self._sock.settimeout(0)
            return self._raw.readinto(buffer)
        self._sock.settimeout(_patience(self._connection.patience, self._connection.until))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Buffer(io.BufferedReader):
    """The buffer of one answer. After its end `more` is true if the server sent further bytes."""

    more = False

    def close(self) -> None:
        if not self.closed:
            self.raw.is_over = True  # type: ignore[attr-defined]
            try:
                self.more = self.peek(1) != b""
            except OSError:
                pass  # no data, or a partial record
        super().close()


class _Answer(http.client.HTTPResponse):
    def __init__(self, connection: Any, sock: socket.socket, *arguments: Any, **options: Any) -> None:
        super().__init__(sock, *arguments, **options)
        plain, self.fp = self.fp, _Buffer(_Received(connection, sock))
        plain.close()
        self._buffer = self.fp

    @property
    def has_more_behind(self) -> bool:
        """Whether the server sent more than the announced answer."""
        return self._buffer.more


def _patience(timeout: float, until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is up")
    return min(timeout, left)


class _Connections(Dict[Any, http.client.HTTPConnection]):
    """Connections that a thread keeps for the next file, by scheme, host and port. They close with the thread."""

    def __del__(self) -> None:
        for connection in self.values():
            connection.close()


_kept = threading.local()


def _of_thread() -> _Connections:
    if not hasattr(_kept, "connections"):
        _kept.connections = _Connections()
    return _kept.connections


def connection_to(scheme: str, host: str, port: int, *, timeout: float, until: float,
                  allow_private: bool) -> Tuple[http.client.HTTPConnection, bool]:
    """A connection, and whether it was kept. Each transfer may take `timeout` seconds, and none is allowed
    after `until`."""
    connections = _of_thread()
    key = (scheme, host, port, allow_private)
    kept = key in connections and connections[key].sock is not None  # the server may have announced to close it
    made: Any = connections[key] if kept else _connect(scheme, host, port, timeout, until, allow_private)
    made.patience, made.until = timeout, until
    made.sock.settimeout(_patience(timeout, until))
    if not kept:
        if key not in connections and len(connections) >= _MOST_CONNECTIONS:
            connections.pop(next(iter(connections))).close()
        connections[key] = made
    return made, kept


def _connect(scheme: str, host: str, port: int, timeout: float, until: float,
             allow_private: bool) -> http.client.HTTPConnection:
    made: http.client.HTTPConnection
    sock = _socket_to(host, port, timeout, until, allow_private)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if scheme == "https":
            context = ssl.create_default_context()
            sock.settimeout(_patience(timeout, until))
            sock = context.wrap_socket(sock, server_hostname=host)
            made = http.client.HTTPSConnection(host, port, context=context)
        else:
            made = http.client.HTTPConnection(host, port)
    except BaseException:
        sock.close()
        raise
    made.sock = sock
    made.auto_open = 0  # otherwise it would resolve the name again and connect to any result
    made.response_class = functools.partial(_Answer, made)  # type: ignore[assignment]
    return made


def _socket_to(host: str, port: int, timeout: float, until: float, allow_private: bool) -> socket.socket:
    """A socket to one of the addresses of a host. Each address is checked before the connection, and exactly that
    address is used: another look-up could return another one."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise NotFound(f"host {host} was not found") from error
    failed: Exception = NotFound(f"host {host} was not found")
    for family, kind, protocol, _, address in found:
        if not allow_private and not is_public(ipaddress.ip_address(str(address[0]).split("%")[0])):
            failed = NotPublic(f"{host} is at a private address, which is not allowed")
            continue
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(_patience(timeout, until))
            sock.connect(address)
            return sock
        except OSError as error:
            sock.close()
            failed = error
    raise failed


def drop(connection: http.client.HTTPConnection) -> None:
    """Closes a connection and removes it."""
    connections = _of_thread()
    for key in [key for key, kept in connections.items() if kept is connection]:
        del connections[key]
    connection.close()
