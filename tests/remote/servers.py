"""Servers for the tests of remote files: nginx, with certificates made for the test, on a port that the system
chooses. Everything is on the loopback interface."""

import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GATE = os.environ.get("GGUFGATE_COMMAND", os.path.join(TOP, "build/release/ggufgate"))
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")

SITE = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  log_format plain '$request_uri "$http_range" $status $body_bytes_sent "$http_authorization"';
  access_log {folder}/access.log plain;
  sendfile on;
  types {{ }} default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key;
    root {root};
    location = /.done {{ access_log off; return 204; }}
    location ~ ^/(?<owner>[^/]+)/(?<repository>[^/]+)/resolve/(?<revision>[^/]+)/(?<path>.*)$ {{
      rewrite ^ /$path break;
    }}
  }}
}}
"""


def certificates(folder):
    """An authority, ca.pem, and a certificate that it signs for 127.0.0.1 and localhost."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=test authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
    with open(os.path.join(folder, "names"), "w", encoding="utf-8") as file:
        file.write("subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:models.example\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-days", "2", "-extfile", "names", "-out", "server.pem")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Nginx:
    """Serves the folder `root` while it is open; requests() returns the requests."""

    def __init__(self, root):
        self.root = root
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o755)
        certificates(self.folder)
        self.authority = os.path.join(self.folder, "ca.pem")
        for _ in range(5):  # another process may take the port meanwhile
            self.port = free_port()
            with open(os.path.join(self.folder, "nginx.conf"), "w", encoding="utf-8") as file:
                file.write(SITE.format(folder=self.folder, port=self.port, root=root))
            self.process = subprocess.Popen(
                [NGINX, "-c", os.path.join(self.folder, "nginx.conf"), "-e", os.path.join(self.folder, "error.log")],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self.answers():
                return
            self.process.wait()
        raise RuntimeError("nginx does not start: " + self.log("error.log"))

    def answers(self):
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            except OSError:
                time.sleep(0.05)
        return False

    def log(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def finish(self):
        """Returns once nginx has logged all its answers. It logs after the last byte is sent, and its only worker
        does so before it takes another request."""
        context = ssl.create_default_context(cafile=self.authority)
        urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)).open(
            f"{self.url}/.done", timeout=30).close()

    def accesses(self):
        """The access log of all answers."""
        self.finish()
        return self.log("access.log")

    def requests(self):
        """The requests since the last call: (path, range, status, bytes)."""
        path = os.path.join(self.folder, "access.log")
        lines = self.accesses().splitlines()
        with open(path, "w", encoding="utf-8"):
            pass
        return [(line.split()[0], line.split('"')[1], int(line.split('"')[2].split()[0]),
                 int(line.split('"')[2].split()[1])) for line in lines]

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class Proxy:
    """A proxy that sends requests for every host to the server on `port`, as if that were on the Internet."""

    def __init__(self, port):
        self.to, self.hosts = port, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def serve(self):
        try:
            while True:
                threading.Thread(target=self.tunnel, args=(self.socket.accept()[0],), daemon=True).start()
        except OSError:
            pass

    def tunnel(self, client):
        with client, socket.create_connection(("127.0.0.1", self.to)) as server:
            head = b""
            while b"\r\n\r\n" not in head:
                head += client.recv(4096)
            self.hosts.append(head.split()[1].decode())
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=self.copy, args=(server, client), daemon=True)
            back.start()
            self.copy(client, server)
            back.join()

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.socket.close()


ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.lower().endswith("_proxy") and not name.startswith(("HF_", "SSL_CERT", "CURL_CA"))}


def check(*arguments, environment=None, timeout=120, gate=GATE):
    """ggufgate check, as a finished process."""
    return subprocess.run([gate, "check", *arguments], env={**ENVIRONMENT, "HOME": "/nonexistent", **(environment or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False)
