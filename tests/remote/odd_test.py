#!/usr/bin/env python3
"""From a server that misbehaves, only proper HTTP with the bytes of one unchanged file is accepted.

usage: odd_test.py    with $GGUFGATE_COMMAND
"""

import concurrent.futures
import ipaddress
import json
import os
import shutil
import socket
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import big_header  # noqa: E402
from odd_server import WAYS, OddServer  # noqa: E402
from servers import Proxy, certificates, check  # noqa: E402

# Ways that are not a fault, or that are temporary: the verdict is that on the file.
SOUND = {"good", "to_private", "fails_once", "asks_to_wait", "breaks_once", "to_the_same_host", "to_another_host", "linked",
         "modified_long_ago", "chunked_without_length", "trailer_of_another_answer", "behind_the_length_late"}
# These are wrong only if more than one answer is needed.
NEEDS_TWO = {"weak_entity", "no_identity", "just_modified", "other_entity", "entity_goes", "modified_again", "other_bytes",
             "whole_at_the_second", "entity_of_two_lines"}
# These are wrong only if a range is requested: the file is complete.
OF_RANGES = {"ignores_ranges", "other_start", "other_end", "other_total", "total_unknown", "total_too_large", "size_zero",
             "no_content_range", "shrinks"}
SLOW = {"drips", "stops"}
# The message for each.
SAID = {
    "ignores_ranges": "the server ignores ranges",
    "other_start": "bytes from byte 1; asked for were",
    "shorter_range": "asked for were",
    "other_total": "another size than before",
    "total_too_large": "its Content-Range is invalid",
    "negative_size": "its Content-Range is invalid",
    "no_content_range": "does not say which bytes it contains",
    "two_content_ranges": "the answer has two values of content-range",
    "multipart": "several parts",
    "compressed": "is compressed",
    "transfer_compressed": "is compressed",
    "endless_trailer": "too many headers",
    "entity_of_two_lines": "sends no strong ETag",
    "linked_twice": "has two values of x-linked-etag",
    "not_satisfiable": "(416)",
    "endless_headers": "too many headers",
    "not_authorised": "denies access (401)",
    "short_body": "cannot fetch it",
    "long_body": "the server sent more bytes than it announced",
    "behind_the_length": "the server sent more bytes than it announced",
    "behind_the_length_at_once": "the server sent more bytes than it announced",
    "chunked_and_short": "the answer ended early",
    "drips": "too slow",
    "stops": "too slow",
    "endless_body": "the server sent more bytes than it announced",
    "other_entity": "another ETag than before",
    "entity_goes": "another ETag than before",
    "weak_entity": "sends no strong ETag",
    "no_identity": "sends no strong ETag",
    "modified_again": "another Last-Modified than before",
    "other_bytes": "its bytes differ",
    "loops": "redirects too often",
    "to_http": "redirects to an address without encryption",
    "to_a_file": "redirects to an invalid address",
    "linked_to_another": "X-Linked-Size says",
    "fails_always": "the server answers 503",
    "asks_to_wait_long": "try again in 86,400 seconds",
    "breaks_and_changes": "another ETag than before",
}


class Odd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        certificates(cls.folder)
        path = os.path.join(cls.folder, "model.gguf")
        # A header that takes three pieces; small enough to be sent often.
        big_header.write(path, tokens=30_000, merges=30_000, tensors=2, tensor_bytes=4 << 20)
        assert check(path).returncode == 0, check(path).stdout
        with open(path, "rb") as file:
            cls.server = OddServer(file.read(), cls.folder)
        cls.addClassCleanup(cls.server.shutdown)

    def check(self, *arguments, timeout=20, **options):
        return check("--allow-private", "--ca-file", os.path.join(self.folder, "ca.pem"), "--network-timeout",
                     str(timeout), "--format", "json", *arguments, **options)

    def verdicts(self, *options, test):
        """By way: (verdict, problem), many of them checked together."""
        def judged(names, timeout):
            done = self.check("--jobs", "32", *options, *(f"{self.server.url}/{name}/{test}" for name in names),
                              timeout=timeout)
            self.assertEqual(done.stderr, "")
            files = json.loads(done.stdout)["files"]
            return {name: (file["verdict"], file.get("problem", "")) for name, file in zip(names, files, strict=True)}
        # Only the slow ones wait for the timeout. A short timeout for all would fail on a busy machine.
        with concurrent.futures.ThreadPoolExecutor() as pool:
            slow = pool.submit(judged, sorted(SLOW), 3)
            return judged(sorted(set(WAYS) - SLOW), 20) | slow.result()

    def test_ways_are_many(self):
        self.assertGreaterEqual(len(set(WAYS) - SOUND), 30)
        self.assertLessEqual(SOUND | NEEDS_TWO | OF_RANGES | set(SAID), set(WAYS))

    def test_headers(self):
        for name, (verdict, problem) in self.verdicts(test="headers").items():
            with self.subTest(way=name):
                self.assertEqual(verdict, "accept" if name in SOUND else "undecided", problem)
                self.assertIn(SAID.get(name, ""), problem)

    def test_data_that_pass(self):
        for name, (verdict, problem) in self.verdicts("--data", "full", "--second-opinion", "never",
                                                      test="data").items():
            sound = name in SOUND | NEEDS_TWO | OF_RANGES and name not in ("chunked_without_length", "trailer_of_another_answer")
            with self.subTest(way=name):
                # If the answer is proper HTTP with other bytes, these are checked.
                other = "reject" if name in ("multipart", "shorter_range") else "undecided"
                self.assertEqual(verdict, "accept" if sound else other, problem)

    def test_what_was_fetched_is_told(self):
        file = json.loads(self.check(f"{self.server.url}/good/told").stdout)["files"][0]
        self.assertEqual(file["remote"]["size"], len(self.server.file))
        self.assertEqual(file["remote"]["etag"], '"one"')
        self.assertGreater(file["remote"]["requests"], 1)
        self.assertLess(file["remote"]["fetched"], len(self.server.file))
        linked = json.loads(self.check(f"{self.server.url}/linked/told").stdout)["files"][0]
        self.assertEqual(linked["remote"]["linked_etag"], '"sha"')

    def test_secrets_do_not_follow_redirects(self):
        environment = {"HF_ENDPOINT": self.server.url, "HF_TOKEN": "secret"}
        self.check(f"{self.server.url}/to_another_host/secret", environment=environment)
        asked = {path: secret for path, _, secret in self.server.seen if "secret" in path}
        self.assertEqual(asked["/to_another_host/secret"], "Bearer secret")
        self.assertIsNone(asked["/good//to_another_host/secret"])

    def test_redirects_to_private_addresses(self):
        # A proxy makes the server appear public; the targets of its redirects are not.
        proxy = Proxy(self.server.server_port)
        self.addCleanup(proxy.close)

        def through(path):
            return check("--ca-file", os.path.join(self.folder, "ca.pem"), f"https://models.example/{path}",
                         environment={"https_proxy": proxy.url})
        done = through("good/proxy")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(set(proxy.hosts), {"models.example:443"})
        before = len(self.server.seen)
        done = through("to_private/proxy")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("127.0.0.1 is this machine or in a private network", done.stdout)
        self.assertEqual([path for path, *_ in self.server.seen[before:]], ["/to_private/proxy"])

    def test_a_host_that_is_not_found_is_looked_up_again(self):
        host = "a" * 64 + ".invalid"  # the label is too long, so no resolver asks another machine
        begin = time.monotonic()
        done = self.check(f"https://{host}/model.gguf")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(json.loads(done.stdout)["files"][0]["problem"], f"host {host} was not found")
        self.assertGreater(time.monotonic() - begin, 2, "four tries, with pauses of 0.4, 0.8 and 1.6 s at least")

    def test_names_that_lead_to_private_addresses(self):
        # The result of the resolver is checked, not only the name.
        name = socket.gethostname()
        try:
            address = ipaddress.ip_address(socket.gethostbyname(name))
        except OSError:
            self.skipTest("this machine's name leads nowhere")
        if address.is_global:
            self.skipTest("this machine's name leads to a public address")
        done = check("--ca-file", os.path.join(self.folder, "ca.pem"),
                     f"https://{name}:{self.server.server_port}/good/name")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(f"the address of {name.lower()} is on this machine or in a private network", done.stdout)


if __name__ == "__main__":
    unittest.main()
