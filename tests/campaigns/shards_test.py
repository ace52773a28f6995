"""A model in two shards: nothing is lost, each shard has its number, and a set is accepted if all files are."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import learner  # pylint: disable=unused-import
import campaign
import shards
from gguf_file import Model, Tensor, Value


def model_of(tensors):
    return Model({"general.architecture": Value("str", "llama"), "split.count": Value("u16", 9)},
                 [Tensor(f"blk.{number}.attn_q.weight", 0, (4, 4)) for number in range(tensors)])


def file_of(verdict, *findings):
    return {"verdict": verdict, "findings": [{"rule": rule, "severity": severity} for rule, severity in findings]}


class Cut(unittest.TestCase):
    def test_keeps_all_tensors_in_their_order_and_all_keys_in_the_first(self):
        whole = model_of(3)
        for kept in range(3):
            first, second = shards.cut(whole, kept)
            self.assertEqual(len(first.tensors), kept)
            self.assertEqual(first.tensors + second.tensors, whole.tensors)
            self.assertEqual(first.keys["general.architecture"], whole.keys["general.architecture"])
            self.assertNotIn("general.architecture", second.keys)

    def test_says_of_each_which_it_is(self):
        for number, shard in enumerate(shards.cut(model_of(3), 1)):
            told = {name: (value.type, value.value) for name, value in shard.keys.items() if name.startswith("split.")}
            self.assertEqual(told, {"split.no": ("u16", number), "split.count": ("u16", 2),
                                    "split.tensors.count": ("i32", 3)})

    def test_leaves_the_second_at_least_one(self):
        several = {shards.kept_of(model_of(tensors)) for tensors in range(1, 40)}
        self.assertGreater(len(several), 3)
        for tensors in range(1, 40):
            self.assertIn(shards.kept_of(model_of(tensors)), range(tensors))
        self.assertEqual(shards.kept_of(model_of(0)), 0)


class Said(unittest.TestCase):
    def test_is_accepted_where_every_file_is(self):
        files = [file_of("accept", ("shape-refused", "warning")), file_of("accept", ("shape-refused", "warning"))]
        self.assertEqual(shards.said_of({"files": files}),
                         {"errors": [], "warnings": ["shape-refused"], "accepted": True})

    def test_is_rejected_for_the_sake_of_any(self):
        files = [file_of("accept"), file_of("reject", ("tensor-role", "error"), ("key-unknown", "note"))]
        self.assertEqual(shards.said_of({"files": files}),
                         {"errors": ["tensor-role"], "warnings": [], "accepted": False})
        self.assertFalse(shards.said_of({"files": [file_of("undecided"), file_of("accept")]})["accepted"])


class RejectedInShardsAlone(unittest.TestCase):
    def alone(self, in_shards, whole=()):
        said = {"gate": {"errors": [], "accepted": True},
                "llama.cpp": {"errors": list(in_shards), "accepted": not in_shards}}
        return campaign.rejected_in_shards_alone(said, {"gate": {"errors": []}, "llama.cpp": {"errors": list(whole)}})

    def test_tells_the_rules_by_profile(self):
        self.assertEqual(self.alone(["tensor-role"]), {"llama.cpp": ["tensor-role"]})
        self.assertEqual(self.alone(["tensor-role"], whole=["tensor-role"]), {})
        self.assertEqual(self.alone([]), {})

    def test_excuses_that_a_first_shard_is_taken_to_have_experts(self):
        self.assertEqual(self.alone(["expert-gating"]), {})
        self.assertEqual(self.alone(["expert-gating", "tensor-role"]), {"llama.cpp": ["expert-gating", "tensor-role"]})


if __name__ == "__main__":
    unittest.main()
