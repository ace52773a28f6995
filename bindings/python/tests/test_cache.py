"""Cached verdicts, and caches that must not be trusted."""

import json
import os
import pickle
import shutil
import stat
import tempfile
import threading
import unittest
import warnings

from ggufgate import Verdict, _library, scan
from ggufgate._cache import Cache
from ggufgate._scan import Settings
from tests.corpus import invalid, valid
from tests.server import Server


class Caches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.models = os.path.join(folder.name, "models")
        os.mkdir(self.models)
        shutil.copy(valid("sample-llama.gguf"), os.path.join(self.models, "a.gguf"))
        shutil.copy(invalid("damage-cut-short.gguf"), os.path.join(self.models, "b.gguf"))
        self.cache = os.path.join(folder.name, "cache")
        self.server = Server(self.models).__enter__()
        self.addCleanup(self.server.__exit__)

    def judged(self, manner="sound", cache=None, **options):
        urls = [self.server.url(manner, name) for name in ("a.gguf", "b.gguf")]
        options.update(allow_http=True, allow_private=True, retries=0, cache=cache or self.cache)
        results = sorted(scan(urls, **options), key=lambda result: result.index)
        self.assertEqual([result.verdict for result in results], [Verdict.ACCEPT, Verdict.REJECT])
        return results

    def entries(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.cache) for name in names]


class ByETag(Caches):
    def test_a_second_look_costs_a_question(self):
        first, second = self.judged(), self.judged()
        self.assertEqual([result.cached for result in first + second], [False, False, True, True])
        for before, now in zip(first, second):
            self.assertEqual((now.report, now.size, now.etag), (before.report, before.size, before.etag))
            self.assertEqual((now.requests, now.bytes), (1, 0))

    def test_another_version_or_other_rules_are_judged(self):
        self.judged()
        for options in ({"profile": "spec"}, {"data": "full"}, {"fail_on": "warning"}, {"sha256": True}):
            self.assertFalse(any(result.cached for result in self.judged(**options)), options)
        self.server.version = "v2"
        self.assertFalse(any(result.cached for result in self.judged()))
        self.assertTrue(all(result.cached for result in self.judged()))

    def test_another_library_is_another_judge(self):
        self.judged()
        digest = _library.digest
        _library.digest = lambda: "0" * 64
        try:
            self.assertFalse(any(result.cached for result in self.judged()))
        finally:
            _library.digest = digest

    def test_a_weak_etag_names_no_bytes(self):
        self.server.version = "v"
        self.judged("weak")
        self.assertFalse(any(result.cached for result in self.judged("weak")))
        self.assertEqual(self.entries(), [])

    def test_processes_share_it(self):
        self.judged(processes=2)
        self.assertTrue(all(result.cached for result in self.judged(processes=2)))
        settings = Settings(cache=self.cache)
        self.assertEqual(pickle.loads(pickle.dumps(settings)).cache._by, settings.cache._by)

    def test_undecided_is_not_kept(self):
        url = self.server.url("bad-status", "a.gguf")
        for _ in range(2):
            result, = scan([url], allow_http=True, allow_private=True, cache=self.cache)
            self.assertIs(result.verdict, Verdict.UNDECIDED)
        self.assertEqual(self.entries(), [])


class Damaged(Caches):
    def passed_over(self, change):
        self.judged()
        for path in self.entries():
            change(path)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            results = self.judged()
        self.assertFalse(any(result.cached for result in results))
        self.assertTrue(any("is skipped" in str(warning.message) for warning in told))
        for path in self.entries():
            if os.path.islink(path) or not os.access(path, os.W_OK):
                os.unlink(path)

    def test_what_does_not_hold_together_is_passed_over(self):
        def rewrite(edit):
            def change(path):
                with open(path, "rb") as file:
                    data = file.read()
                with open(path, "wb") as file:
                    file.write(edit(data))
            return change
        self.passed_over(rewrite(lambda data: data[:-1]))
        self.passed_over(rewrite(lambda data: data.replace(b"accept", b"reject") if b"accept" in data
                                   else data.replace(b"reject", b"accept")))
        self.passed_over(rewrite(lambda data: b""))
        self.passed_over(rewrite(lambda data: b"\xff" + data))
        self.passed_over(lambda path: os.chmod(path, 0o666))

        def link(path):
            os.rename(path, path + ".away")
            os.symlink(path + ".away", path)
        self.passed_over(link)

    def test_one_entry_is_not_another(self):
        self.judged()
        first, second = self.entries()
        shutil.copy(first, second)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            self.assertEqual(sorted(result.cached for result in self.judged()), [False, True])

    def test_a_folder_of_others_is_not_used(self):
        os.mkdir(self.cache)
        os.chmod(self.cache, 0o777)
        link = self.cache + "-link"
        own = self.cache + "-own"
        os.mkdir(own, 0o700)
        os.symlink(own, link)
        for folder in (self.cache, link, "/proc/none"):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                for _ in range(2):
                    self.assertFalse(any(result.cached for result in self.judged(cache=folder)))
            self.assertTrue(any("not used" in str(warning.message) for warning in told), folder)
        self.assertEqual(self.entries(), [])
        self.judged(cache=own)
        self.assertTrue(all(result.cached for result in self.judged(cache=own)))

    def test_entries_are_for_the_owner_alone(self):
        self.judged()
        for path in [self.cache, *self.entries()]:
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode) & 0o077, 0, path)


class BySha256(Caches):
    def test_files_here_are_known_by_their_bytes(self):
        path = os.path.join(self.models, "a.gguf")
        first, = scan([path], sha256=True, cache=self.cache)
        shutil.move(path, path + ".moved")
        again, = scan([path + ".moved"], sha256=True, cache=self.cache)
        self.assertEqual((first.cached, again.cached), (False, True))
        self.assertEqual(again.report["sha256"], first.report["sha256"])
        with open(path + ".moved", "r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"\x01")
        self.assertFalse(next(scan([path + ".moved"], sha256=True, cache=self.cache)).cached)
        # Without `sha256`, the file is checked: computing the digest would take longer.
        self.assertFalse(next(scan([path + ".moved"], cache=self.cache)).cached)


class Bounded(Caches):
    def test_the_oldest_go_and_many_may_write_at_once(self):
        cache = Cache(self.cache, "{}", most_entries=2560)

        def write(begin):
            for number in range(begin, begin + 1000):
                cache.keep("address", str(number), {"verdict": "accept", "number": number})
        threads = [threading.Thread(target=write, args=(begin * 1000,)) for begin in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = self.entries()
        self.assertLessEqual(len(kept), 2560)
        self.assertGreater(len(kept), 1000)
        self.assertFalse([path for path in kept if path.endswith(".part")])
        found = [cache.find("address", str(number)) for number in range(4000)]
        self.assertEqual(len([told for told in found if told]), len(kept))
        for number, told in enumerate(found):
            if told:
                self.assertEqual(told["number"], number)


if __name__ == "__main__":
    unittest.main()
