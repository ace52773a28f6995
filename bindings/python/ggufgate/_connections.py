"""Connections to web servers: kept by each thread, to public addresses alone, and minded by the clock."""

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

_MOST_CONNECTIONS = 16  # that a thread keeps

_Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]
_GIVEN = ipaddress.IPv6Network("2000::/3")  # to anybody, of IPv6
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# What not every Python knows: relays of 6to4, and documents.
_OTHERS = tuple(map(ipaddress.ip_network, ("192.88.99.0/24", "3fff::/20")))


class NotPublic(Exception):
    """A host is at an address that is not of the public network."""


class NotFound(OSError):
    """No address is known of a host."""


def is_public(address: _Address) -> bool:
    """Whether an address is one of the public network; of those that translators and relays hand on, where to."""
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
    """What a socket receives, as long as its connection has time: however little comes at once."""

    def __init__(self, connection: Any, sock: socket.socket) -> None:
        self._connection = connection
        self._sock = sock
        self._raw: Any = sock.makefile("rb", buffering=0)
        self.is_over = False  # nothing is waited for any more

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
                pass  # nothing, or not all of a record
        super().close()


class _Answer(http.client.HTTPResponse):
    def __init__(self, connection: Any, sock: socket.socket, *arguments: Any, **options: Any) -> None:
        super().__init__(sock, *arguments, **options)
        plain, self.fp = self.fp, _Buffer(_Received(connection, sock))
        plain.close()
        self._buffer = self.fp

    @property
    def has_more_behind(self) -> bool:
        """Whether the server sent more than the answer that it announced."""
        return self._buffer.more


def _patience(timeout: float, until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is up")
    return min(timeout, left)


class _Connections(Dict[Any, http.client.HTTPConnection]):
    """Those that a thread keeps for the next file, by scheme, host and port. They end with it."""

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
    """A connection, and whether it is one that was kept. What it sends and receives takes `timeout` seconds at a time,
    and none after `until`."""
    connections = _of_thread()
    key = (scheme, host, port, allow_private)
    kept = key in connections and connections[key].sock is not None  # a server may have said that it closes it
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
    made.auto_open = 0  # by itself it would look the name up anew, and connect to whatever that says
    made.response_class = functools.partial(_Answer, made)  # type: ignore[assignment]
    return made


def _socket_to(host: str, port: int, timeout: float, until: float, allow_private: bool) -> socket.socket:
    """A socket to one of the addresses of a host. Each is looked at before anything is sent there, and it is that
    address which is connected to: another look-up may say another one."""
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
    """Closes a connection that nobody may use any more."""
    connections = _of_thread()
    for key in [key for key, kept in connections.items() if kept is connection]:
        del connections[key]
    connection.close()
