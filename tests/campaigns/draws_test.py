"""The contents of models of draws.py and adapters.py."""

import os
import random
import sys
import unittest
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import learner  # pylint: disable=unused-import
import adapters
import company
import divides
import draws
import recorded
import unadapted
from gguf_file import Model, Tensor, Value


class Layers(unittest.TestCase):
    def test_arrays_go_on_from_their_beginning(self):
        model = Model({"x.block_count": Value("u32", 2), "x.attention.head_count": Value("[u32]", [4, 0]),
                       "x.rope.dimension_sections": Value("[u32]", [8, 8, 8, 8])}, [])
        made = draws.with_layers(model, "x", 5)
        self.assertEqual(made.keys["x.block_count"].value, 5)
        self.assertEqual(made.keys["x.attention.head_count"].value, [4, 0, 4, 0, 4])
        self.assertEqual(made.keys["x.rope.dimension_sections"].value, [8, 8, 8, 8])
        self.assertEqual(model.keys["x.attention.head_count"].value, [4, 0])


class Halves(unittest.TestCase):
    def halves(self, name, dims):
        a, b = adapters.halves(random.Random(1), Tensor(name, 0, dims))
        return a.dims, b.dims

    def test_fit_a_matrix(self):
        a, b = self.halves("blk.0.attn_q.weight", (64, 32))
        self.assertEqual((a[0], b[1], a[1]), (64, 32, b[0]))

    def test_have_a_part_for_each_expert(self):
        a, b = self.halves("blk.0.ffn_up_exps.weight", (64, 32, 4))
        self.assertEqual((a[2], b[2]), (4, 4))

    def test_of_tokens_stand_the_other_way_round(self):
        a, b = self.halves("token_embd.weight", (64, 300))
        self.assertEqual((a[1], b[1], a[0]), (300, 64, b[0]))


class Lines(unittest.TestCase):
    def test_one_for_each_name(self):
        self.assertEqual(list(recorded.lines_of(["key a,b u32 1 d", "used x y", "condition c,d aborts load"])),
                         ["key a u32 1 d", "key b u32 1 d", "used x y", "condition c aborts load", "condition d aborts load"])


class Company(unittest.TestCase):
    def test_a_weight_goes_with_its_scales(self):
        names = ("blk.0.ffn_up.weight", "blk.0.ffn_up.scale", "blk.1.ffn_up.scale", "blk.0.ffn_up_exps.weight")
        model = Model({}, [Tensor(name, 0, (1,)) for name in names])
        left = [tensor.name for tensor in company.without(model, {"blk.0.ffn_up.weight"}).tensors]
        self.assertEqual(left, ["blk.1.ffn_up.scale", "blk.0.ffn_up_exps.weight"])


class Running(unittest.TestCase):
    def test_adapters_are_for_models_that_run(self):
        class Lab:
            """One form runs, the other crashes."""

            def learned(self, _, form, kind=None):
                tensor = Tensor("blk.0.good.weight" if form else "blk.0.bad.weight", 0, (64, 32))
                return SimpleNamespace(model=Model({"general.architecture": Value("str", "x")}, [tensor]), required=[])

            learner = judge = runner = property(lambda self: self)

            def ask(self, contents, *_):
                return {"outcome": "died" if b"bad" in contents else "ran"}

        shop = draws.Shop(Lab(), "x", [False, True])
        self.assertEqual([model.tensors[0].name for model in shop.running], ["blk.0.good.weight"])
        self.assertIn("blk.0.good.weight", adapters.adapter(shop, random.Random(1))[0])
        self.assertIsNone(adapters.adapter(draws.Shop(Lab(), "x", [False]), random.Random(1)))

    def test_a_matrix_that_no_model_runs_an_adapter_for_is_unadapted(self):
        class Runner:
            """Crashes with an adapter for ffn_down, and for ffn_up in the first model only."""

            def ask(self, contents, options):
                with open(options.partition("adapter:")[2], "rb") as file:
                    halves = file.read()
                crashes = b"ffn_down" in halves or (b"ffn_up" in halves and b"first" in contents)
                return {"outcome": "died" if crashes else "ran"}

        def model(*names):
            return Model({"general.architecture": Value("str", "x")}, [Tensor(name, 0, (64, 32)) for name in names])

        names = ("token_embd.weight", "blk.0.ffn_down.weight", "blk.1.ffn_down.weight", "blk.0.ffn_up.weight")
        models = [model("first", *names), model(*names)]
        self.assertEqual(unadapted.lines(Runner(), "", models), ["unadapted blk.*.ffn_down.weight"])
        self.assertEqual(unadapted.lines(Runner(), "", models[:1], {"blk.0.ffn_up.weight"}), ["unadapted blk.*.ffn_down.weight"])

    def test_a_loader_divides_by_dimensions_if_no_rows_kill_it_at_load(self):
        class Runner:
            def __init__(self, stage, signal):
                self.answer = {"outcome": "died", "stage": stage, "signal": signal}

            def ask_model(self, model, _):
                empty = any(tensor.name == "blk.0.a.weight" and tensor.dims[1] == 0 for tensor in model.tensors)
                return self.answer if empty else {"outcome": "ran", "stage": "done", "signal": None}

        vector, matrix = Tensor("blk.0.b.weight", 0, (64,)), Tensor("blk.0.a.weight", 0, (64, 32))
        model = Model({"general.architecture": Value("str", "x")}, [vector, matrix])
        bare = Model(dict(model.keys), [vector])
        self.assertEqual(divides.lines(Runner("load", "SIGFPE"), "", [bare, model]), ["load divides-by-dimensions"])
        self.assertEqual(divides.lines(Runner("decode", "SIGFPE"), "", [model]), [])
        self.assertEqual(divides.lines(Runner("load", "SIGSEGV"), "", [model]), [])
        self.assertEqual(divides.lines(Runner("load", "SIGFPE"), "", [bare]), [])


if __name__ == "__main__":
    unittest.main()
