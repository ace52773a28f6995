"""Finds formulas for the dimensions of tensors: a number times up to three quantities of a model.

Each numeric key is changed alone, and set if it is absent; the loader then shows its shapes. A formula is kept if it
gives every shape of every layer in all these models; "?" means that there is none. Quantities are keys, with their
values for the layer, and the words of DERIVED.
"""

import collections
import itertools
import re
from fractions import Fraction

from gguf_file import Value
from sweep import pattern_of

MOST_FACTORS = 3
# If keys can change only together, several readings remain. All are listed, and one of them must fit.
MOST_READINGS = 4
# The value for an absent key: the loader accepts it as a width, and it is not a multiple of others.
TRIED = (48, 7)
# The last of block_count layers, as many as this key says, do not count for tensors outside of layers.
FURTHER = "nextn_predict_layers"


class Quantities:
    """The values that the loader reads from a model's keys, for one layer."""

    def __init__(self, model):
        self._keys = model.keys
        self._prefix = model.keys["general.architecture"].value + "."

    def at(self, name, layer, absent=0):
        value = self._keys.get(self._prefix + name)
        if value is None:
            return absent
        if not value.type.startswith("["):
            return value.value
        return value.value[layer] if layer < len(value.value) else absent

    def width(self, name):
        heads = self.at("attention.head_count", 0)
        return self.at(name, 0, self.at("embedding_length", 0) // heads) if heads else 0

    def kv_heads(self, layer):
        return self.at("attention.head_count_kv", layer, self.at("attention.head_count", layer))

    def layers(self):
        return self.at("block_count", 0) - self.at(FURTHER, 0)

    def is_latent(self):
        return all(self.at(f"attention.{part}_length_mla", 0) for part in ("key", "value"))

    def value(self, word, layer):
        return DERIVED[word](self, layer) if word in DERIVED else self.at(word, layer)


# src/check/rules/contract/tensors/shapes.cc has the same words.
DERIVED = {
    "layers": lambda q, layer: q.layers(),
    "tokens": lambda q, layer: len(q._keys["tokenizer.ggml.tokens"].value),
    "kv_heads": lambda q, layer: q.kv_heads(layer),
    "key_width": lambda q, layer: q.width("attention.key_length"),
    "value_width": lambda q, layer: q.width("attention.value_length"),
    "attention.key_length_mla": lambda q, layer: q.at("attention.key_length_mla", 0) if q.is_latent()
                                                 else q.width("attention.key_length"),
    "attention.value_length_mla": lambda q, layer: q.at("attention.value_length_mla", 0) if q.is_latent()
                                                   else q.width("attention.value_length"),
    "qkv_rows": lambda q, layer: (q.at("attention.head_count", layer) + q.kv_heads(layer)) * q.width("attention.key_length")
                                 + q.kv_heads(layer) * q.width("attention.value_length"),
    "embedding_and_kv_rows": lambda q, layer: q.at("embedding_length", layer)
                                              + 2 * q.kv_heads(layer) * q.width("attention.value_length"),
}
SUMS = ("qkv_rows", "embedding_and_kv_rows")
WIDTHS = ("attention.key_length", "attention.value_length", "embedding_length", "attention.head_count")
UNDER = {"layers": (FURTHER,), "kv_heads": ("attention.head_count_kv", "attention.head_count"), "key_width": WIDTHS, "value_width": WIDTHS,
         "qkv_rows": WIDTHS, "embedding_and_kv_rows": WIDTHS}


def _is_numbers(value):
    return value.type in ("u32", "[u32]")


def _doubled(value):
    if value.type == "u32":
        return Value("u32", 2 * value.value)
    return Value(value.type, [2 * one for one in value.value])


# Keys that determine others, so they are also changed together with them.
TOGETHER = (("embedding_length", "attention.head_count"),
            ("embedding_length", "attention.head_count", "attention.head_count_kv"),
            ("attention.head_count", "attention.head_count_kv"), ("embedding_length", "ssm.inner_size"))
# Loaders that compare them with the width of a head refuse most changes, so these models are also tried without them.
FIXED = ("rope.dimension_count", "rope.dimension_count_swa")


def _single_changes(learned, model):
    """(keys without the architecture, changed model): one numeric key doubled or set, or several doubled."""
    prefix = learned.architecture + "."
    for name in dict.fromkeys(list(model.keys) + list(learned.keys)):
        if not name.startswith(prefix) or name == prefix + "block_count":
            continue
        value, tail = model.keys.get(name), name.removeprefix(prefix)
        if value is None:
            for number in TRIED:
                yield (tail,), model.with_key(name, Value("u32", number))
        elif _is_numbers(value):
            yield (tail,), model.with_key(name, _doubled(value))
    yield (FURTHER,), model.with_key(prefix + FURTHER, Value("u32", 1))
    for tails in TOGETHER:
        made = model
        for tail in tails:
            value = model.keys.get(prefix + tail)
            if value is not None and _is_numbers(value):
                made = made.with_key(prefix + tail, _doubled(value))
        yield tails, made


def _changes(learned):
    """The same for the unchanged model and for the model without FIXED."""
    yield from _single_changes(learned, learned.model)
    free, prefix = learned.model, learned.architecture + "."
    for tail in FIXED:
        free = free.with_key(prefix + tail, None) if prefix + tail in free.keys else free
    if free is not learned.model:
        yield (), free
        yield from _single_changes(learned, free)


class _Sight:
    """One model: its quantities, and the shapes that the loader makes."""

    def __init__(self, keys, model, tensors):
        self.keys, self.quantities = keys, Quantities(model)
        self.dims = {tensor.name: tensor.dims for tensor in tensors}


def _layer(name):
    found = re.match(r"blk\.(\d+)\.", name)
    return int(found[1]) if found else 0


def _fits(words, scale, sights, members, place):
    for sight in sights:
        for name in members:
            dims = sight.dims.get(name)
            if dims is None:
                continue
            made = scale
            for word in words:
                made *= sight.quantities.value(word, _layer(name))
            if made != (dims[place] if place < len(dims) else 1):
                return False
    return True


def _scale(words, base, name, dim):
    product = 1
    for word in words:
        product *= base.quantities.value(word, _layer(name))
    return Fraction(dim, product) if product else None


def _text(words, scale):
    factors = ([str(scale.numerator)] if scale.numerator != 1 or not words else []) + list(words)
    return "*".join(factors) + (f"/{scale.denominator}" if scale.denominator != 1 else "")


def _formula(sights, members, place):
    """The shortest formula for one dimension of the tensors with one name."""
    base = sights[0]
    name = next(one for one in members if one in base.dims)
    dim = base.dims[name][place]
    moved = set()
    for sight in sights[1:]:
        if any(one in sight.dims and base.dims.get(one) not in (None, sight.dims[one]) for one in members):
            moved.update(sight.keys)
    # The number of tokens does not vary as a key; the tiny vocabularies have sizes that nothing else has.
    words = ["tokens"] + [word for word, keys in UNDER.items() if moved & set(keys)] + sorted(moved)
    words = [word for word in words if word not in SUMS or "attn_qkv" in name]
    for count in range(MOST_FACTORS + 1):
        found = []
        for chosen in itertools.combinations(words, count):
            if ("tokens" in chosen) != (dim == base.quantities.value("tokens", 0)):
                continue
            scale = _scale(chosen, base, name, dim)
            if not chosen and dim != 1:
                continue  # a constant dimension may depend on unchanged keys
            if scale and _fits(chosen, scale, sights, members, place):
                found.append(_text(chosen, scale))
        if found:
            return "|".join(found) if len(found) <= MOST_READINGS else "?"
    return "?"


def of_form(learned, look):
    """Pattern to formulas, for one form. look(model): the tensors that the loader makes, None if it does not."""
    sights = [_Sight((), learned.model, learned.model.tensors)]
    for keys, model in _changes(learned):
        tensors = look(model)
        if tensors is not None:
            sights.append(_Sight(keys, model, tensors))
    groups = collections.defaultdict(list)
    for tensor in learned.model.tensors:
        if learned.fresh is not None and pattern_of(tensor.name) not in learned.fresh:
            continue
        groups[pattern_of(tensor.name)].append(tensor.name)
    found = {}
    for pattern, members in groups.items():
        counts = {len(sights[0].dims[name]) for name in members}
        if len(counts) == 1:
            found[pattern] = ",".join(_formula(sights, members, place) for place in range(counts.pop()))
    return found


def _of_keys(text, keys):
    """Formulas, with "?" for those of a key that is not in `keys`: a block lacks the keys of its forms with other ones."""
    def is_known(formula):
        words = re.split(r"[*/|]", formula)
        return all(word in keys or word in DERIVED or word.isdigit() for word in words)
    return ",".join(formula if is_known(formula) else "?" for formula in text.split(","))


def lines(forms, free, keys):
    """The lines "shape" of one architecture: the formulas of all forms; no line if a form has a shape without one.
    Patterns in `free` ran with another number of rows: the loader reads it from the file, so no formula holds. keys: of
    the block, without the architecture."""
    merged = collections.defaultdict(dict)
    for found in forms:
        for pattern, text in found.items():
            text = _of_keys(text, keys)
            merged[pattern][re.sub("[^,]+$", "?", text) if pattern in free else text] = True
    told = collections.defaultdict(list)
    for pattern, texts in merged.items():
        for text in texts:
            if set(text) - set("?,"):
                told[text].append(pattern.replace("#", "*"))
    return [f"shape {text} " + " ".join(patterns) for text, patterns in told.items()
            if not any("?" == text for text in merged)]
