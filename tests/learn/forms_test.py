"""Forms of an invented architecture: which of them run, with which options, and without which tensor."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/learn"))

import forms
import messages
import recipes
from gguf_file import Model, Tensor

REQUIRED = ["blk.0.a.weight", "blk.1.a.weight"]
OPTIONAL = ["blk.0.b.weight", "blk.1.b.weight", "blk.0.c.weight", "blk.1.c.weight"]


class Learner:
    """Builds the required tensors, and the optional ones that a file has."""

    def ask_model(self, model):
        have = [tensor.name for tensor in model.tensors]
        made = REQUIRED + [name for name in OPTIONAL if name in have]
        return {"outcome": "built", "signal": None, "message": "",
                "keys": [{"key": "x.block_count", "type": "u32"}],
                "tensors_sought": [{"name": name} for name in OPTIONAL],
                "tensors": [{"name": name, "type": "f32", "dims": [4, 1, 1, 1]} for name in made]}


class Runner:
    """crashes(contents, options): whether the loader crashes."""

    def __init__(self, crashes):
        self.crashes = crashes

    def ask_model(self, model, options):
        if self.crashes(model.bytes(), options):
            return {"outcome": "died", "signal": "SIGSEGV", "stage": "decode", "message": "", "decoded": False}
        return {"outcome": "ran", "signal": None, "stage": "done", "message": "", "decoded": True}


class Messages(unittest.TestCase):
    WANTED = {"a": (4, 2), "b": (3,)}

    def ask(self, model):
        have = {tensor.name: tensor.dims for tensor in model.tensors}
        for name, dims in self.WANTED.items():
            if name not in have:
                return {"outcome": "refused", "message": f"tensor '{name}' not found"}
            if have[name] != dims:
                shown = ", ".join(f"{dim:6}" for dim in dims)
                return {"outcome": "refused", "message": f"tensor '{name}' has wrong shape; expected {shown}, got 1, 1, 1, 1"}
        return {"outcome": "ran", "message": ""}

    def test_a_model_gets_the_tensors_and_shapes_that_the_loader_asks_for(self):
        made, added, answer = messages.completed(self.ask, Model(), ())
        self.assertEqual({tensor.name: tensor.dims for tensor in made.tensors}, self.WANTED)
        self.assertEqual((added, answer["outcome"]), (["a", "b"], "ran"))

    def test_a_tensor_that_was_there_keeps_its_shape(self):
        made, added, answer = messages.completed(self.ask, Model({}, [Tensor("a", 0, (1,))]), ())
        self.assertEqual((made.tensors[0].dims, added, messages.expected(answer)), ((1,), [], ("a", (4, 2))))

    def test_a_dimension_of_zero_ends_it(self):
        self.WANTED = {"a": (4, 0)}
        _, added, answer = messages.completed(self.ask, Model(), ())
        self.assertEqual((added, answer["outcome"]), (["a"], "refused"))


class Forms(unittest.TestCase):
    def tried(self, crashes):
        attempts, options = forms.try_all(Learner(), Runner(crashes), "x")
        runs = {letter: {tensor.name for tensor in learned.model.tensors} for letter, learned in forms.running(attempts)}
        return runs, options, forms.dropped(attempts)

    def test_each_set_of_tensors_counts_once(self):
        runs, options, dropped = self.tried(lambda contents, options: False)
        self.assertEqual(runs, {"d": set(REQUIRED), "D": set(REQUIRED + OPTIONAL)})
        self.assertEqual((options, dropped), ("", []))

    def test_an_ability_that_all_forms_lack_is_an_option(self):
        runs, options, _ = self.tried(lambda contents, options: "no-shift" not in options)
        self.assertEqual((sorted(runs), options), (["D", "d"], "no-shift"))
        _, options, dropped = self.tried(lambda contents, options: b"blk.0.b" in contents and "no-shift" not in options)
        self.assertEqual((options, [one.letter for one in dropped]), ("", ["D"]))

    def test_a_crash_with_an_optional_tensor_is_tried_without_it(self):
        runs, _, dropped = self.tried(lambda contents, options: b"blk.0.b" in contents)
        self.assertEqual(runs, {"d": set(REQUIRED), "D": set(REQUIRED + OPTIONAL) - {"blk.0.b.weight", "blk.1.b.weight"}})
        self.assertEqual([one.reason() for one in dropped], ["decode, SIGSEGV"])

    def test_a_start_model_lacks_the_tensor_that_crashes(self):
        def gone(form, crashes):
            return forms.as_tabled(Learner(), Runner(crashes), "x", form, lambda model: True)[0].get("without", set())
        whole, plain = (False, True), (False, False)
        self.assertEqual(gone(whole, lambda contents, options: b"blk.0.b" in contents), {"blk.#.b.weight"})
        self.assertEqual(gone(whole, lambda contents, options: False), set())
        self.assertEqual(gone(whole, lambda contents, options: True), set())
        self.assertEqual(gone(plain, lambda contents, options: True), set())

    def test_a_start_model_that_the_gate_rejects_gets_other_values(self):
        def changes(accepts):
            return forms.as_tabled(Learner(), Runner(lambda contents, options: "no-shift" not in options), "x", (False, False),
                                   accepts)
        answers = iter((False, True))
        self.assertEqual(changes(lambda model: next(answers)), ({"changes": recipes.ALTERNATIVES[0]}, "no-shift"))
        self.assertEqual(changes(lambda model: True), ({"changes": None}, "no-shift"))
        self.assertEqual(changes(lambda model: False), ({}, None))

    def test_if_no_form_runs_each_optional_tensor_is_left_out(self):
        def crashes(contents, _):
            return b"blk.0.b" not in contents or b"blk.1.b" in contents
        runs, _, dropped = self.tried(crashes)
        self.assertEqual(runs, {"D": set(REQUIRED + OPTIONAL) - {"blk.1.b.weight"}})
        self.assertEqual([one.letter for one in dropped], ["d", "D"])


if __name__ == "__main__":
    unittest.main()
