#!/usr/bin/env python3
"""The test of readers can fail: it detects every difference between readings. It accepts exactly those that a
finding explains. If a reader crashes or hangs, it reports that and continues with it.
"""

import contextlib
import io
import os
import random
import sys
import unittest
import unittest.mock

sys.dont_write_bytecode = True

import asking
import compare
import edits
import explained
import layout
import readers
import trial

CORPUS = os.path.join(asking.ROOT, "corpus", "valid")
NOT_UTF8 = {"rule": "string-utf8", "path": "general.name"}


def reading():
    return {"version": "3", "tensor_count": "1",
            "keys": [["general.name", 8, None, "s\xff"], ["a.b", 9, 4, ["n1", "n2", "n3"]]],
            "tensors": [["weight", ["8", "1"], 0, "0", "128", "32"]]}


def kinds(change):
    """The kinds of difference between a reading and a changed copy."""
    changed = reading()
    change(changed)
    return sorted({difference.kind for difference in compare.differences({"one": reading(), "other": changed})})


def corpus_bytes(name):
    with open(os.path.join(CORPUS, name), "rb") as file:
        return file.read()


def corpus_model(name="minimal.gguf"):
    return layout.Model(corpus_bytes(name))


class CompareTest(unittest.TestCase):
    def test_the_same_does_not_differ(self):
        self.assertEqual(kinds(lambda r: None), [])
        self.assertEqual(kinds(lambda r: r["keys"].reverse()), [], "keys have no order")
        self.assertEqual(kinds(lambda r: r["tensors"][0].__setitem__(1, ["8", "1", "1", "1"])), [])

    def test_what_a_reader_does_not_tell_does_not_differ(self):
        for at in (1, 2):
            self.assertEqual(kinds(lambda r: r["keys"][1].__setitem__(at, None)), [])
        for at in (4, 5):
            self.assertEqual(kinds(lambda r: r["tensors"][0].__setitem__(at, None)), [])

    def test_every_part_is_compared(self):
        self.assertEqual(kinds(lambda r: r.update(version="2")), ["version"])
        self.assertEqual(kinds(lambda r: r.update(tensor_count="2")), ["tensor_count"])
        self.assertEqual(kinds(lambda r: r["keys"].pop()), ["key"])
        self.assertEqual(kinds(lambda r: r["keys"].append(["c", 4, None, "n1"])), ["key"])
        self.assertEqual(kinds(lambda r: r["keys"][0].__setitem__(0, "general.Name")), ["key"])
        self.assertEqual(kinds(lambda r: r.update(misplaced=["a.b"])), ["key-place"])
        for at, kind in ((1, "key-type"), (2, "key-element-type"), (3, "value")):
            self.assertEqual(kinds(lambda r: r["keys"][1].__setitem__(at, 5)), [kind])
        for at, kind in enumerate(("name", "shape", "type", "offset", "file-offset", "bytes")):
            other = ["4", "2"] if kind == "shape" else "other"
            self.assertEqual(kinds(lambda r: r["tensors"][0].__setitem__(at, other)), ["tensor-" + kind])
        self.assertEqual(kinds(lambda r: r["tensors"].clear()), ["tensors"])

    def test_values_differ_in_the_least(self):
        for one, other in ((0.0, -0.0), (1.0, 1.0000000000000002), (2**53, 2**53 + 1), (float("nan"), 0.0), (True, 1),
                           (b"1", 1), (b"", b"\0"), ((4, []), (4, [0])), ((4, [1]), (4, [1, 1]))):
            self.assertNotEqual(layout.canonical(one), layout.canonical(other))
        self.assertEqual(layout.canonical(float("nan")), layout.canonical(float("nan")))
        self.assertEqual(layout.canonical(2.0), layout.canonical(2), "numbers of JavaScript have one type")

    def test_of_arrays_the_elements_that_differ(self):
        changed = reading()
        changed["keys"][1][3] = ["n1", "n0", "n0"]
        found = list(compare.differences({"one": reading(), "other": changed}))
        self.assertEqual([difference.places for difference in found], [{"a.b", "a.b[1]"}, {"a.b", "a.b[2]"}])

    def test_a_long_name_is_cut_as_in_findings(self):
        self.assertEqual(compare.place("a" * 255, 3), "a" * 255 + "[3]")
        self.assertEqual(compare.place("a" * 300, 3), asking.unescaped("a" * 256 + "…[3]"))


class ExplainedTest(unittest.TestCase):
    """With a separate table, because that of explained.py changes with the rules. Reader `letter` reads correctly."""

    def setUp(self):
        line = explained.Line
        table = {"not-utf8": line({"value"}, {"js", "other-js"}, explained.replaced, whole_array=True),
                 "nul": line({"value"}, {"c"}, explained.cut, whole_array=True),
                 "mark": line({"value"}, {"js"}, explained.without_mark),
                 "field": line({"key"}, {"js"})}
        patch = unittest.mock.patch.object(explained, "EXPLAINED", table)
        patch.start()
        self.addCleanup(patch.stop)

    def rules(self, kind="value", place="a", found=(("not-utf8", "a"),), **seen):
        seen = seen or {"letter": "s\xff", "js": "s\xef\xbf\xbd"}
        difference = compare.Difference(kind, {place, place + "[3]"}, seen)
        return explained.rules([{"rule": rule, "path": path} for rule, path in found], difference)

    def test_a_finding_names_what_stands_where_it_stands(self):
        self.assertEqual(self.rules(), {"not-utf8"})
        self.assertEqual(self.rules(found=[("not-utf8", "a[3]")]), {"not-utf8"})
        self.assertEqual(self.rules(found=[("not-utf8", "a[4]")]), {"not-utf8"}, "it counts those of an array")
        self.assertEqual(self.rules(place="aa"), set())
        self.assertEqual(self.rules(place="[0]", found=[("not-utf8", "[0]")]), {"not-utf8"}, "a key of that name")
        self.assertEqual(self.rules(kind="key"), set())
        self.assertEqual(self.rules(found=[("tensor-order", "a")]), set())

    def test_it_names_what_its_fault_does_and_no_more(self):
        self.assertEqual(self.rules(letter="sx\xff", js="sy\xef\xbf\xbd"), set())
        self.assertEqual(self.rules(letter="sx\xff", js="sx"), set())
        self.assertEqual(self.rules(letter="sx\xff", c=None, js="sx\xef\xbf\xbd"), {"not-utf8"})
        self.assertEqual(self.rules(letter="sx", js=["sx"]), set())
        self.assertEqual(self.rules(letter="sx\xef\xbf\xbd", js="sx\xff"), set(), "the other way round")

    def test_it_names_what_the_readers_of_its_line_see(self):
        bad, put = "s\xff", "s\xef\xbf\xbd"
        self.assertEqual(self.rules(letter=bad, js=put, **{"other-js": put}), {"not-utf8"})
        self.assertEqual(self.rules(letter=bad, js=bad, **{"other-js": put}), {"not-utf8"})
        self.assertEqual(self.rules(letter=bad, c=put), set(), "who should not")
        self.assertEqual(self.rules(letter=bad, c="sx", js=put), set(), "another differs too")
        self.assertEqual(self.rules(js=bad, **{"other-js": put}), set(), "nobody to tell what is there")

    def test_several_name_together_what_none_does_alone(self):
        views = {"letter": "s\xffa\0b", "c": "s\xffa", "js": "s\xef\xbf\xbda\0b"}
        both = [("not-utf8", "a[3]"), ("nul", "a[1]")]
        self.assertEqual(self.rules(**views, found=both), {"not-utf8", "nul"})
        for one in both:
            self.assertEqual(self.rules(**views, found=[one]), set())
        views["c"] = views["letter"]
        self.assertEqual(self.rules(**views, found=both), {"not-utf8"}, "of a NUL nobody sees anything")
        marked = {"letter": "s\xef\xbb\xbf\xff", "js": "s\xef\xbf\xbd"}
        self.assertEqual(self.rules(**marked, found=[("not-utf8", "a"), ("mark", "a")]), {"not-utf8", "mark"})

    def test_a_mark_at_the_beginning(self):
        mark = "\xef\xbb\xbf"
        for one, other in ((mark + "x", "x"), (mark + mark, mark)):
            self.assertEqual(self.rules(letter="s" + one, js="s" + other, found=[("mark", "a")]), {"mark"})
        self.assertEqual(self.rules(letter="sx" + mark, js="sx", found=[("mark", "a")]), set())
        self.assertEqual(self.rules(letter="s" + mark * 2, js="s", found=[("mark", "a")]), set())
        self.assertEqual(self.rules(letter="s" + mark, js="s", found=[("mark", "a[3]")]), {"mark"})
        self.assertEqual(self.rules(letter="s" + mark, js="s", found=[("mark", "a[4]")]), set(), "another element")

    def test_what_is_no_text(self):
        lost = {"letter": "there", "js": compare.MISSING}
        self.assertEqual(self.rules(kind="key", found=[("field", "a")], **lost), {"field"})
        self.assertEqual(self.rules(kind="key", found=[("field", "a")], **lost, c=compare.MISSING), set())

    def test_what_is_found_there_all_the_same(self):
        difference = compare.Difference("key", {"a"}, {"letter": "there", "c": compare.MISSING})
        findings = [{"rule": rule, "path": path} for rule, path in (("field", "a"), ("nul", "a[2]"), ("mark", "b"))]
        self.assertEqual(explained.found_at(findings, difference), "field, nul")
        self.assertEqual(explained.found_at([], difference), "nothing")

    def test_places_are_compared_as_they_stand_in_the_file(self):
        self.assertEqual(asking.unescaped(r"a\\b\x00\xe9\u{feff}é"), "a\\b\0\xe9\xef\xbb\xbf\xc3\xa9")

class LayoutTest(unittest.TestCase):
    def test_what_is_put_together_is_what_was_taken_apart(self):
        for name in os.listdir(CORPUS):
            if name.startswith(("tensor-", "alignment-", "string-")):
                data = corpus_bytes(name)
                self.assertEqual(layout.reading(data), layout.reading(layout.Model(data).bytes()), name)

    def test_every_edit_leaves_a_file_that_can_be_taken_apart(self):
        for edit, _ in edits.EDITS:
            for seed in range(200):
                model = corpus_model("every-field.gguf")
                edit(random.Random(seed), model)
                layout.Model(model.bytes())

    def test_the_same_seed_makes_the_same_edits(self):
        made = [edits.edited(random.Random(7), corpus_model()) for _ in range(2)]
        self.assertEqual(*made)

    def test_what_is_cut_is_unreadable(self):
        data = corpus_model().bytes()
        for size in range(0, 100):
            with self.assertRaises((layout.Unreadable, layout.struct.error)):
                layout.Model(data[:size])


FAKE = """
import json, os, sys, time
print("ready", flush=True)
for line in sys.stdin:
    name = os.path.basename(line.strip())
    if name == "dies": os._exit(7)
    if name == "hangs": time.sleep(60)
    print(json.dumps({"refused": name} if name == "refuses" else {"reading": READING}), flush=True)
"""


def fake(seen, name="fake", patience=2):
    command = [sys.executable, "-c", FAKE.replace("READING", repr(seen))]
    return asking.Reader(name, "", asking.Process(command, patience))


class AcceptsAll:
    """A gate with given findings."""

    def __init__(self, findings=()):
        self.findings = findings

    def judge(self, paths):
        return {path: self.findings for path in paths}


def examined(asked, paths, findings=()):
    run = trial.Trial(AcceptsAll(findings), asked)
    run.examine({path: "here" for path in paths})
    for reader in asked:
        reader.asker.close()
    return run


class TrialTest(unittest.TestCase):
    def test_a_reader_that_dies_or_hangs_is_asked_on(self):
        run = examined([fake(reading())], ["first", "dies", "refuses", "hangs", "last"])
        self.assertEqual(run.outcomes["fake"], {"reads": 2, "dies": 1, "refuses": 1, "hangs": 1})
        self.assertEqual([answer.outcome for *_, answer in run.misbehaved], ["dies", "hangs"])
        self.assertEqual(run.disagreements, [], "who sees nothing does not differ")

    def test_two_that_differ(self):
        other = reading()
        other["keys"][0][3] = "s\xef\xbf\xbd"
        pair = lambda: [fake(reading(), "one"), fake(other, "huggingface")]
        self.assertEqual(len(examined(pair(), ["file"]).disagreements), 1)
        self.assertEqual(len(examined(pair(), ["refuses"]).disagreements), 0)
        named = examined(pair(), ["file"], [NOT_UTF8])
        self.assertEqual((named.disagreements, named.named), ([], {"value, by string-utf8": 1}))

    def test_what_is_accepted_is_read_by_ours(self):
        for name in trial.OURS:
            run = examined([fake(reading(), name)], ["refuses", "file"])
            self.assertEqual([sort for (sort, _), _ in run.sorts()], [f"reading: check | {name}"])

    def test_a_reader_that_does_not_start_is_absent(self):
        self.assertIn("does not start", asking.Process([sys.executable, "-c", "exit(1)"]).why_not())


class MainTest(unittest.TestCase):
    def test_without_readers_of_others_it_is_skipped(self):
        plain = asking.Reader("plain", "", asking.Plain())
        absent = asking.Reader("ggml", "", None, "not there")
        original, asking.readers = asking.readers, lambda gate: [plain, absent]
        self.addCleanup(setattr, asking, "readers", original)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(readers.main(["--gate", "nowhere"]), readers.SKIPPED)
        self.assertIn("ABSENT: not there", out.getvalue())


if __name__ == "__main__":
    unittest.main()
