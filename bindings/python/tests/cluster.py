"""Ten thousand models on a local web server, for the tests of lists. Also measures the speed of checks.

    python3 -m tests.cluster FILES WORKERS...    files per second, with each number of workers
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from tests.corpus import invalid, valid

# Targets of the links, in turn, and the expected verdict of each.
KINDS = [(valid("sample-llama.gguf"), "accept"), (invalid("damage-cut-short.gguf"), "reject"),
         (valid("minimal.gguf"), "accept"), (invalid("magic.html.gguf"), "reject"),
         (valid("sample-llama.gguf"), "accept"), (None, "undecided"), (valid("minimal.gguf"), "accept")]


def wanted(index):
    return KINDS[index % len(KINDS)][1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Models:
    """A folder of models, which are hard links to few files, and nginx to serve it."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="ggufgate-models-")
        models = os.path.join(self.folder, "models")
        os.mkdir(models)
        kept = {}
        for index in range(self.count):
            path = KINDS[index % len(KINDS)][0]
            if path is None:
                continue
            if path not in kept:
                kept[path] = shutil.copy(path, os.path.join(self.folder, os.path.basename(path)))
            os.link(kept[path], os.path.join(models, f"{index}.gguf"))
        for _ in range(5):  # another process may take the port meanwhile
            self.port = free_port()
            if self._start():
                return self
        self.__exit__()
        raise RuntimeError("nginx does not start")

    def _start(self):
        config = os.path.join(self.folder, "nginx.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"""
daemon off; worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/log;
{"user root;" if os.geteuid() == 0 else ""}
events {{ worker_connections 512; }}
http {{
  access_log off; default_type application/octet-stream; keepalive_requests 1000000; sendfile on;
  {" ".join(f"{name}_temp_path {self.folder}/{name};" for name in
            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))}
  server {{ listen 127.0.0.1:{self.port}; location / {{ root {self.folder}/models; }} }}
}}
""")
        self.server = subprocess.Popen(["nginx", "-e", self.folder + "/log", "-c", config], stdin=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self.server.poll() is None
            except OSError:
                time.sleep(0.05)
                if self.server.poll() is not None:
                    return False
        return False

    def __exit__(self, *_):
        if self.server.poll() is None:
            self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder)

    @property
    def urls(self):
        return [f"http://127.0.0.1:{self.port}/{index}.gguf" for index in range(self.count)]


def cluster(workers):
    """A cluster of processes on this machine, with little output."""
    import logging

    import dask
    from distributed import LocalCluster

    # Two workers that start at the same time would both remove the files of a killed worker, and fail.
    dask.config.set({"distributed.worker.use-file-locking": False,
                     "distributed.scheduler.allowed-failures": 1, "distributed.worker.daemon": True,
                     "distributed.admin.large-graph-warning-threshold": "1GB"})
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
                        dashboard_address=None, silence_logs=logging.CRITICAL)


def rate(count, workers):
    from distributed import Client

    import ggufgate.dask

    with Models(count) as models, cluster(workers) as there, Client(there) as client:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            counts = ggufgate.dask.scan(client, models.urls, folder, allow_http=True, allow_private=True, retries=0)
            seconds = time.monotonic() - begin
    print(f"{count} files, {workers} workers: {seconds:.1f} s, {count / seconds:.0f} files a second, {counts}")


if __name__ == "__main__":
    for number in sys.argv[2:]:
        rate(int(sys.argv[1]), int(number))
