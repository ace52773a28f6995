"""A server that misbehaves: the path selects how (/HOW/N, where N separates the state of tests)."""

import gzip
import http.server
import io
import select
import socket
import ssl
import threading
import time

WAYS = {}


def way(function):
    WAYS[function.__name__] = function
    return function


class Answerer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        name = self.path.split("/")[1]
        self.asked = self.headers.get("Range")
        with self.server.lock:
            self.server.seen.append((self.path, self.asked, self.headers.get("Authorization")))
            self.turn = sum(path == self.path for path, *_ in self.server.seen)
        try:
            WAYS[name](self)
        except (ConnectionError, ssl.SSLError, OSError):
            self.close_connection = True

    @property
    def file(self):
        return self.server.file

    @property
    def at_front(self):
        """Whether the first byte is requested. Unlike the turn, this survives a request that is repeated."""
        return self.wanted()[0] == 0

    def wanted(self):
        """(first, last) of the requested range."""
        if not self.asked:
            return 0, len(self.file) - 1
        first, last = self.asked.removeprefix("bytes=").split("-")
        return int(first), min(int(last or len(self.file)), len(self.file) - 1)

    def head(self, status, **fields):
        self.send_response_only(status)
        for field, value in fields.items():
            if value is not None:
                self.send_header(field.replace("_", "-"), str(value))
        self.end_headers()

    def part(self, first=None, last=None, total=None, body=None, status=None, **fields):
        """A correct answer, except for the given parts."""
        a, b = self.wanted()
        first, last = a if first is None else first, b if last is None else last
        total = len(self.file) if total is None else total
        body = self.file[a:b + 1] if body is None else body
        given = {"ETag": '"one"', "Accept_Ranges": "bytes"}
        if self.asked:
            given["Content_Range"] = f"bytes {first}-{last}/{total}"
        given["Content_Length"] = b - a + 1
        given.update(fields)
        self.head(status or (206 if self.asked else 200), **given)
        self.wfile.write(body)


# --- what it says before the bytes ------------------------------------------------------------------

@way
def good(a):
    a.part()


@way
def ignores_ranges(a):
    a.head(200, ETag='"one"', Content_Length=len(a.file))
    a.wfile.write(a.file)


@way
def other_start(a):
    first, last = a.wanted()
    a.part(first + 1, last)


@way
def other_end(a):
    first, last = a.wanted()
    a.part(first, last - 1)


@way
def shorter_range(a):
    first, last = a.wanted()
    a.part(first, last - 1, body=a.file[first:last], Content_Length=last - first)


@way
def other_total(a):
    a.part(total=len(a.file) + a.turn)


@way
def total_unknown(a):
    first, last = a.wanted()
    a.part(Content_Range=f"bytes {first}-{last}/*")


@way
def total_too_large(a):
    first, last = a.wanted()
    a.part(Content_Range=f"bytes {first}-{last}/{1 << 64}")


@way
def negative_size(a):
    a.part(Content_Range=f"bytes 0-{len(a.file) - 1}/-1", Content_Length=None)
    a.close_connection = True


@way
def size_zero(a):
    a.part(total=0)


@way
def no_content_range(a):
    a.part(Content_Range=None)


@way
def two_content_ranges(a):
    a.send_response_only(206)
    first, last = a.wanted()
    a.send_header("Content-Range", f"bytes {first}-{last}/{len(a.file)}")
    a.send_header("Content-Range", f"bytes {first}-{last}/{len(a.file) + 1}")
    a.send_header("Content-Length", str(last - first + 1))
    a.end_headers()
    a.wfile.write(a.file[first:last + 1])


@way
def multipart(a):
    first, last = a.wanted()
    body = (b"--x\r\nContent-Range: bytes %d-%d/%d\r\n\r\n" % (first, last, len(a.file))
            + a.file[first:last + 1] + b"\r\n--x--\r\n")
    a.part(body=body, Content_Type="multipart/byteranges; boundary=x", Content_Range=None,
           Content_Length=len(body))


@way
def compressed(a):
    a.part(Content_Encoding="gzip")


@way
def transfer_compressed(a):
    first, last = a.wanted()
    body = gzip.compress(a.file[first:last + 1], 1)
    a.part(Content_Length=None, Transfer_Encoding="gzip, chunked",
           body=b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")


@way
def trailer_of_another_answer(a):
    """Lines after the bytes that look like the header of another answer; they must have no effect."""
    first, last = a.wanted()
    a.part(Content_Length=None, Transfer_Encoding="chunked", body=b"%x\r\n" % (last - first + 1)
           + a.file[first:last + 1] + b"\r\n0\r\nHTTP/1.1 404 x: y\r\nETag: \"other\"\r\n\r\n")


@way
def endless_trailer(a):
    first, last = a.wanted()
    a.part(Content_Length=None, Transfer_Encoding="chunked", body=b"%x\r\n" % (last - first + 1)
           + a.file[first:last + 1] + b"\r\n0\r\n")
    for number in range(1 << 20):
        a.wfile.write(b"X-More-%d: %s\r\n" % (number, b"x" * 100))


@way
def entity_of_two_lines(a):
    a.part(ETag='"one\rX-Injected: two"')


@way
def not_satisfiable(a):
    a.head(416, Content_Range=f"bytes */{len(a.file)}", Content_Length=0)


@way
def not_satisfiable_of_nothing(a):
    a.head(416, Content_Length=0)


@way
def endless_headers(a):
    a.wfile.write(b"HTTP/1.1 206 Partial Content\r\n")
    for number in range(1 << 20):
        a.wfile.write(b"X-More-%d: %s\r\n" % (number, b"x" * 100))


@way
def no_http(a):
    a.wfile.write(b"220 this is another protocol\r\n" * 1000)
    a.close_connection = True


@way
def not_authorised(a):
    a.head(401, Content_Length=0)


@way
def chunked_without_length(a):
    a.part(Content_Length=None, Transfer_Encoding="chunked", body=b"%x\r\n" % (a.wanted()[1] - a.wanted()[0] + 1)
           + a.file[a.wanted()[0]:a.wanted()[1] + 1] + b"\r\n0\r\n\r\n")


# --- the bytes ----------------------------------------------------------------------------------------

@way
def short_body(a):
    first, last = a.wanted()
    a.part(body=a.file[first:(first + last) // 2])
    a.close_connection = True


@way
def long_body(a):
    a.part(Content_Length=None, body=a.file[a.wanted()[0]:a.wanted()[1] + 1] + b"more")
    a.close_connection = True


@way
def behind_the_length(a):
    """In a separate record, but in the packet of the last bytes."""
    first, last = a.wanted()
    near_the_end = max(first, last - 999)
    a.part(body=a.file[first:near_the_end])
    a.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    a.wfile.write(a.file[near_the_end:last + 1])
    a.wfile.write(b"more")
    a.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)


@way
def behind_the_length_at_once(a):
    first, last = a.wanted()
    client, a.wfile = a.wfile, io.BytesIO()
    a.part(body=a.file[first:last + 1] + b"HTTP/1.1 200 OK\r\n\r\n")
    together, a.wfile = a.wfile.getvalue(), client
    client.write(together)


@way
def behind_the_length_late(a):
    a.part()
    # The client has accepted the answer once it sends the next request, or closes the connection.
    select.select([a.connection], [], [], 15)
    a.wfile.write(b"more")


@way
def chunked_and_short(a):
    a.part(Content_Length=None, Transfer_Encoding="chunked", body=b"10\r\n" + a.file[:16] + b"\r\n0\r\n\r\n")


@way
def chunked_and_broken(a):
    a.part(Content_Length=None, Transfer_Encoding="chunked", body=b"10\r\n" + a.file[:8])
    a.close_connection = True


@way
def nothing(a):
    a.close_connection = True


@way
def drips(a):
    first, last = a.wanted()
    a.part(body=b"")
    for byte in a.file[first:last + 1]:
        a.wfile.write(bytes([byte]))
        time.sleep(0.1)


@way
def stops(a):
    first, _ = a.wanted()
    a.part(body=a.file[first:first + 1000])
    time.sleep(20)


@way
def endless_body(a):
    a.part(Content_Length=None, body=b"")
    while True:
        a.wfile.write(b"x" * 65536)


# --- from answer to answer ----------------------------------------------------------------------------

@way
def other_entity(a):
    a.part(ETag='"one"' if a.at_front else f'"{a.turn}"')


@way
def entity_goes(a):
    a.part(ETag='"one"' if a.at_front else None)


@way
def weak_entity(a):
    a.part(ETag='W/"one"')


@way
def no_identity(a):
    a.part(ETag=None)


@way
def just_modified(a):
    now = "Tue, 24 Nov 2026 10:00:00 GMT"
    a.part(ETag=None, Last_Modified=now, Date=now)


@way
def modified_again(a):
    a.part(ETag=None, Last_Modified=f"Tue, 24 Nov 2020 10:00:0{int(a.at_front)} GMT", Date="Tue, 24 Nov 2026 10:00:00 GMT")


@way
def modified_long_ago(a):
    a.part(ETag=None, Last_Modified="Tue, 24 Nov 2020 10:00:00 GMT", Date="Tue, 24 Nov 2026 10:00:00 GMT")


@way
def other_bytes(a):
    first, last = a.wanted()
    body = a.file[first:last + 1]
    a.part(body=body if a.at_front else bytes(255 - byte for byte in body))


@way
def whole_at_the_second(a):
    if a.at_front:
        a.part()
    else:
        ignores_ranges(a)


@way
def shrinks(a):
    a.part(total=len(a.file) - a.turn)


# --- redirects ----------------------------------------------------------------------------------------

def moves(a, where, **fields):
    a.head(302, Location=where, Content_Length=0, **fields)


@way
def loops(a):
    moves(a, a.path)


@way
def wanders(a):
    moves(a, a.path + "x")


@way
def to_http(a):
    moves(a, f"http://127.0.0.1:{a.server.server_port}/good/1")


@way
def to_a_file(a):
    moves(a, "file:///etc/passwd")


@way
def to_private(a):
    moves(a, f"https://127.0.0.1:{a.server.server_port}/good/private")


@way
def to_nowhere(a):
    a.head(302, Content_Length=0)


@way
def to_another_host(a):
    moves(a, f"https://localhost:{a.server.server_port}/good/{a.path}")


@way
def to_the_same_host(a):
    moves(a, "/good/moved")


@way
def linked(a):
    moves(a, "/good/linked", X_Linked_Etag='"sha"', X_Linked_Size=len(a.file))


@way
def linked_twice(a):
    a.send_response_only(302)
    for field, value in (("Location", "/good/linked"), ("X-Linked-Etag", '"sha"'), ("X-Linked-Etag", '"other"'),
                         ("Content-Length", "0")):
        a.send_header(field, value)
    a.end_headers()


@way
def linked_to_another(a):
    moves(a, "/good/linked", X_Linked_Etag='"sha"', X_Linked_Size=len(a.file) + 1)


# --- what passes --------------------------------------------------------------------------------------

@way
def fails_once(a):
    if a.turn == 1:
        a.head(500, Content_Length=0)
    else:
        a.part()


@way
def fails_always(a):
    a.head(503, Content_Length=0)


@way
def asks_to_wait(a):
    if a.turn == 1:
        a.head(429, Retry_After=1, Content_Length=0)
    else:
        a.part()


@way
def asks_to_wait_long(a):
    a.head(429, Retry_After=86400, Content_Length=0)


@way
def breaks_once(a):
    first, last = a.wanted()
    if a.turn == 1:
        a.part(body=a.file[first:first + (last - first) // 2])
        a.close_connection = True
    else:
        a.part()


@way
def breaks_and_changes(a):
    first, last = a.wanted()
    if a.turn == 1:
        a.part(body=a.file[first:first + (last - first) // 2])
        a.close_connection = True
    else:
        a.part(ETag='"two"')


class OddServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    address_family = socket.AF_INET

    def __init__(self, file, folder):
        """Serves the bytes `file` with the certificate in `folder`."""
        super().__init__(("127.0.0.1", 0), Answerer)
        self.file, self.seen, self.lock = file, [], threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass

    @property
    def url(self):
        return f"https://127.0.0.1:{self.server_port}"
