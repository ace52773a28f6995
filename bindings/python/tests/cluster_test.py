"""Dask checks ten thousand remote files on local workers, and the test kills one of them.

Test discovery does not find it, because it takes a minute: python3 -m unittest tests.cluster_test
"""

import collections
import faulthandler
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import ggufgate.dask
from ggufgate import Result, Verdict
from tests.cluster import Models, cluster, wanted

FILES = int(os.environ.get("GGUFGATE_SCAN_FILES", "10000"))
WEB = {"allow_http": True, "allow_private": True, "retries": 0}

try:
    import distributed
except ImportError:
    distributed = None


def pieces_of(folder):
    """The names of the finished pieces, with attributes that change if a piece is written again."""
    try:
        with os.scandir(os.path.join(folder, "pieces")) as found:
            return {entry.name: entry.stat().st_ino for entry in found if entry.name.endswith(".jsonl")}
    except FileNotFoundError:
        return {}


def wait_for_pieces(folder, count):
    until = time.monotonic() + 60
    while len(pieces_of(folder)) < count and time.monotonic() < until:
        time.sleep(0.02)


def judge_or_die(piece, _threads, _settings):
    """A judge that one file crashes."""
    for _, source in piece:
        if source == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
    return [Result(index=index, source=source, verdict=Verdict.ACCEPT) for index, source in piece]


@unittest.skipUnless(distributed and shutil.which("nginx"), "python3-distributed or nginx-light is not installed")
class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        faulthandler.dump_traceback_later(150)  # a hang shows its place; the tests take 20 to 40 s
        cls.addClassCleanup(faulthandler.cancel_dump_traceback_later)
        cls.models = cls.enterClassContext(Models(FILES))
        cls.cluster = cls.enterClassContext(cluster(2))
        cls.client = cls.enterClassContext(distributed.Client(cls.cluster))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "results")

    def every_file_has_one_verdict(self, count):
        with open(os.path.join(self.folder, "results.jsonl"), encoding="ascii") as file:
            results = [json.loads(line) for line in file]
        self.assertEqual([result["index"] for result in results], list(range(count)))
        self.assertEqual([result["source"] for result in results], self.models.urls[:count])
        self.assertEqual([result["verdict"] for result in results], [wanted(index) for index in range(count)])

    def test_a_worker_is_killed_and_every_file_has_one_verdict(self):
        workers = self.client.run(os.getpid)
        killed = []

        def kill():
            wait_for_pieces(self.folder, FILES // 1000)
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)
        killer = threading.Thread(target=kill)
        killer.start()
        begin = time.monotonic()
        counts = ggufgate.dask.scan(self.client, self.models.urls, self.folder, **WEB)
        seconds = time.monotonic() - begin
        killer.join()
        print(f"{FILES} files, 2 workers, one killed: {seconds:.1f} s, {FILES / seconds:.0f} files a second")
        self.assertEqual(counts, collections.Counter(wanted(index) for index in range(FILES)))
        self.every_file_has_one_verdict(FILES)
        until = time.monotonic() + 30
        while killed[0] in self.client.run(os.getpid).values() and time.monotonic() < until:
            time.sleep(0.1)
        self.assertNotIn(killed[0], self.client.run(os.getpid).values())

    def test_what_a_killed_client_has_done_is_not_done_again(self):
        count = FILES // 5
        listed = os.path.join(os.path.dirname(self.folder), "list.txt")
        with open(listed, "w", encoding="utf-8") as file:
            file.write("\n".join(self.models.urls[:count]) + "\n")
        client = subprocess.Popen([sys.executable, "-c", "import sys, distributed, ggufgate.dask\n"
                                   f"with distributed.Client({self.cluster.scheduler_address!r}) as client:\n"
                                   f"    ggufgate.dask.scan(client, {listed!r}, {self.folder!r}, piece_files=20, **{WEB})"])
        wait_for_pieces(self.folder, 10)
        client.kill()
        client.wait()
        before = pieces_of(self.folder)
        self.assertGreaterEqual(len(before), 10)
        self.assertLess(len(before), count // 20, "it was too late to kill it")
        # A damaged piece is checked again; all others stay.
        torn = sorted(before)[0]
        path = os.path.join(self.folder, "pieces", torn)
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) - 1)
        ggufgate.dask.scan(self.client, listed, self.folder, piece_files=20, **WEB)
        self.every_file_has_one_verdict(count)
        after = pieces_of(self.folder)
        self.assertEqual({name for name in before if before[name] != after[name]}, {torn})

    def test_a_file_that_ends_workers_is_undecided_and_the_others_are_not(self):
        sources = ["sound"] * 7
        sources[2] = "deadly"
        judge = ggufgate.dask.judge_all
        ggufgate.dask.judge_all = judge_or_die
        try:
            counts = ggufgate.dask.scan(self.client, sources, self.folder, piece_files=4)
        finally:
            ggufgate.dask.judge_all = judge
        self.assertEqual(counts, {"accept": 6, "reject": 0, "undecided": 1})

    def test_a_folder_is_of_one_list_and_one_set_of_rules(self):
        ggufgate.dask.scan(self.client, self.models.urls[:3], self.folder, **WEB)
        for sources, options in ((self.models.urls[:2], {}), (self.models.urls[:3], {"profile": "spec"}),
                                 (self.models.urls[:3], {"data": "full"}), (self.models.urls[:3], {"fail_on": "note"})):
            with self.assertRaises(ggufgate.dask.JobError):
                ggufgate.dask.scan(self.client, sources, self.folder, **WEB, **options)
        ggufgate.dask.scan(self.client, self.models.urls[:3], self.folder, **WEB)
        self.every_file_has_one_verdict(3)


if __name__ == "__main__":
    unittest.main()
