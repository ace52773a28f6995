"""The contents of checked files: keys, arrays, tensors."""

import os
import shutil
import subprocess
import tempfile
import threading
import unittest

import ggufgate
from tests.corpus import COMMAND, corpus_files, invalid, valid

try:
    import numpy
except ImportError:
    numpy = None

SOUND = valid("sample-llama.gguf")


class Keys(unittest.TestCase):
    def setUp(self):
        self.file = ggufgate.open(SOUND)

    def tearDown(self):
        self.file.close()

    def test_values_have_the_types_of_python(self):
        metadata = self.file.metadata
        self.assertEqual(metadata["general.architecture"], "llama")
        self.assertIsInstance(metadata["llama.block_count"], int)
        self.assertIsInstance(metadata["llama.attention.layer_norm_rms_epsilon"], float)
        self.assertEqual(metadata.type_of("llama.block_count"), "u32")
        self.assertEqual(len(metadata), len(list(metadata)))
        self.assertIn("general.architecture", metadata)
        for absent in ("none", "", 1, "general.architecture\0"):
            self.assertNotIn(absent, metadata)
        with self.assertRaises(KeyError):
            metadata["none"]
        self.assertEqual(metadata.get("none", 7), 7)

    def test_arrays_are_sequences(self):
        tokens = self.file.metadata["tokenizer.ggml.tokens"]
        listed = tokens.to_list()
        self.assertEqual(len(tokens), len(listed))
        self.assertEqual(tokens[0], listed[0])
        self.assertEqual(tokens[-1], listed[-1])
        self.assertEqual(tokens[2:5], listed[2:5])
        self.assertEqual(tokens[::-1], listed[::-1])
        self.assertEqual([tokens[i] for i in range(len(tokens))], listed)
        for beyond in (len(tokens), -len(tokens) - 1):
            with self.assertRaises(IndexError):
                tokens[beyond]
        types = self.file.metadata["tokenizer.ggml.token_type"]
        self.assertEqual([types[i] for i in range(len(types))], types.to_list())
        self.assertEqual(types.type, "i32")
        with self.assertRaises(ggufgate.GgufgateError):
            tokens.to_bytes()

    def test_nested_arrays(self):
        with ggufgate.open(invalid("array-nested.depth-4.gguf"), even_if_rejected=True, profile="spec") as file:
            nested = [value for value in file.metadata.to_dict().values() if isinstance(value, list)]
            self.assertTrue(any(isinstance(part, list) for value in nested for part in value))

    def test_after_closing_nothing_is_read(self):
        tokens = self.file.metadata["tokenizer.ggml.tokens"]
        tensor = next(iter(self.file.tensors.values()))
        self.file.close()
        self.file.close()
        for use in (lambda: tokens[0], tokens.to_list, tensor.read, tensor.floats,
                    lambda: self.file.metadata["general.architecture"], lambda: list(self.file.tensors)):
            with self.assertRaises(ggufgate.ClosedError):
                use()

    def test_many_threads_read_one_file(self):
        expected, found = self.file.metadata.to_dict(), []
        tokens = self.file.metadata["tokenizer.ggml.tokens"]

        def work():
            found.append(self.file.metadata.to_dict() == expected and tokens.to_list() == list(tokens))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 8)


class Opening(unittest.TestCase):
    def test_what_is_rejected_is_not_opened_unless_asked_for(self):
        path = invalid("damage-cut-short.gguf")
        with self.assertRaises(ggufgate.NotAcceptedError) as raised:
            ggufgate.open(path)
        self.assertIs(raised.exception.report.verdict, ggufgate.Verdict.REJECT)
        self.assertIn("tensor-data-bounds", str(raised.exception))
        with ggufgate.open(path, even_if_rejected=True) as file:
            self.assertFalse(file.report.accepted)
            tensor = file.tensors["weight"]
            self.assertFalse(tensor.readable)
            for use in (tensor.read, tensor.floats):
                with self.assertRaises(ggufgate.UnsupportedError):
                    use()
        with self.assertRaises(ggufgate.NotAcceptedError):
            ggufgate.open("no such file", even_if_rejected=True)

    def test_what_was_judged_is_what_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.gguf")
            shutil.copy(SOUND, path)
            with ggufgate.open(path) as file:
                tensor = next(iter(file.tensors.values()))
                os.truncate(path, 10)
                self.assertEqual(file.metadata["general.architecture"], "llama")
                with self.assertRaises(ggufgate.FileReadError):
                    tensor.floats()
                with self.assertRaises(OSError):
                    tensor.read()

    def test_bytes_are_viewed_where_they_are(self):
        with open(SOUND, "rb") as whole:
            data = bytearray(whole.read())
        with ggufgate.open(data) as file:
            tensor = next(iter(file.tensors.values()))
            self.assertEqual(tensor.read(), bytes(data[tensor.offset : tensor.offset + tensor.nbytes]))
            with self.assertRaises(BufferError):  # the buffer cannot be resized meanwhile
                data.extend(b"x")


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Arrays(unittest.TestCase):
    def test_every_type_decodes_as_the_command_does(self):
        seen = set()
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "tensor.npy")
            for path in corpus_files():
                if not os.path.basename(path).startswith("tensor-") or not ggufgate.check(path).accepted:
                    continue
                with ggufgate.open(path) as file:
                    for name, tensor in file.tensors.items():
                        if tensor.type in seen or not tensor.elements:
                            continue
                        seen.add(tensor.type)
                        subprocess.run([COMMAND, "dequantize", path, name, "--output", out], check=True,
                                       stdout=subprocess.DEVNULL)
                        expected, found = numpy.load(out), tensor.dequantize()
                        self.assertEqual(found.shape, expected.shape)
                        self.assertEqual(found.dtype, numpy.float32)
                        self.assertTrue(numpy.array_equal(found, expected, equal_nan=True), path)
                        self.assertEqual(list(tensor.floats(0, 1)), list(found.reshape(-1)[:1]))
        self.assertGreater(len(seen), 20)

    def test_plain_types_are_views(self):
        with open(valid("tensor-f16.gguf"), "rb") as whole:
            data = whole.read()
        for source in (valid("tensor-f16.gguf"), data):
            with ggufgate.open(source) as file:
                tensor = next(tensor for tensor in file.tensors.values() if tensor.type == "F16")
                numbers = tensor.numpy()
                self.assertEqual(numbers.dtype, numpy.dtype("<f2"))
                self.assertEqual(numbers.shape, tensor.shape)
                self.assertFalse(numbers.flags.writeable)
                self.assertTrue(numpy.array_equal(numbers.astype(numpy.float32), tensor.dequantize(), equal_nan=True))
                self.assertEqual(tensor.blocks().shape, (tensor.nbytes // 2, 2))
            self.assertEqual(numbers.shape, tensor.shape)  # outlives the file

    def test_the_slowest_dimension_comes_first(self):
        with ggufgate.open(SOUND) as file:
            tensor = file.tensors["token_embd.weight"]
            tokens = len(file.metadata["tokenizer.ggml.tokens"])
            self.assertEqual(tensor.shape, (tokens, file.metadata["llama.embedding_length"]))
            self.assertEqual(tensor.dequantize().shape, tensor.shape)

    def test_arrays_of_numbers(self):
        with ggufgate.open(SOUND) as file:
            types = file.metadata["tokenizer.ggml.token_type"]
            self.assertEqual(types.numpy().tolist(), types.to_list())
            with self.assertRaises(ggufgate.UnsupportedError):
                file.metadata["tokenizer.ggml.tokens"].numpy()

    def test_quantised_types_are_no_type_of_numpy(self):
        with ggufgate.open(SOUND) as file:
            tensor = next(tensor for tensor in file.tensors.values() if tensor.type == "Q4_0")
            with self.assertRaises(ggufgate.UnsupportedError):
                tensor.numpy()
            self.assertEqual(tensor.blocks().shape[1], 18)


class WithoutNumpy(unittest.TestCase):
    def test_the_package_can_be_used(self):
        program = ("import sys; sys.modules['numpy'] = None; import ggufgate; "
                   "f = ggufgate.open(sys.argv[1]); t = next(iter(f.tensors.values())); "
                   "assert len(t.floats(1, 3)) == 3 and t.read(0, 4)")
        subprocess.run([__import__("sys").executable, "-c", program, SOUND], check=True)


if __name__ == "__main__":
    unittest.main()
