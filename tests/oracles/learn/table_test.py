"""The table of contracts, written and read back: names that share a line are separated again."""

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

    def test_names_conditions_and_nothing_else(self):
        names = set(recorded.Table(table.read(learning.TABLE)).names()) - set(recorded.OF_TENSORS)
        self.assertEqual(names - set(fit.condition_slugs(learning.CONDITIONS)), set())
        self.assertGreater(len(names), 100)


if __name__ == "__main__":
    unittest.main()
