"""A local web server that supports ranges, and misbehaves on request."""

import http.server
import os
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    """GET /MANNER/NAME returns a file of the server's folder in one of the manners below."""

    protocol_version = "HTTP/1.1"
    timeout = 20

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        path = os.path.join(self.server.folder, self.path.split("/", 2)[2])
        self._say(200, b"", Content_Length=os.path.getsize(path), Accept_Ranges="bytes")

    def do_GET(self):
        server = self.server
        _, manner, name = self.path.split("/", 2)
        with server.lock:
            server.asked.append((self.path, self.headers.get("Range"), self.headers.get("Authorization")))
            nth = sum(1 for path, _, _ in server.asked if path == self.path)
        try:
            with open(os.path.join(server.folder, name), "rb") as file:
                data = file.read()
        except OSError:
            return self._say(404, b"")
        if self.headers.get("If-None-Match") == f'"{server.version}"':
            return self._say(304, b"", Content_Length=None, ETag=f'"{server.version}"')
        begin, end = self.headers["Range"].removeprefix("bytes=").split("-")
        begin, end = int(begin), min(int(end) + 1, len(data))
        getattr(self, "_" + manner.replace("-", "_"))(data, begin, end, nth)

    def _say(self, status, body, **headers):
        self.send_response(status)
        headers.setdefault("Content_Length", len(body))
        for key, value in headers.items():
            if value is not None:
                self.send_header(key.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def _range(self, data, begin, end, **headers):
        if begin >= len(data):
            return self._say(416, b"", Content_Range=f"bytes */{len(data)}")
        headers.setdefault("Content_Range", f"bytes {begin}-{end - 1}/{len(data)}")
        headers.setdefault("ETag", f'"{self.server.version}"')
        self._say(206, data[begin:end], **headers)

    # Acceptable manners.

    def _sound(self, data, begin, end, _nth):
        self._range(data, begin, end)

    def _weak(self, data, begin, end, _nth):
        self._range(data, begin, end, ETag='W/"v"')

    def _busy_once(self, data, begin, end, nth):
        if nth == 1:
            return self._say(503, b"later", Retry_After=0)
        self._range(data, begin, end)

    def _cut_once(self, data, begin, end, nth):
        if nth == 1:
            self.close_connection = True
            return self._say(206, data[begin:end - 1], Content_Length=end - begin, ETag='"v1"',
                             Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")
        self._range(data, begin, end)

    def _moved(self, data, _begin, _end, _nth):
        self._say(302, b"elsewhere", Location="/sound/" + self.path.split("/", 2)[2])

    def _moved_to_other(self, data, _begin, _end, _nth):
        self._say(302, b"", Location=f"http://localhost:{self.server.server_port}/sound/"
                  + self.path.split("/", 2)[2])

    def _closing(self, data, begin, end, _nth):
        self.close_connection = True
        self._range(data, begin, end)

    def _closing_as_it_says(self, data, begin, end, _nth):
        self.close_connection = True
        self._range(data, begin, end, Connection="close")

    def _whole(self, data, _begin, _end, _nth):
        self._say(200, data)

    # Misbehaviour: each case must make the file undecided.

    def _bad_no_ranges(self, data, _begin, _end, _nth):
        self._say(200, data + bytes(1 << 20))

    def _bad_other_range(self, data, begin, end, _nth):
        self._range(data, begin, end, Content_Range=f"bytes {begin + 1}-{end}/{len(data) + 1}")

    def _bad_no_content_range(self, data, begin, end, _nth):
        self._range(data, begin, end, Content_Range=None)

    def _bad_size(self, data, begin, end, _nth):
        self._range(data, begin, end, Content_Range=f"bytes {begin}-{end - 1}/{2**63}")

    def _bad_other_size(self, data, begin, end, nth):
        self._range(data, begin, end, Content_Range=f"bytes {begin}-{end - 1}/{len(data) + nth}")

    def _bad_other_version(self, data, begin, end, nth):
        self._range(data, begin, end, ETag=f'"v{nth}"')

    def _bad_short(self, data, begin, end, _nth):
        self._range(data, begin, end - 1, Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")

    def _bad_long(self, data, begin, end, _nth):
        self._say(206, data[begin:end] + b"more", ETag='"v1"', Content_Length=None, Connection="close",
                  Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")
        self.close_connection = True

    def _bad_behind_the_length(self, data, begin, end, _nth):
        self._say(206, data[begin:end] + b"more", ETag='"v1"', Content_Length=end - begin,
                  Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")

    def _bad_behind_the_length_and_closed(self, data, begin, end, _nth):
        self._say(206, data[begin:end] + b"more", ETag='"v1"', Content_Length=end - begin, Connection="close",
                  Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")
        self.close_connection = True

    def _bad_cut(self, data, begin, end, _nth):
        self.close_connection = True
        self._say(206, data[begin:end - 1], Content_Length=end - begin, ETag='"v1"',
                  Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")

    def _bad_encoding(self, data, begin, end, _nth):
        self._range(data, begin, end, Content_Encoding="gzip")

    def _bad_loop(self, _data, _begin, _end, _nth):
        self._say(302, b"", Location=self.path)

    def _bad_scheme(self, _data, _begin, _end, _nth):
        self._say(302, b"", Location="file:///etc/passwd")

    def _bad_slow(self, data, begin, end, _nth):
        time.sleep(2)
        self._range(data, begin, end)

    # Each byte arrives in time, but the whole answer takes too long.
    def _drip(self, data):
        self.close_connection = True
        for byte in data:
            self.wfile.write(bytes([byte]))
            time.sleep(0.02)

    def _dripping_body(self, data, begin, end, _nth):
        self._say(206, b"", ETag='"v1"', Content_Length=end - begin, Content_Range=f"bytes {begin}-{end - 1}/{len(data)}")
        self._drip(data[begin:begin + 200])

    def _dripping_head(self, _data, _begin, _end, _nth):
        self._drip(b"HTTP/1.1 206 Partial Content\r\nX-Long: " + b"x" * 200)

    def _dripping_interim(self, _data, _begin, _end, _nth):
        self._drip(b"HTTP/1.1 100 Continue\r\n\r\n" * 8)

    def _bad_no_version(self, data, begin, end, _nth):
        self._range(data, begin, end, ETag=None)

    def _bad_words(self, _data, _begin, _end, _nth):
        self.close_connection = True
        self.wfile.write(b"hello\r\n\r\n")

    def _bad_silence(self, _data, _begin, _end, _nth):
        self.close_connection = True

    def _bad_status(self, _data, _begin, _end, _nth):
        self._say(403, b"no")

    def _bad_busy(self, _data, _begin, _end, _nth):
        self._say(503, b"", Retry_After=0)


BAD_MANNERS = sorted(name[1:].replace("_", "-") for name in vars(Handler) if name.startswith("_bad_"))


class Server(http.server.ThreadingHTTPServer):
    """A context manager that serves the files of a folder."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.asked = []
        self.version = "v1"
        self.lock = threading.Lock()

    def handle_error(self, *_):
        pass  # from clients that disconnected

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def url(self, manner, name):
        return f"http://127.0.0.1:{self.server_port}/{manner}/{name}"
