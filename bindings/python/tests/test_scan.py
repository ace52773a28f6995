"""Lists of files: local ones, remote ones (also from servers that misbehave), and those of fsspec."""

import ipaddress
import json
import os
import shutil
import signal
import socket
import tempfile
import unittest
from unittest import mock

import ggufgate
from ggufgate import Verdict, scan
from ggufgate import _connections
from ggufgate._connections import is_public
from tests.corpus import invalid, valid
from tests.server import BAD_MANNERS, Server

SOUND = valid("sample-llama.gguf")
CUT = invalid("damage-cut-short.gguf")

try:
    import fsspec
except ImportError:
    fsspec = None


class Web(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        shutil.copy(SOUND, os.path.join(self.folder.name, "sound.gguf"))
        shutil.copy(CUT, os.path.join(self.folder.name, "cut.gguf"))
        with open(os.path.join(self.folder.name, "empty.gguf"), "wb"):
            pass
        # Longer than the first range of 64 KiB, so that a part need not be read.
        with open(SOUND, "rb") as file, open(os.path.join(self.folder.name, "long.gguf"), "wb") as long:
            long.write(file.read() + bytes(1 << 20))
        self.server = Server(self.folder.name).__enter__()
        self.addCleanup(self.server.__exit__)

    def judged(self, *manners_and_names, **options):
        given = {"allow_http": True, "allow_private": True, "backoff": 0.01, "timeout": 1.0, **options}
        urls = [self.server.url(manner, name) for manner, name in manners_and_names]
        return sorted(scan(urls, **given), key=lambda result: result.index)

    def test_verdicts_are_those_of_local_files(self):
        names = ["sound.gguf", "cut.gguf", "empty.gguf", "long.gguf"]
        for data in ("none", "full"):
            there = self.judged(*[("sound", name) for name in names], data=data)
            here = [ggufgate.check(os.path.join(self.folder.name, name), data=data) for name in names]
            for result, report in zip(there, here):
                self.assertIs(result.verdict, report.verdict)
                self.assertEqual(result.report["findings"], report.to_dict()["findings"])
                self.assertEqual(result.size, report.size)

    def test_reads_ranges_alone(self):
        result, = self.judged(("sound", "long.gguf"))
        self.assertTrue(result.accepted)
        self.assertEqual(result.etag, '"v1"')
        self.assertLess(result.bytes, 300_000)
        self.assertEqual(result.requests, len(self.server.asked))
        self.assertLessEqual(result.requests, 5)

    def test_tries_again_what_may_go_better(self):
        for manner in ("busy-once", "cut-once"):
            result, = self.judged((manner, "cut.gguf"))
            self.assertIs(result.verdict, Verdict.REJECT, manner)
            self.assertEqual(result.attempts, 2)
            result, = self.judged((manner, "sound.gguf"), retries=0)
            self.assertEqual((result.verdict, result.attempts), (Verdict.UNDECIDED, 1), manner)

    def test_follows_redirects_and_reads_what_comes_whole(self):
        for manner in ("moved", "closing", "closing-as-it-says"):
            result, = self.judged((manner, "sound.gguf"))
            self.assertTrue(result.accepted, manner)
        result, = self.judged(("whole", "cut.gguf"))
        self.assertIs(result.verdict, Verdict.REJECT)

    def test_an_authorization_stays_with_its_host(self):
        headers = {"Authorization": "Bearer secret"}
        self.assertTrue(self.judged(("moved-to-other", "sound.gguf"), headers=headers)[0].accepted)
        told = {path.split("/")[1]: given for path, _, given in self.server.asked}
        self.assertEqual(told, {"moved-to-other": "Bearer secret", "sound": None})

    def test_no_server_that_misbehaves_is_believed(self):
        self.assertGreaterEqual(len(BAD_MANNERS), 17)
        results = self.judged(*[(manner, "sound.gguf") for manner in BAD_MANNERS], retries=1, threads=4)
        self.assertEqual(len(results), len(BAD_MANNERS))
        for manner, result in zip(BAD_MANNERS, results):
            self.assertIs(result.verdict, Verdict.UNDECIDED, manner)
            self.assertTrue(result.problem, manner)

    def test_a_deadline_is_for_all_of_a_file(self):
        # Each of them would take some seconds, and then have another result.
        for manner in ("dripping-body", "dripping-head", "dripping-interim"):
            result, = self.judged((manner, "long.gguf"), deadline=1.0)
            self.assertEqual((result.verdict, result.problem), (Verdict.UNDECIDED, "the server takes too long"), manner)
            self.assertEqual(result.attempts, 1, manner)

    def test_which_addresses_are_public(self):
        public = ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1")
        private = ("127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "192.88.99.1", "224.0.0.1", "240.0.0.1",
                   "0.0.0.0", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::",
                   "fe80::1", "fec0::1", "fd00::1", "ff02::1", "2001::1", "2001:db8::1", "3fff::1")
        for addresses, expected in ((public, True), (private, False)):
            for address in addresses:
                self.assertIs(is_public(ipaddress.ip_address(address)), expected, address)

    def test_what_is_not_allowed_is_not_asked_for(self):
        for options in ({"allow_http": False}, {"allow_private": False}):
            result, = self.judged(("sound", "sound.gguf"), **options)
            self.assertIs(result.verdict, Verdict.UNDECIDED)
            self.assertIn("allowed", result.problem)
        self.assertEqual(self.server.asked, [])

    def test_a_private_address_gets_no_byte_and_no_connection(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(0.2)
            url = f"https://localhost:{listener.getsockname()[1]}/m.gguf"
            result, = scan([url], retries=0, timeout=1.0)
            self.assertEqual(result.problem, "localhost is at a private address, which is not allowed")
            with self.assertRaises(socket.timeout):
                listener.accept()
            next(scan([url], retries=0, timeout=0.2, allow_private=True))
            listener.accept()[0].close()

    def test_the_address_that_was_looked_at_is_connected_to(self):
        # A name with a private address first, and another address at the next look-up.
        port = self.server.server_port
        lookups = []

        def lookup(host, asked_port, **_):
            lookups.append(host)
            addresses = ["127.0.0.2", "127.0.0.1"] if len(lookups) == 1 else ["127.0.0.2"]
            return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, asked_port)) for address in addresses]

        def public(address):
            return str(address) == "127.0.0.1"
        with socket.create_server(("127.0.0.2", port)) as private, \
                mock.patch.object(_connections.socket, "getaddrinfo", lookup), \
                mock.patch.object(_connections, "is_public", public):
            private.settimeout(0.2)
            result, = scan([f"http://models.example:{port}/sound/sound.gguf"], allow_http=True, retries=0)
            self.assertTrue(result.accepted, result.problem)
            self.assertEqual(lookups, ["models.example"])
            result, = scan([f"http://models.example:{port}/sound/sound.gguf"], allow_http=True, retries=0)
            self.assertIn("is at a private address", result.problem)
            with self.assertRaises(socket.timeout):
                private.accept()

    def test_a_host_that_is_not_found_is_looked_up_again(self):
        with mock.patch.object(_connections.socket, "getaddrinfo", side_effect=socket.gaierror(-2, "unknown")) as lookup:
            result, = scan(["https://nowhere.invalid/m.gguf"], retries=2, backoff=0.01)
        self.assertEqual(result.problem, "host nowhere.invalid was not found")
        self.assertEqual((result.attempts, lookup.call_count), (3, 3))


class List(unittest.TestCase):
    def test_one_verdict_for_each_source(self):
        sources = [SOUND, CUT, "no such file", SOUND, b"bytes\xff", "nowhere://x", "a\0b", None] * 20
        for options in ({"threads": 1}, {"threads": 4}, {"processes": 2}):
            results = list(scan(iter(sources), **options))
            self.assertEqual(sorted(result.index for result in results), list(range(len(sources))))
            for result in results:
                wanted = {0: Verdict.ACCEPT, 1: Verdict.REJECT, 3: Verdict.ACCEPT}
                self.assertIs(result.verdict, wanted.get(result.index % 8, Verdict.UNDECIDED), result)

    def test_a_result_is_a_line_of_json(self):
        result, = scan([CUT])
        told = json.loads(result.to_json())
        self.assertEqual(told["verdict"], "reject")
        self.assertEqual(told["source"], CUT)
        self.assertEqual(told["findings"], ggufgate.check(CUT).to_dict()["findings"])
        name = "\u202e\x1b\n"
        self.assertNotIn(name[0], next(scan([name])).to_json())

    def test_options_are_looked_at_before_the_first_file(self):
        for wrong in ({"data": "some"}, {"threads": 0}, {"retries": -1}, {"profile": "none"}, {"jobs": 2}):
            with self.assertRaises((ValueError, TypeError, ggufgate.PolicyError)):
                scan(["x"], **wrong)

    def test_rules_are_minded_in_processes_too(self):
        policy = ggufgate.Policy('schema = "ggufgate.policy/1"\n[allow]\narchitectures = ["other"]\n')
        for processes in (0, 1):
            result, = scan([SOUND], policy=policy, processes=processes)
            self.assertIs(result.verdict, Verdict.REJECT)

    def test_who_stops_early_waits_for_no_list(self):
        def endless():
            while True:
                yield SOUND
        results = scan(endless(), threads=2)
        self.assertTrue(next(results).accepted)
        results.close()

    def test_what_ends_a_process_is_undecided_and_the_others_are_not(self):
        from ggufgate import _processes
        sources = [(index, "kill" if index == 40 else SOUND) for index in range(100)]
        results = list(_processes.in_processes(iter(sources), 2, 2, None, judge_or_die, ended))
        self.assertEqual(sorted(results), [(index, index != 40) for index in range(100)])


def judge_or_die(piece, _threads, _settings):
    """A judge that a file crashes."""
    for _, source in piece:
        if source == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
    return [(index, True) for index, _ in piece]


def ended(index, _source, _settings):
    return index, False


@unittest.skipUnless(fsspec, "fsspec is not installed")
class Fsspec(unittest.TestCase):
    def test_goes_where_fsspec_goes(self):
        with open(SOUND, "rb") as file:
            fsspec.filesystem("memory").pipe("/models/sound.gguf", file.read())
        sound, lost = sorted(scan(["memory://models/sound.gguf", "memory://models/none.gguf"]),
                             key=lambda result: result.index)
        self.assertTrue(sound.accepted)
        self.assertGreater(sound.bytes, 0)
        self.assertLess(sound.bytes, sound.size)
        self.assertIs(lost.verdict, Verdict.UNDECIDED)
        self.assertEqual(lost.attempts, 1)

    def test_takes_its_options_by_scheme(self):
        result, = scan(["file://" + SOUND], storage_options={"file": {"auto_mkdir": False}})
        self.assertTrue(result.accepted)
        self.assertGreater(result.requests, 0)

    def test_asks_web_servers_where_it_is_told_to(self):
        try:
            import aiohttp  # noqa: F401
            import requests  # noqa: F401
        except ImportError:
            self.skipTest("aiohttp or requests is not installed")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(SOUND, folder)
            with Server(folder) as server:
                url = server.url("sound", os.path.basename(SOUND))
                result, = scan([url], storage_options={"http": {}})
            self.assertTrue(result.accepted, result.problem)
            self.assertIn("bytes=0-65535", [given for _, given, _ in server.asked])


if __name__ == "__main__":
    unittest.main()
