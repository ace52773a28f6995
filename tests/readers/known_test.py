#!/usr/bin/env python3
"""Known differences of each reader from the specification, without a check by the gate: this tests that the readers
are called correctly and that a difference is detected.
"""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import asking
import edits
import layout
import readers
import trial
from readers_test import AcceptsAll, corpus_model


class KnownTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = {reader.name: reader for reader in asking.readers("")}

    @classmethod
    def tearDownClass(cls):
        for reader in cls.found.values():
            if reader.asker is not None:
                reader.asker.close()

    def disagreement(self, name, model):
        """The differences of reader `name` from the specification."""
        if self.found[name].absent:
            self.skipTest(self.found[name].absent)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.gguf")
            with open(path, "wb") as file:
                file.write(model.bytes())
            run = trial.Trial(AcceptsAll(), [self.found["plain"], self.found[name]])
            run.examine({path: "here"})
        return {difference.kind for sort in run.disagreements for difference in sort.differences}

    def with_key(self, name, kind=8, value=b"x"):
        model = corpus_model()
        model.keys.append(layout.Key(name, kind, value))
        return model

    def test_a_key_of_every_object(self):
        for reader in ("huggingface", "hyllama", "node-llama-cpp"):
            self.assertEqual(self.disagreement(reader, self.with_key(b"__proto__")), {"key"}, reader)
            self.assertEqual(self.disagreement(reader, self.with_key(b"constructor")), set(), reader)
        self.assertEqual(self.disagreement("ggml", self.with_key(b"__proto__")), set())
        self.assertEqual(self.disagreement("node-llama-cpp", self.with_key(b"a.__proto__.b")), {"key"})
        self.assertEqual(self.disagreement("huggingface", self.with_key(b"a.__proto__.b")), set())

    def test_a_key_with_the_name_of_a_field(self):
        self.assertEqual(self.disagreement("huggingface", self.with_key(b"version")), {"key", "version"})
        self.assertEqual(self.disagreement("hyllama", self.with_key(b"tensorCount")), {"key", "tensor_count"})

    def test_a_key_below_another(self):
        self.assertEqual(self.disagreement("node-llama-cpp", self.with_key(b"general.architecture.x")), {"key-place"})
        self.assertEqual(self.disagreement("node-llama-cpp", self.with_key(b"general.x")), set())

    def test_text(self):
        self.assertEqual(self.disagreement("ggml", self.with_key(b"a.b", value=b"a\0b")), {"value"})
        self.assertEqual(self.disagreement("huggingface", self.with_key(b"a.b", value=b"\xef\xbb\xbfa")), {"value"})
        self.assertEqual(self.disagreement("node-llama-cpp", self.with_key(b"a.b", value=b"\xff")), {"value"})
        self.assertEqual(self.disagreement("hyllama", self.with_key(b"a.b", value=b"\xff\0")), set())

    def test_names_of_tensors(self):
        mark, byte, space = b"\xef\xbb\xbfa", b"\xff", b"a\xe2\x80\x8b"
        named = {"huggingface": {mark, byte}, "node-llama-cpp": {byte}, "hyllama": set(), "ggml": set()}
        for reader, otherwise in named.items():
            for name in (mark, byte, space):
                model = corpus_model()
                model.tensors[0].name = name
                seen = {"tensor-name"} if name in otherwise else set()
                self.assertEqual(self.disagreement(reader, model), seen, (reader, name))

    def test_numbers(self):
        for reader in ("ggml", "huggingface", "hyllama", "node-llama-cpp"):
            model = corpus_model()
            for kind, values in edits.NUMBERS.items():
                model.keys.append(layout.Key(b"a.%d" % kind, layout.ARRAY, (kind, values)))
                model.keys += [layout.Key(b"b.%d.%d" % (kind, i), kind, value) for i, value in enumerate(values)]
            self.assertEqual(self.disagreement(reader, model), set(), reader)


if __name__ == "__main__":
    ran = unittest.main(exit=False).result
    nobody = len(ran.skipped) == ran.testsRun
    sys.exit(readers.SKIPPED if nobody else not ran.wasSuccessful())
