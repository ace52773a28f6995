"""Keys of which the number of the first layer counts for all layers, for invented loaders."""

import os
import sys
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/learn"))

import first_layer
from gguf_file import Model, Tensor, Value


def form(**keys):
    values = {"x.block_count": Value("u32", 3)}
    for name, value in keys.items():
        values[f"x.{name.replace('__', '.')}"] = Value("[u32]" if isinstance(value, list) else "u32", value)
    return types.SimpleNamespace(architecture="x", model=Model(values, []))


def loader(rows):
    """Makes a tensor per layer. rows(heads, heads_kv, layer): its rows; 0 if the layer has none."""
    def made_of(model):
        def numbers(name):
            value = model.keys["x." + name]
            return value.value if value.type == "[u32]" else [value.value] * 3
        heads, many = numbers("attention.head_count"), numbers("attention.head_count_kv")
        made = [Tensor(f"blk.{layer}.attn_q.weight", 0, (64, rows(heads, many, layer))) for layer in range(3)]
        return [tensor for tensor in made if tensor.dims[1]]
    return made_of


HYBRID = form(attention__head_count=[2, 0, 0], attention__head_count_kv=[1, 0, 0])


class FirstLayer(unittest.TestCase):
    def test_shapes_of_later_layers_decide(self):
        plain = form(attention__head_count=2, attention__head_count_kv=1)
        self.assertEqual(first_layer.lines(loader(lambda heads, many, layer: 8 * heads[0] * many[0]), [plain]),
                         ["first attention.head_count attention.head_count_kv"])
        self.assertEqual(first_layer.lines(loader(lambda heads, many, layer: 8 * heads[layer] * many[layer]), [plain]), [])

    def test_layers_without_attention_say_nothing_about_heads(self):
        self.assertEqual(first_layer.lines(loader(lambda heads, many, layer: many[layer] and 8 * heads[0]), [HYBRID]),
                         ["first attention.head_count attention.head_count_kv"])
        self.assertEqual(first_layer.lines(loader(lambda heads, many, layer: many[layer] and 8 * heads[layer]), [HYBRID]),
                         ["first attention.head_count_kv"])

    def test_a_form_with_other_shapes_is_enough_against_it(self):
        forms = [form(feed_forward_length=96), form(feed_forward_length=[0, 0, 96], expert_count=4)]
        def made_of(model):
            value = model.keys["x.feed_forward_length"].value
            return [Tensor("blk.2.ffn_up.weight", 0, (64, 8 if "x.expert_count" not in model.keys else value[2]))]
        self.assertEqual(first_layer.lines(made_of, forms[:1]), ["first feed_forward_length"])
        self.assertEqual(first_layer.lines(made_of, forms), [])


if __name__ == "__main__":
    unittest.main()
