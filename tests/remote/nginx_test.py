#!/usr/bin/env python3
"""Files on nginx get the verdicts and findings of local files, with the minimum of bytes and requests.

usage: nginx_test.py    with $GGUFGATE_COMMAND
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import big_header  # noqa: E402
from servers import GATE, NGINX, TOP, Nginx, check  # noqa: E402

CORPUS = os.path.join(TOP, "corpus")
SAMPLE = "/valid/sample-llama.gguf"
TOLD = ("verdict", "findings", "totals", "summary", "problem", "sha256", "suppressed_totals")


def corpus_files():
    """All files except sets of shards, which class Sets tests."""
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(CORPUS)
                  for name in names if name.endswith(".gguf") and os.path.basename(os.path.dirname(folder)) != "sets")


def told(done):
    """The reports about the files, in order."""
    return [{key: file[key] for key in TOLD if key in file} for file in json.loads(done.stdout)["files"]]


@unittest.skipUnless(NGINX, "nginx is not installed")
class Remote(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.nginx = Nginx(CORPUS)
        cls.addClassCleanup(cls.nginx.close)

    def setUp(self):
        self.nginx.requests()

    def check(self, *arguments, **options):
        return check("--allow-private", "--ca-file", self.nginx.authority, *arguments, **options)

    def urls(self, paths):
        return [self.nginx.url + path[len(CORPUS):] for path in paths]


class Corpus(Remote):
    def same(self, *options):
        paths = corpus_files()
        self.assertGreater(len(paths), 500)
        with tempfile.TemporaryDirectory() as folder:
            lists = {"local": paths, "remote": self.urls(paths)}
            done = {}
            for name, lines in lists.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines))
                done[name] = self.check("--format", "json", *options, "--files-from", file.name)
        self.assertEqual(done["local"].returncode, 1)
        self.assertEqual(done["remote"].returncode, 1, done["remote"].stderr)
        for path, local, remote in zip(paths, told(done["local"]), told(done["remote"]), strict=True):
            self.assertEqual(local, remote, path)

    def test_headers(self):
        self.same()
        asked = self.nginx.requests()
        # Nearly all end within the first read.
        self.assertLess(len(asked), 1.1 * len(corpus_files()))

    def test_data_that_pass(self):
        self.same("--data", "full", "--sha256")

    def test_second_opinions_cost_nothing(self):
        paths = self.urls(corpus_files()[:100])
        for opinion in ("never", "small", "always"):
            self.check("--second-opinion", opinion, *paths)
            self.assertEqual(len({path for path, *_ in self.nginx.requests()}), 100, opinion)


class Sets(Remote):
    def test_one_shard_brings_the_others(self):
        folder = os.path.join(CORPUS, "sets")
        names = sorted(os.listdir(folder))
        self.assertGreaterEqual(len(names), 10)
        whole = 0
        for name in names:
            shards = sorted(os.listdir(os.path.join(folder, name)))
            local = check("--format", "json", os.path.join(folder, name))
            remote = self.check("--format", "json", *self.urls([os.path.join(folder, name, shards[0])]))
            of_set = json.loads(remote.stdout)["files"]
            with self.subTest(set=name):
                if [file["path"].rsplit("/", 1)[1] for file in of_set] == shards:
                    whole += 1
                    self.assertEqual(told(remote), told(local))
                    self.assertEqual(remote.returncode, local.returncode)
                else:  # one is missing: a server may have it later
                    self.assertNotIn("accept", [file["verdict"] for file in of_set])
                    self.assertNotEqual(local.returncode, 0)
        self.assertGreater(whole, len(names) // 2)


class Hub(Remote):
    def test_names_of_a_hub(self):
        environment = {"HF_ENDPOINT": self.nginx.url, "HF_TOKEN": "secret"}
        for path in ("hf://owner/repo" + SAMPLE, "hf://owner/repo" + SAMPLE + "@v1", "hf://owner/repo@v1" + SAMPLE):
            done = self.check(path, environment=environment)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"ok      {path} ", done.stdout)
            self.assertIn('"Bearer secret"', self.nginx.accesses())
            asked = self.nginx.requests()
            revision = "v1" if "@" in path else "main"
            self.assertEqual([one[0] for one in asked], [f"/owner/repo/resolve/{revision}{SAMPLE}"])

    def test_the_token_is_for_the_hub_alone(self):
        self.check(self.nginx.url + SAMPLE, environment={"HF_TOKEN": "secret"})
        self.assertNotIn("Bearer", self.nginx.accesses())

    def test_what_is_no_name(self):
        for path in ("hf://owner", "hf://owner/repo", "hf://owner/repo/../x.gguf", "hf://owner/repo/x@"):
            done = self.check(path, environment={"HF_ENDPOINT": self.nginx.url})
            self.assertEqual(done.returncode, 2, path)
            self.assertIn("must be hf://OWNER/REPOSITORY/PATH[@REVISION]", done.stdout)
        self.assertEqual(self.nginx.requests(), [])

    def test_netrc(self):
        with tempfile.TemporaryDirectory() as home:
            with open(os.path.join(home, ".netrc"), "w", encoding="utf-8") as file:
                file.write("machine 127.0.0.1 login me password secret\n")
            done = self.check(self.nginx.url + SAMPLE, environment={"HOME": home})
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn('"Basic bWU6c2VjcmV0"', self.nginx.accesses())


class Refused(Remote):
    def undecided(self, done, why):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "^undecided  ")
        self.assertIn(why, done.stdout)

    def test_private_addresses(self):
        host = f":{self.nginx.port}{SAMPLE}"
        for name in ("127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "[::1]", "[::ffff:127.0.0.1]"):
            done = check("--ca-file", self.nginx.authority, f"https://{name}{host}")
            self.undecided(done, "--allow-private allows it")
        self.assertEqual(self.nginx.requests(), [])

    def test_certificates_of_nobody(self):
        self.undecided(check("--allow-private", self.nginx.url + SAMPLE), "certificate")

    def test_no_encryption(self):
        done = self.check(self.nginx.url.replace("https", "http") + SAMPLE)
        self.undecided(done, "--allow-http allows it")

    def test_what_is_not_there(self):
        self.undecided(self.check(self.nginx.url + "/no-such.gguf"), "no such file (404)")

    def test_addresses_with_secrets(self):
        self.undecided(self.check(self.nginx.url.replace("//", "//me:secret@") + SAMPLE), "contains a user name")

    def test_without_the_program_that_fetches(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(GATE, folder)
            done = check(self.nginx.url + SAMPLE, CORPUS + SAMPLE, "--allow-private", gate=alone)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the program ggufgate-fetch, which fetches files from servers, is missing", done.stdout)
            self.assertIn(f"ok      {CORPUS}{SAMPLE}", done.stdout)


HOSTILE_LOADER = os.path.join(os.path.dirname(GATE), "tests/libhostile_loader.so")


@unittest.skipUnless(NGINX, "nginx is not installed")
@unittest.skipUnless(os.path.exists(HOSTILE_LOADER), "the loader of tests/rehearse is not built")
class Rehearsals(unittest.TestCase):
    """A loader gets the front of a file on a server, and nothing else of it is fetched."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        os.chmod(cls.folder.name, 0o755)
        cls.header = big_header.write(os.path.join(cls.folder.name, "model.gguf"))
        shutil.copy(CORPUS + SAMPLE, cls.folder.name)
        with open(CORPUS + SAMPLE, "rb") as sample, open(os.path.join(cls.folder.name, "cut.gguf"), "wb") as cut:
            cut.write(sample.read()[:300])
        cls.nginx = Nginx(cls.folder.name)
        cls.addClassCleanup(cls.nginx.close)

    def rehearse(self, name):
        words = [GATE, "rehearse", "--allow-private", "--ca-file", self.nginx.authority, "--loader", HOSTILE_LOADER,
                 "--format", "json", f"{self.nginx.url}/{name}"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        return done, json.loads(done.stdout)["files"][0]

    def test_fetches_the_header_once(self):
        self.nginx.requests()
        done, file = self.rehearse("model.gguf")
        self.assertEqual((done.returncode, file["outcome"]), (0, "runs"), done.stdout + done.stderr)
        self.assertGreater(file["size"], 40_000_000_000)
        asked = self.nginx.requests()
        sent = sum(size for *_, size in asked)
        print(f"header {self.header:,} bytes: fetched {sent:,} in {len(asked)} requests")
        self.assertLessEqual(sent, 1.05 * self.header)

    def test_a_small_file_runs(self):
        done, file = self.rehearse("sample-llama.gguf")
        self.assertEqual((done.returncode, file["outcome"]), (0, "runs"), done.stdout + done.stderr)

    def test_the_first_shard_brings_the_others(self):
        name = next(name for name in sorted(os.listdir(os.path.join(CORPUS, "sets")))
                    if check(os.path.join(CORPUS, "sets", name)).returncode == 0)
        shards = sorted(os.listdir(os.path.join(CORPUS, "sets", name)))
        for shard in shards:
            shutil.copy(os.path.join(CORPUS, "sets", name, shard), self.folder.name)
        done, file = self.rehearse(shards[0])
        self.assertEqual((done.returncode, file["outcome"]), (0, "runs"), done.stdout + done.stderr)
        self.assertEqual(file["shards"], len(shards))

    # It would fetch the file twice, and the server might send another one.
    def test_a_check_rehearses_no_file_on_a_server(self):
        words = [GATE, "check", "--allow-private", "--ca-file", self.nginx.authority, "--rehearse", HOSTILE_LOADER,
                 "--format", "json", f"{self.nginx.url}/sample-llama.gguf", f"{self.nginx.url}/cut.gguf"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        sound, cut = json.loads(done.stdout)["files"]
        self.assertEqual((done.returncode, sound["verdict"], cut["verdict"]), (1, "undecided", "reject"))
        self.assertIn("use ggufgate rehearse", sound["problem"])

    def test_a_fault_is_found_by_the_rules(self):
        done, file = self.rehearse("cut.gguf")
        self.assertEqual((done.returncode, file["static_verdict"]), (1, "reject"), done.stdout + done.stderr)
        self.assertEqual(file["outcome"], "not-rehearsed")

    def test_a_malformed_address_is_undecided(self):
        words = [GATE, "rehearse", "--loader", HOSTILE_LOADER, "hf://only-an-owner", "https://"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("hf://only-an-owner: must be hf://OWNER/REPOSITORY/PATH", done.stdout)
        self.assertIn("https://: the address names no host", done.stdout)

    def test_an_absent_file_is_undecided(self):
        done, file = self.rehearse("absent.gguf")
        self.assertEqual((done.returncode, file["outcome"]), (2, "not-rehearsed"), done.stdout + done.stderr)
        self.assertIn("404", file["reason"])


class Cost(unittest.TestCase):
    @unittest.skipUnless(NGINX, "nginx is not installed")
    def test_a_header_of_seven_megabytes_in_forty_gigabytes(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            header = big_header.write(os.path.join(folder, "model.gguf"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "model.gguf")), 40_000_000_000)
            nginx = Nginx(folder)
            self.addCleanup(nginx.close)
            done = check("--allow-private", "--ca-file", nginx.authority, "--format", "json",
                         nginx.url + "/model.gguf")
            local = check("--format", "json", os.path.join(folder, "model.gguf"))
            self.assertEqual(told(done), told(local))
            self.assertEqual(done.returncode, 0, done.stdout)
            asked = nginx.requests()
            sent = sum(size for *_, size in asked)
            remote = json.loads(done.stdout)["files"][0]["remote"]
            print(f"header {header:,} bytes: fetched {sent:,} ({sent / header:.1%}) in {len(asked)} requests: {asked}")
            self.assertEqual((remote["fetched"], remote["requests"]), (sent, len(asked)))
            self.assertLessEqual(sent, 1.05 * header)
            self.assertLessEqual(len(asked), 5)


if __name__ == "__main__":
    unittest.main()
