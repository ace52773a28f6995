"""The table of contracts, written and read back: merged lines are separate again."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import fit
import main as learning
import recorded
import table


def block_of(architecture, conditions):
    return table.block(architecture, "spm", {}, set(), [f"condition {slug} aborts load" for slug in conditions])


class Table(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "release.def")

    def written(self, blocks):
        table.write(self.path, "a release", blocks)
        return table.read(self.path)

    def test_has_a_file_for_each_first_letter(self):
        blocks = {name: block_of(name, ["x"]) for name in ("llama", "gemma", "gpt2")}
        read = recorded.blocks_of(self.written(blocks))
        self.assertEqual(sorted(read), ["gemma", "gpt2", "llama"])
        self.assertEqual(sorted(os.listdir(self.path.removesuffix(".def"))), ["g.def", "l.def"])

    def test_names_that_share_a_line_are_names_each(self):
        text = self.written({"llama": block_of("llama", ["next-layers", "rotated-odd"])})
        self.assertIn("condition next-layers,rotated-odd aborts load", text)
        read = recorded.Table(text)
        self.assertEqual(set(read.names()) - set(recorded.OF_TENSORS), {"next-layers", "rotated-odd"})
        self.assertEqual(read.causes("llama", ["rotated-odd", "rotated-zero"], []), ["rotated-odd"])

    def test_lines_of_two_words_stay_as_they_are(self):
        lines = ["condition next-layers aborts load", "first feed_forward_length", "condition rotated-odd aborts load"]
        self.assertEqual(table.sharing(lines), lines)

    def test_is_written_as_one_file(self):
        blocks = {name: block_of(name, ["x", "y"]) for name in ("llama", "gpt2", "gpt-oss")}
        text = table.contracts(self.written(blocks), table.release_of(self.path))
        self.assertEqual(text.splitlines(), [
            "ggufgate contracts 1", "release a release",
            "architecture gpt-oss spm", "condition x,y aborts load",
            "architecture gpt2 spm", "condition x,y aborts load",
            "architecture llama spm", "condition x,y aborts load", "end 3"])

    def test_has_the_same_lines_as_one_file(self):
        read = table.read(learning.TABLE)
        text = table.contracts(read, table.release_of(learning.TABLE))
        self.assertTrue(text.startswith(f"ggufgate contracts 1\nrelease {learning.release.shipped()}\narchitecture "))
        self.assertNotIn("\n\n", text)
        self.assertTrue(text.isascii() and text.endswith("\n"))
        *lines, end = text.splitlines()[2:]
        self.assertRegex(end, r"end [0-9]+")
        starts = [line.split() for line in lines if line.startswith("architecture ")]
        blocks = recorded.blocks_of(read)
        self.assertEqual([start[1].encode() for start in starts], sorted(name.encode() for name in blocks))
        self.assertEqual({len(start) for start in starts}, {3})
        self.assertEqual([line for line in lines if not line.startswith("architecture ")],
                         [line for name in sorted(blocks) for line in blocks[name]])

    def test_tells_the_origin_of_the_library(self):
        table.write(self.path, "a release", {"llama": block_of("llama", ["x"])}, ["libllama.so SHA-256 00"])
        with open(self.path, encoding="utf-8") as file:
            self.assertIn("\n// libllama.so SHA-256 00\n", file.read())
        self.assertEqual(table.release_of(self.path), "a release")

    def test_names_conditions_and_nothing_else(self):
        names = set(recorded.Table(table.read(learning.TABLE)).names()) - set(recorded.OF_TENSORS)
        self.assertEqual(names - set(fit.condition_slugs(learning.CONDITIONS)), set())
        self.assertGreater(len(names), 100)


if __name__ == "__main__":
    unittest.main()
