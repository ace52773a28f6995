"""Facts about a release, and the report: nothing disappears without a line."""

import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/learn"))

import forms
import learn
import names
import release
import results
from gguf_file import Model, Tensor


def attempt(letter, outcome, tensors=None, message="why", decoded=False):
    """A form of architecture "x": built if it has tensors."""
    model = None if tensors is None else Model({}, [Tensor(name, 0, (1,)) for name in tensors])
    answer = {"outcome": outcome, "signal": "SIGSEGV" if outcome == "died" else None, "message": message,
              "stage": "decode", "decoded": decoded}
    if model is None:
        del answer["stage"], answer["decoded"]
    one = forms.Attempt(letter, learn.Learned("x", letter in "eE", letter in "DE", answer, model, {}, set()))
    one.runs = outcome == "ran" and decoded
    return one


class Judge:
    def __init__(self, broken=()):
        self.broken = broken

    def ask_model(self, _):
        return {"broken": list(self.broken)}


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def put(self, name, text=""):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return os.path.join(self.folder, name)

    def test_has_its_library_under_several_names(self):
        for name in ("libllama-common.so", "libggml.so", "llama.h"):
            self.put(name)
        with self.assertRaises(ValueError):
            release.library_in(self.folder)
        for name in ("libllama.b7698.so.0.0.1", "libllama.b7698.so", "libllama.so"):
            self.put(name)
            self.assertEqual(os.path.basename(release.library_in(self.folder)), name)
        self.put("libllama.so.0")
        self.assertEqual(os.path.basename(release.library_in(self.folder)), "libllama.so")

    def test_is_named_by_its_package(self):
        library = self.put("libllama.so", "abc")
        self.assertEqual(release.name_of(library), "own build ba7816bf8f01")
        built = {"buildOptions": {"llamaCpp": {"repo": "ggml-org/llama.cpp", "release": "v0.4.0"}}}
        self.put("_nlcBuildMetadata.json", json.dumps(built))
        self.assertEqual(release.name_of(library), "llama.cpp v0.4.0")
        self.assertEqual(release.file_name("llama.cpp v0.4.0"), "llama_cpp_v0_4_0")

    def test_lists_its_architectures(self):
        self.assertEqual(release.listed_architectures(self.folder), [])
        self.put("llama-arch.cpp", '    { LLM_ARCH_X,   "brand-new" },\n    { LLM_KV_Y, "%s.key" },\n')
        self.assertEqual(release.listed_architectures(self.folder), ["brand-new"])
        self.assertIn("llama", release.known_architectures())

    def test_has_names_that_linkers_merged(self):
        library = self.put("libllama.so", "\0arwkv7\0some text new-bert\0")

        class Asker:
            def ask_model(self, model):
                known = model.keys["general.architecture"].value in ("rwkv7", "bert")
                return {"message": "" if known else "unknown model architecture"}

        self.assertEqual(names.architectures(library, Asker(), ["bert"], all_ends=False), ["bert"])
        self.assertEqual(names.architectures(library, Asker(), [], all_ends=True), ["bert", "rwkv7"])

    def test_has_known_exceptions_with_reasons(self):
        self.assertTrue(all(release.exceptions().values()))
        self.assertIn("gptj", release.exceptions())


class Report(unittest.TestCase):
    def report_of(self, attempts, text=None, lines=(), broken=(), exceptions=()):
        result = results.Result("x", attempts)
        if text is not None:
            result.text = text
            results.sort_dropped(Judge(broken), result, attempts, lines)
        report = results.Report(dict(exceptions))
        report.add(result)
        return report

    def test_loses_no_architecture(self):
        report = self.report_of([attempt("d", "refused"), attempt("D", "died", ["a.weight"])])
        self.assertEqual(report.lost(), ["x"])
        self.assertEqual(report.lines(), ["no form: x", "  x: building, refused, why", "  x+optional: decode, SIGSEGV, why"])

    def test_accepts_known_exceptions(self):
        report = self.report_of([attempt("d", "refused")], exceptions={"x": "reason"}.items())
        self.assertEqual(report.lost(), [])
        self.assertEqual(report.lines()[0], "no form: x (known: reason)")
        self.assertIn("without a form: 0, and 1 known", report.summary())

    def test_tells_of_a_form_that_crashes(self):
        many = [attempt("d", "ran", ["a.weight"], decoded=True), attempt("D", "died", ["a.weight", "blk.0.b.weight"])]
        crash = "x+optional: decode, SIGSEGV, why"
        self.assertEqual(self.report_of(many, "").lines(), [f"unexplained crash: {crash}"])
        explained = self.report_of(many, "", ["unfit blk.*.c.weight blk.*.b.weight"]).lines()
        self.assertEqual(explained, [f"no part of the table: {crash} (explained by: unfit blk.*.b.weight)"])
        self.assertEqual(self.report_of(many, "", ["unfit blk.*.b.weight"]).lines(everything=False), [])
        explained = self.report_of(many, "", ["condition slug aborts decode"], ["slug", "other"]).lines()
        self.assertEqual(explained, [f"no part of the table: {crash} (explained by: condition slug)"])

    def test_a_condition_of_a_shift_explains_no_other_crash(self):
        many = [attempt("d", "died", ["a.weight"])]
        lines = self.report_of(many, "", ["condition cache-width crashes shift"], ["cache-width"]).lines()
        self.assertEqual(lines, ["unexplained crash: x: decode, SIGSEGV, why"])

    def test_explains_a_crash_by_an_absent_tensor(self):
        many = [attempt("d", "died", ["blk.0.b.weight", "blk.1.b.weight", "blk.0.a.weight"])]
        line = "used blk.*.a.weight|blk.*.c.weight blk.*.b.weight"
        self.assertIn(f"(explained by: {line})", self.report_of(many, "", [line]).lines()[0])
        for other in ("used blk.0.a.weight blk.0.b.weight", line + " blk.*.kind.weight", "used blk.*.a.weight blk.*.d.weight"):
            self.assertTrue(self.report_of(many, "", [other]).lines()[0].startswith("unexplained crash: x: "), other)
        self.assertIn("explained by", self.report_of(many, "", [line + " !blk.*.kind.weight"]).lines()[0])

    def test_tells_of_exchanged_tensors(self):
        one = attempt("d", "died", ["blk.0.qkv.weight"])
        for lines, count in (((), 1), (["unfit blk.*.qkv.weight"], 0)):
            result = results.Result("x", [])
            results.sort_exchanges(Judge(), result, {"qkv for q": (one.learned.model, one.answer)}, lines)
            self.assertEqual(len(result.crashes), count)
        self.assertEqual(results.told(one), "x: decode, SIGSEGV, why")

    def test_doubts_tensors_that_only_a_crashing_form_has(self):
        many = [attempt("d", "ran", ["a.weight"], decoded=True), attempt("D", "died", ["a.weight", "blk.0.b.weight"])]
        result = results.Result("x", many)
        results.sort_unfit(result, many, ["unfit blk.*.b.weight blk.*.c.weight"])
        self.assertEqual(result.changes, ["x: is blk.*.b.weight unfit? All forms with more tensors crash"])
        result = results.Result("x", many)
        results.sort_unfit(result, many + [attempt("D", "ran", ["a.weight"], decoded=True)], ["unfit blk.*.b.weight"])
        self.assertEqual(result.changes, [])

    def test_tells_of_a_form_that_decodes_nothing(self):
        many = [attempt("d", "ran", ["a.weight"], decoded=True), attempt("e", "ran", ["b.weight"], message="")]
        self.assertEqual(self.report_of(many, "").lines(), ["no part of the table: x+experts: decode, nothing was decoded"])


if __name__ == "__main__":
    unittest.main()
