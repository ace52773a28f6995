#!/usr/bin/env python3
"""Schedule, corpus, minimiser and summary, each separately."""

import os
import tempfile
import unittest
from types import SimpleNamespace

import stage  # noqa: F401  (finds the modules)
from campaigns import corpus, crashes, minimise, schedule, summary
from campaigns.text import CouldNot, plain


class Schedule(unittest.TestCase):
    def test_all_slots_are_full_and_all_tasks_get_the_same(self):
        for tasks, slots in ((5, 2), (14, 4), (3, 3), (28, 2), (7, 1)):
            lines = schedule.plan(list(range(tasks)), slots, 600)
            self.assertEqual(len(lines), slots)
            for line in lines:
                self.assertAlmostEqual(sum(piece.seconds for piece in line), 600)
            for task in range(tasks):
                time = sum(p.seconds for line in lines for p in line if p.task == task)
                self.assertAlmostEqual(time, 600 * slots / tasks)

    def test_a_task_is_never_run_twice_at_once_but_for_lack_of_tasks(self):
        spans = {}
        for line in schedule.plan(list(range(5)), 3, 100):
            begin = 0.0
            for piece in line:
                spans.setdefault(piece.task, []).append((begin, begin + piece.seconds))
                begin += piece.seconds
        for parts in spans.values():
            parts.sort()
            self.assertTrue(all(a[1] <= b[0] + 1e-6 for a, b in zip(parts, parts[1:])), parts)

    def test_few_tasks_share_the_slots(self):
        lines = schedule.plan(["a", "b"], 5, 60)
        self.assertEqual([(p.task, p.worker) for line in lines for p in line],
                         [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2)])

    def test_crumbs_are_given_to_the_others(self):
        for line in schedule.plan(list(range(7)), 3, 10.0):
            self.assertAlmostEqual(sum(p.seconds for p in line), 10.0)
            self.assertTrue(all(p.seconds >= schedule.SHORTEST for p in line))

    def test_nothing_to_do(self):
        self.assertEqual(schedule.plan([], 2, 60), [])


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name

    def file(self, name, data):
        path = os.path.join(self.top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path


class Corpus(Folder):
    def test_seeds_are_taken_once_and_not_cut(self):
        self.file("seeds/a", b"1")
        self.file("seeds/deep/b", b"1")
        self.file("seeds/large", b"x" * 11)
        self.file("seeds/empty", b"")
        os.symlink("/etc/passwd", os.path.join(self.top, "seeds", "link"))
        work = os.path.join(self.top, "work")
        target = SimpleNamespace(seeds=[os.path.join(self.top, "seeds")], most_bytes=10)
        self.assertEqual(corpus.seed(target, work), (1, 2))
        self.assertEqual(os.listdir(work), ["356a192b7913b04c54574d18c28d46e6395428ab"])

    def test_a_cut_off_replacement_is_put_right(self):
        self.file("work.old/a", b"old")
        work = os.path.join(self.top, "work")
        self.file("work.new/b", b"half done")
        corpus.recover(work)
        self.assertEqual(os.listdir(self.top), ["work"])
        self.assertEqual(os.listdir(work), ["a"])
        self.file("work.old/a", b"old")
        corpus.recover(work)
        self.assertEqual(os.listdir(self.top), ["work"])

    def test_a_snapshot_is_never_empty(self):
        work = os.path.join(self.top, "work")
        os.makedirs(work)
        corpus.snapshot(work, os.path.join(self.top, "in"))
        self.assertEqual(len(os.listdir(os.path.join(self.top, "in"))), 1)


class Minimise(Folder):
    def shrink(self, data, needle, command=None):
        def dies_alike(paths):
            for number, path in enumerate(paths):
                with open(path, "rb") as file:
                    if needle in file.read():
                        return number
            return None
        path = self.file("input", data)
        return minimise.minimise(path, dies_alike, command, os.path.join(self.top, "work"), 60)

    def test_only_what_matters_is_left(self):
        self.assertEqual(self.shrink(b"x" * 300 + b"bug" + b"y" * 900, b"bug"), b"bug")
        self.assertEqual(os.listdir(self.top), ["input"])

    def test_what_cannot_be_smaller_stays(self):
        self.assertEqual(self.shrink(b"bug", b"bug"), b"bug")

    def test_a_reducer_is_asked_first(self):
        reducer = self.file("reducer", b"""#!/usr/bin/env python3
import os, sys
out = sys.argv[sys.argv.index("--output-dir") + 1]
os.makedirs(out)
data = open(sys.argv[2], "rb").read()
open(os.path.join(out, "000000.gguf"), "wb").write(data.replace(b"(", b"").replace(b")", b""))
""")
        os.chmod(reducer, 0o755)
        # Neither bracket can be removed alone.
        def dies_alike(paths):
            for number, path in enumerate(paths):
                with open(path, "rb") as file:
                    data = file.read()
                if b"bug" in data and data.count(b"(") == data.count(b")"):
                    return number
            return None
        path = self.file("input", b"((bug)xx)")
        small = minimise.minimise(path, dies_alike, reducer, os.path.join(self.top, "work"), 60)
        self.assertEqual(small, b"bug")


class Known(Folder):
    def test_ids_and_reasons(self):
        path = self.file("known", b"# none\n\nleak-1 why # more\n")
        self.assertEqual(crashes.read_known(path), {"leak-1"})
        for text in (b"leak-1\n", b"\xff"):
            with self.assertRaises(CouldNot):
                crashes.read_known(self.file("known", text))
        with self.assertRaises(CouldNot):
            crashes.read_known(os.path.join(self.top, "nowhere"))


class Summary(unittest.TestCase):
    def test_many_points_are_thinned_and_the_ends_stay(self):
        points = summary.thin([(i, i) for i in range(10_000)], 50)
        self.assertEqual((len(points), points[0], points[-1]), (50, (0, 0), (9999, 9999)))


class Text(unittest.TestCase):
    def test_nothing_but_printable_ascii_is_printed(self):
        self.assertEqual(plain("a\x1b[1m\n\u202e\udcff~"), "a\\u{1b}[1m\\u{a}\\u{202e}\\u{dcff}~")


if __name__ == "__main__":
    unittest.main()
