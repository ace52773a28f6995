"""Random models by kind, beyond the one or two changes of the campaign (mutants.py).

A kind is a function of a shop, which has the models of one architecture, and of a random generator. It returns a short
text and a model, or None if the architecture has no such model. KINDS lists them.
"""

import os
import sys
from dataclasses import replace

import learner  # pylint: disable=unused-import
import extras
import learn
import main as learning
import mutants
import next_layers
import vocabularies
from gguf_file import TYPE_OF, TYPES, Value
from sweep import pattern_of

sys.path.append(os.path.join(learning.ROOT, "tests/published"))
import mixes  # pylint: disable=wrong-import-position

MOST_LAYERS = 64
HOW_MANY_KEYS = (1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7)  # with more, fewer files are accepted


class Shop:
    """The models of one architecture: those of its forms and, on demand, further forms that run."""

    def __init__(self, lab, architecture, forms):
        self.lab, self.architecture, self._forms = lab, architecture, forms
        self.seeds = [one for one in (lab.learned(architecture, form) for form in forms) if one.model is not None]
        self._explorer = extras.Explorer(lab, learning.options_of(architecture, "no-text", "no-shift"))
        self._kept = {}

    def kept(self, key, make):
        """The result of `make`, computed once."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    @property
    def models(self):
        first = [seed.model for seed in self.seeds]
        return self.kept("models", lambda: first + self._explorer.forms(first))

    @property
    def running(self):
        """The learned models that the loader runs: with another one, an adapter would be blamed for the model's crash."""
        options = learning.options_of(self.architecture, "no-text")
        return self.kept("running", lambda: [
            seed.model for seed in self.seeds if self.lab.runner.ask(seed.model.bytes(), options)["outcome"] == "ran"])

    @property
    def required(self):
        """Names without which no form loads."""
        return set.intersection(*(set(seed.required) for seed in self.seeds))

    def sought(self, index):
        """Names, by pattern, that the loader looks up in one of the models without finding them."""
        return self.kept(("sought", index), lambda: self._explorer.sought(self.models[index]))

    def built(self, index, names):
        """One of the models with these tensors added; None if the loader does not create them."""
        return self.kept(("built", index, names), lambda: self._explorer.built(self.models[index], names))

    def exchanges(self):
        """(new patterns, model) of models in which other tensors that the loader looks up replace some."""
        return self.kept("exchanges", lambda: [
            ({pattern_of(tensor.name) for tensor in made.tensors} - {pattern_of(tensor.name) for tensor in model.tensors}, made)
            for model in self.models for made in self._explorer.exchanged(model, any_outcome=True)])

    def seed_with(self, kind, form):
        """A learned model with another vocabulary; None if the loader does not build it."""
        return self.kept((kind, form), lambda: self.lab.learned(self.architecture, form, kind).model)

    def follow(self, model):
        """The model with the tensors that the loader makes from its keys."""
        return learn.reshaped(model, self.lab.learner.ask(model.bytes()))

    def any_form(self, random):
        return random.choice(self._forms)


def _retyped(random, model, meant, dims):
    """(text, model) with tensors of any type whose rows are whole numbers of blocks."""
    number = random.choice([one for one in TYPES if dims[0] % TYPES[one][1] == 0])
    return TYPES[number][0], model.with_tensors(lambda t: replace(t, type=number) if meant(t) else t)


def _some(random, model, patterns):
    """(text, which): all tensors of one of these patterns, or one of them."""
    chosen = random.choice([tensor for tensor in model.tensors if pattern_of(tensor.name) in patterns])
    if random.random() < 0.5:
        return chosen, chosen.name, lambda tensor: tensor.name == chosen.name
    pattern = pattern_of(chosen.name)
    return chosen, pattern, lambda tensor: pattern_of(tensor.name) == pattern


def added(shop, random):
    """A tensor of any type that the loader looks up without finding it."""
    index = random.randrange(len(shop.models))
    sought = shop.sought(index)
    if not sought:
        return None
    names = sought[random.choice(sorted(sought))]
    names = names if random.random() < 0.7 else (random.choice(names),)
    made = shop.built(index, names)
    if made is None:
        return None
    dims = next(tensor.dims for tensor in made.tensors if tensor.name in names)
    word, model = _retyped(random, made, lambda tensor: tensor.name in names, dims)
    return f"added {' '.join(names)}: {word}", model


def exchanged(shop, random):
    """Tensors that replace others, one of them missing or of another type."""
    if not shop.exchanges():
        return None
    new, model = random.choice(shop.exchanges())
    some = new if new and random.random() < 0.8 else {pattern_of(tensor.name) for tensor in model.tensors}
    chosen, text, meant = _some(random, model, some)
    told = f"with {' '.join(sorted(new))}"
    if random.random() < 0.4:
        return f"{told} & {text}: absent", model.with_tensors(lambda t: None if meant(t) else t)
    word, made = _retyped(random, model, meant, chosen.dims)
    return f"{told} & {text}: {word}", made


def typed(shop, random):
    """A tensor of any form in any type."""
    model = random.choice(shop.models)
    if not model.tensors:
        return None
    chosen, text, meant = _some(random, model, {pattern_of(tensor.name) for tensor in model.tensors})
    word, made = _retyped(random, model, meant, chosen.dims)
    return f"{text}: {word}", made


def subset(shop, random):
    """Some of the tensors that are optional for the loader."""
    model, share = random.choice(shop.models), random.random()
    gone = {pattern for pattern in {pattern_of(tensor.name) for tensor in model.tensors} if random.random() < share}
    lone = {tensor.name for tensor in model.tensors if random.random() < 0.3 * share} if random.random() < 0.4 else set()
    left = [tensor.name for tensor in model.tensors if tensor.name not in shop.required
            and (pattern_of(tensor.name) in gone or tensor.name in lone)]
    if not left:
        return None
    return f"without {' '.join(left)}", model.with_tensors(lambda tensor: None if tensor.name in left else tensor)


def with_layers(model, architecture, layers):
    """The model with another number of layers. Arrays with one number per layer are repeated from their beginning."""
    key = f"{architecture}.block_count"
    old = model.keys[key].value
    made = model.with_key(key, Value("u32", layers))
    for name, value in model.keys.items():
        if value.type.startswith("[") and name.startswith(architecture + ".") and len(value.value) == old:
            made.keys[name] = Value(value.type, [value.value[i % old] for i in range(layers)])
    return made


def keys(shop, random):
    """Changes one to seven keys together, with up to 64 layers; the tensors follow."""
    seed = random.choice(shop.seeds)
    many = [mutants.key_change(random, seed) for _ in range(random.choice(HOW_MANY_KEYS))]
    layers = random.randint(1, MOST_LAYERS) if random.random() < 0.5 else None
    model = mutants.applied(seed.model, many)
    text = " & ".join(text for text, _ in many)
    count = model.keys.get(f"{shop.architecture}.block_count")
    if layers and count is not None and isinstance(count.value, int) and 0 < count.value <= MOST_LAYERS:
        model, text = with_layers(model, shop.architecture, layers), f"{text} & {layers} layers"
    return text, shop.follow(model)


# Keys that a loader may read per layer (llama_model_base::load_hparams of llama.cpp v0.5.0).
PER_LAYER = ("attention.head_count", "attention.head_count_kv", "feed_forward_length", "attention.sliding_window_pattern",
             "attention.recurrent_layers", "attention.rope_pattern", "attention.compress_ratios", "attention.indexer.types",
             "expert_used_count", "swiglu_clamp_exp", "swiglu_clamp_shexp")


def hybrid(shop, random):
    """Layers with different heads, networks or windows; the tensors follow."""
    seed, architecture = random.choice(shop.seeds), shop.architecture
    prefix = architecture + "."
    asked = [name for name in PER_LAYER if prefix + name in seed.keys or prefix + name in seed.model.keys]
    if not asked:
        return None
    layers = random.choice([2, 2, 3, 3, 4, 5, 6, 8, 12])
    model, told = with_layers(seed.model, architecture, layers), [f"{layers} layers"]
    for name in random.sample(asked, min(len(asked), random.randint(1, 3))):
        value = seed.model.keys.get(prefix + name, Value("u32", 1))
        old = value.value[0] if value.type.startswith("[") and value.value else value.value
        old = old if isinstance(old, (int, float)) and not isinstance(value.value, str) else 1
        few = [0, 1, old, 2 * old, old // 2 if isinstance(old, int) else old / 2, 2, 4]
        kind = "f32" if isinstance(old, float) else "bool" if isinstance(old, bool) else "u32"
        few = [{"f32": float, "bool": bool, "u32": int}[kind](one) for one in random.sample(few, 3)]
        made = Value(f"[{kind}]", [random.choice(few) for _ in range(layers)])
        model = model.with_key(prefix + name, made)
        told.append(f"{name}={made.value}")
    return " & ".join(told), shop.follow(model)


def mix(shop, random):
    """A mixture of types as from a quantiser, on wider models."""
    seed, prefix = random.choice(shop.seeds), shop.architecture + "."
    model, factor = seed.model, random.choice([1, 2, 4, 4])
    for name in ("embedding_length", "feed_forward_length", "expert_feed_forward_length", "attention.head_count",
                 "attention.head_count_kv", "ssm.inner_size"):
        value = model.keys.get(prefix + name)
        if value is not None and value.type == "u32" and random.random() < 0.9:
            model = model.with_key(prefix + name, Value("u32", value.value * factor))
    model = shop.follow(model)
    word, tied = random.choice(sorted(mixes.MIXES)), all(tensor.name != "output.weight" for tensor in model.tensors)
    layers = model.keys[prefix + "block_count"].value
    return f"{word} of {factor} times the width", model.with_tensors(
        lambda t: replace(t, type=TYPE_OF[mixes.type_of(word, t.name, t.dims, layers, tied)]))


def predicting(shop, random):
    """Layers that predict further tokens, with the tensors that the loader requires in them, all but one, or those of
    other layers."""
    seed, key = random.choice(shop.seeds), shop.architecture + ".nextn_predict_layers"
    layers = random.randint(1, 4)
    further = random.randint(1, layers + random.randint(0, 1))
    model = shop.follow(with_layers(seed.model, shop.architecture, layers)).with_key(key, Value("u32", further))
    text = f"{layers} layers & nextn_predict_layers={further}"
    way = random.random()
    if way < 0.2:
        return f"{text} & layers like the others", model
    options = learning.options_of(shop.architecture, "no-text", "no-shift")
    made, names, _ = next_layers.completed(lambda one: shop.lab.runner.ask(one.bytes(), options), model, max(layers - further, 0))
    if names and way < 0.4:
        gone = random.choice(names)
        return f"{text} & {gone}: absent", made.with_tensors(lambda tensor: None if tensor.name == gone else tensor)
    return text, made


def _with_model(seed, model):
    """A seed with another model."""
    return learn.Learned(seed.architecture, seed.experts, seed.everything, seed.answer, model, seed.keys, seed.required)


def vocabulary(shop, random):
    """A vocabulary of any kind with several faults."""
    form = shop.any_form(random)
    kind = random.choice(sorted(vocabularies.KINDS))
    model = shop.seed_with(kind, form)
    if model is None:
        return None
    seed = _with_model(shop.seeds[0], model)
    many = [mutants.vocabulary_change(random, seed) for _ in range(random.randint(2, 6))]
    return f"{kind} & " + " & ".join(text for text, _ in many), mutants.applied(model, many)


KINDS = {"added": added, "exchanged": exchanged, "typed": typed, "subset": subset, "keys": keys, "hybrid": hybrid, "mix": mix,
         "vocabulary": vocabulary, "predicting": predicting}
