"""Ranges of files on web servers. All answers must be about the same version of the file.

Total size and ETag (or date) of the first answer are compared with those of all later answers. A body of another
length, an encoding, or a status other than 206 is an error. Bytes beyond the requested range are not read.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
import urllib.parse
from typing import Any, Mapping, Optional, Tuple

from ._connections import NotFound, NotPublic, connection_to, drop

_FIRST = 64 << 10  # size of the first read; small files fit into it
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_TRY_AGAIN = (408, 425, 429, 500, 502, 503, 504)
_RANGE = re.compile(r"bytes (\d{1,19})-(\d{1,19})/(\d{1,19})")
_NO_RANGE = re.compile(r"bytes \*/(\d{1,19})")


class FetchError(OSError):
    """A failed fetch. `again`: another attempt may succeed, after `wait` seconds if the server named a time."""

    def __init__(self, text: str, *, again: bool = False, wait: Optional[float] = None) -> None:
        super().__init__(text)
        self.again = again
        self.wait = wait


class Web:
    """Settings for web servers."""

    def __init__(self, *, headers: Optional[Mapping[str, str]] = None, timeout: float = 30.0,
                 deadline: float = 600.0, allow_http: bool = False, allow_private: bool = False) -> None:
        self.headers = dict(headers or {})  # sent only to the host of the address
        self.timeout = timeout  # for one answer
        self.deadline = deadline  # for one file
        self.allow_http = allow_http
        self.allow_private = allow_private


class HttpFile:
    """A file on a web server, read by ranges. Size and version come from the first answer."""

    def __init__(self, url: str, web: Web, known: Optional[str] = None, until: Optional[float] = None) -> None:
        """`known` is an ETag: if the file still has it, nothing is read, and `unchanged` is true. `until` is the time
        limit by time.monotonic(); by default the deadline of `web` starts now."""
        self._web = web
        self._url = url  # after redirects, which are followed once
        self._origin = _parts(url, web)[:3]
        self._until = time.monotonic() + web.deadline if until is None else until
        self.requests = 0
        self.bytes = 0
        self.size: Optional[int] = None
        self.etag: Optional[str] = None
        self._version: Any = None
        self.unchanged = False
        self._known = known if is_strong(known) else None
        self._front = b""
        self._front = self._fetch(0, _FIRST)

    def read(self, offset: int, size: int) -> bytes:
        """Bytes of the file; raises FetchError if they cannot be fetched."""
        front = self._front[offset:offset + size]
        if len(front) == size:
            return front
        return front + self._fetch(offset + len(front), size - len(front))

    def _fetch(self, offset: int, size: int) -> bytes:
        try:
            return self._follow(offset, size)
        except FetchError:
            raise
        except NotPublic as error:
            raise FetchError(str(error)) from error
        except NotFound as error:
            raise FetchError(str(error), again=True) from error
        except (TimeoutError, socket.timeout) as error:
            raise FetchError("the server takes too long", again=True) from error
        except ssl.SSLCertVerificationError as error:
            raise FetchError(f"certificate: {error.verify_message}") from error
        except (OSError, http.client.HTTPException) as error:
            raise FetchError(f"{type(error).__name__}: {error}", again=True) from error

    def _follow(self, offset: int, size: int) -> bytes:
        url = self._url
        for _ in range(_MOST_REDIRECTS + 1):
            if time.monotonic() > self._until:
                raise FetchError("the server takes too long", again=True)
            connection, answer = self._ask(url, offset, size)
            location = answer.getheader("Location")
            if answer.status not in _REDIRECTS or location is None:
                whole = False
                try:
                    data = self._take(answer, offset, size)
                    whole = answer.isclosed()
                finally:
                    if not whole:
                        answer.close()  # if the server closes the connection, the answer owns the socket
                        drop(connection)
                self._url = url
                return data
            answer.close()
            drop(connection)  # instead of reading further output
            secure = url.lower().startswith("https:")
            url = urllib.parse.urljoin(url, location)
            if secure and not url.lower().startswith("https:"):
                raise FetchError("a redirect leads to an address without https")
        raise FetchError("too many redirects")

    def _ask(self, url: str, offset: int, size: int) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        parts = _parts(url, self._web)
        headers = {"Accept-Encoding": "identity", "User-Agent": "ggufgate"}
        if parts[:3] == self._origin:
            headers.update(self._web.headers)
        if self._known is not None and self.size is None:
            headers["If-None-Match"] = self._known
        headers["Range"] = f"bytes={offset}-{offset + size - 1}"
        while True:
            connection, kept = connection_to(*parts[:3], timeout=self._web.timeout, until=self._until,
                                             allow_private=self._web.allow_private)
            self.requests += 1
            try:
                connection.request("GET", parts[3], headers=headers)
                return connection, connection.getresponse()
            except (OSError, http.client.HTTPException):
                drop(connection)
                if not kept:  # the server may have closed a kept one
                    raise
            except BaseException:
                drop(connection)
                raise

    def _take(self, answer: http.client.HTTPResponse, offset: int, size: int) -> bytes:
        """The bytes of an answer, if it matches the request."""
        if answer.status in _TRY_AGAIN:
            raise FetchError(f"HTTP {answer.status}", again=True, wait=_seconds(answer.getheader("Retry-After")))
        if answer.status == 304 and self._known is not None and self.size is None:
            if answer.getheader("ETag", self._known) != self._known:
                raise FetchError("the server mixes versions of the file")
            self.unchanged, self.size, self.etag = True, 0, self._known
            return b""
        if answer.getheader("Content-Encoding", "identity").lower() != "identity":
            raise FetchError("the server sends another encoding than requested")
        if answer.status == 416 and self.size is None:
            match = _NO_RANGE.fullmatch(answer.getheader("Content-Range", ""))
            if match is None or int(match[1]) != 0:
                raise FetchError("HTTP 416")
            self._pin(answer, 0)
            return b""
        if answer.status == 200:
            return self._take_whole(answer, size)
        if answer.status != 206:
            raise FetchError(f"HTTP {answer.status}")
        match = _RANGE.fullmatch(answer.getheader("Content-Range", ""))
        if match is None:
            raise FetchError("the server does not say which range it sends")
        first, last, total = (int(number) for number in match.groups())
        if total >= 2**63:
            raise FetchError("the server sends an impossible size")
        self._pin(answer, total)
        if first != offset or last != min(offset + size, total) - 1:
            raise FetchError("the server sends another range than requested")
        if offset + size > total and self._front:
            raise FetchError("the file became shorter while it was read", again=True)
        return self._body(answer, last - first + 1)

    def _take_whole(self, answer: http.client.HTTPResponse, size: int) -> bytes:
        """The whole file from a server without ranges, up to the size of the first range."""
        length = answer.getheader("Content-Length", "")
        if self.size is not None or not re.fullmatch(r"\d{1,18}", length) or int(length) > size:
            raise FetchError("the server does not send ranges")
        self._pin(answer, int(length))
        return self._body(answer, int(length))

    def _body(self, answer: http.client.HTTPResponse, size: int) -> bytes:
        pieces, left = [], size
        while left > 0:
            piece = answer.read(min(left, 1 << 20))
            if not piece:
                raise FetchError(f"the answer ends {left} bytes too soon", again=True)
            self.bytes += len(piece)
            left -= len(piece)
            pieces.append(piece)
            if time.monotonic() > self._until:
                raise FetchError("the server takes too long", again=True)
        if answer.read(1) or getattr(answer, "has_more_behind", False):
            raise FetchError("the answer is longer than announced")
        return b"".join(pieces)

    def _pin(self, answer: http.client.HTTPResponse, total: int) -> None:
        etag = answer.getheader("ETag")
        version = (total, etag, None if etag else answer.getheader("Last-Modified"))
        if self.size is None:
            self.size, self.etag, self._version = total, etag, version
        elif version != self._version:
            raise FetchError("the file changed while it was read", again=True)
        elif version[1:] == (None, None):
            raise FetchError("the server does not name the version of the file (no ETag, no Last-Modified), so its "
                             "answers may be of two")


def is_strong(etag: Optional[str]) -> bool:
    """Whether two files with this ETag are the same to the byte (RFC 9110, section 8.8.3)."""
    return etag is not None and re.fullmatch(r'"[\x21\x23-\x7e]{1,200}"', etag) is not None


def _parts(url: str, web: Web) -> Tuple[str, str, int, str]:
    """Scheme, host, port and target."""
    split = urllib.parse.urlsplit(url)
    scheme = split.scheme.lower()
    if scheme != "https" and not (scheme == "http" and web.allow_http):
        raise FetchError(f"{scheme or 'no scheme'}: only https is allowed")
    try:
        port = split.port or (443 if scheme == "https" else 80)
    except ValueError as error:
        raise FetchError("the address has no valid port") from error
    if not split.hostname or split.username is not None:
        raise FetchError("the address has no host, or contains a user name")
    target = urllib.parse.quote(split.path or "/", safe="/%:@!$&'()*+,;=~-._")
    if split.query:
        target += "?" + urllib.parse.quote(split.query, safe="/%:@!$&'()*+,;=~-._?")
    return scheme, split.hostname, port, target


def _seconds(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and re.fullmatch(r"\d{1,6}", text) else None
