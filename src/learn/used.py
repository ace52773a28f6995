"""Finds tensors that are optional for the loader but not for the graph. They may depend on the presence of others.

There are two ways. If a model of only the required tensors crashes the loader, the smallest set of optional ones is
searched with which it runs: each of those is used. If removing one tensor of a form crashes the loader, the result
names the tensor that must be present for it ("beside"). Without that one, the loader refuses the model or runs it.
Tensors that replace the absent one, from another form or the optional ones, follow after "|". If tensors with one name
have different meanings in different kinds of layers, random tries do not find that: CANDIDATES are tried for every
architecture that has them.
"""

import re

from fit import BAD
from sweep import pattern_of


# (the tensor and its replacements, the one that must be present), as in src/models/*.cpp of llama.cpp v0.5.0.
CANDIDATES = (
    ("blk.#.attn_qkv.weight|blk.#.ssm_in.weight", "blk.#.ssm_conv1d.weight"),
    ("blk.#.attn_gate.weight|blk.#.ssm_in.weight", "blk.#.ssm_conv1d.weight"),
    ("blk.#.attn_qkv.weight", "blk.#.ssm_conv1d.weight"),
    ("blk.#.attn_gate.weight", "blk.#.ssm_conv1d.weight"),
    ("blk.#.attn_qkv.weight|blk.#.attn_q.weight", "blk.#.attn_norm.weight"),
    ("blk.#.attn_qkv.weight|blk.#.attn_k.weight", "blk.#.attn_norm.weight"),
    ("blk.#.ssm_conv1d.bias", "blk.#.ssm_conv1d.weight"),
    ("blk.#.ffn_up_exps.weight|blk.#.ffn_gate_up_exps.weight", "blk.#.ffn_down_exps.weight"),
    ("blk.#.ffn_gate_exps.weight|blk.#.ffn_gate_up_exps.weight", "blk.#.ffn_down_exps.weight"),
    ("blk.#.ffn_down_exps.weight", "blk.#.ffn_gate_inp.weight"),
    ("blk.#.time_mix_lerp_fused.weight|blk.#.time_mix_lerp_w.weight", "blk.#.time_mix_w1.weight"),
    ("blk.#.time_mix_g1.weight", "blk.#.time_mix_w1.weight"),
    ("blk.#.time_mix_g2.weight", "blk.#.time_mix_w1.weight"),
    ("blk.#.indexer.proj.weight", "blk.#.indexer.attn_k.weight"),
    ("blk.#.indexer.attn_q_b.weight", "blk.#.indexer.attn_k.weight"),
    ("blk.#.indexer.attn_k.weight", "blk.#.indexer.attn_q_b.weight"),
)


def without(model, patterns):
    return model.with_tensors(lambda tensor: None if pattern_of(tensor.name) in patterns else tensor)


def _with(model, other, pattern):
    made = model.copy()
    made.tensors += [tensor for tensor in other.tensors if pattern_of(tensor.name) == pattern]
    return made


def _block(pattern):
    """The common prefix of the names of tensors in one layer."""
    return re.match(r"((?:enc\.|dec\.)?blk\.#\.)?", pattern)[0]


class _Form:
    def __init__(self, learned):
        self.model = learned.model
        self.patterns = list(dict.fromkeys(pattern_of(tensor.name) for tensor in learned.model.tensors))
        self.required = {pattern_of(name) for name in learned.required}
        self.experts = learned.experts

    def optional(self):
        return [one for one in self.patterns if one not in self.required]

    def near(self, pattern):
        """Other tensors of the same layer, or of none."""
        return [one for one in self.patterns if one != pattern and _block(one) == _block(pattern)]


def _beside(ask, form, others, absent):
    """The tensor that must be present: prefers required ones, and none of a form that runs without `absent`."""
    elsewhere = set().union(*(set(other.patterns) for other in others if absent not in other.patterns))
    for one in sorted(form.near(absent), key=lambda one: (one in elsewhere, one not in form.required)):
        if ask(without(form.model, {absent, one})) not in BAD:
            return one, one in elsewhere
    return None, False


def _stand_ins(ask, form, others, absent):
    """Tensors of forms without `absent` that make the model run."""
    found = []
    for other in others:
        for one in other.patterns if absent not in other.patterns else ():
            if one not in form.patterns and one not in found and _block(one) == _block(absent):
                # attn_qkv does not occur together with attn_q; it replaces all three.
                replaced = set(form.patterns) - set(other.patterns)
                if any(ask(_with(without(form.model, gone), other.model, one)) == "ran" for gone in ({absent}, replaced)):
                    found.append(one)
    return found


def _layers(ask, model, pattern):
    """The numbers of the layers that crash without the tensor; "*" for all of them."""
    if "#" not in pattern:
        return ["*"]
    members = [tensor.name for tensor in model.tensors if pattern_of(tensor.name) == pattern]
    dead = [name for name in members
            if ask(model.with_tensors(lambda tensor: None if tensor.name == name else tensor)) in BAD]
    return ["*"] if dead == members else [re.search(r"\.(\d+)\.", name)[1] for name in dead]


def _lines(ask, model, absent, stand_ins, beside):
    for layer in _layers(ask, model, absent):
        def shown(pattern):
            return pattern.replace("#", layer)
        yield f"used {'|'.join(map(shown, [absent] + stand_ins))} {shown(beside)}"


def _fewest(ask, form):
    """Lines of the optional tensors that a model needs to run although the loader does not require them."""
    if ask(without(form.model, set(form.optional()))) not in BAD:
        return
    left_out = set()
    for one in reversed(form.optional()):
        if ask(without(form.model, left_out | {one})) == "ran":
            left_out.add(one)
    least = without(form.model, left_out)
    for one in form.optional():
        if one in left_out or ask(without(least, {one})) not in BAD:
            continue
        stand_ins = [other for other in form.optional() if other in left_out and _block(other) == _block(one)
                     and ask(without(form.model, left_out - {other} | {one})) == "ran"]
        beside = next((other for other in form.near(one) if other in form.required), None)
        if beside is not None:
            yield from _lines(ask, least, one, stand_ins, beside)


def stem(pattern):
    return re.sub(r"\.(weight|bias|scale|input_scale)$", "", pattern) if not pattern.endswith("conv1d.bias") else pattern


def _bare(model, absent, beside):
    """The model without some tensors, in the layers or parts that have another one."""
    def part(name):
        return re.match(r"((?:enc\.|dec\.)?blk\.\d+\.)?", name)[0]
    parts = {part(tensor.name) for tensor in model.tensors if pattern_of(tensor.name) == beside}
    stems = {stem(one) for one in absent}  # with its bias and its scales, which would otherwise be unused
    return model.with_tensors(
        lambda tensor: None if stem(pattern_of(tensor.name)) in stems and part(tensor.name) in parts else tensor)


def _tried(ask, forms):
    """The candidates without which no form runs; of two equal ones, the one with more replacements."""
    proven = []
    for names, beside in CANDIDATES:
        absent = names.split("|")
        outcomes = [ask(_bare(form.model, absent, beside)) for form in forms
                    if beside in form.patterns and any(one in form.patterns for one in absent)]
        if any(one in BAD for one in outcomes) and "ran" not in outcomes:
            if not any(other.startswith(absent[0] + "|") and beside == at for other, at in proven):
                proven.append((names, beside))
    return {f"used {names} {beside}".replace("#", "*") for names, beside in proven}


def _is_said(line, lines):
    """Whether another line names the tensor, as the absent one or as a replacement."""
    first = line.split(" ")[1].split("|")[0]
    return any(other != line and first in other.split(" ")[1].split("|") for other in lines)


def lines(runner, options, forms, more, dead):
    """The lines "used" of one architecture. more: the forms of extras.py; dead: for each form, the patterns
    whose absence crashed the loader."""
    def ask(model):
        return runner.ask_model(model, options)["outcome"]
    made = [_Form(learned) for learned in forms + more]
    told = _tried(ask, made)
    for form, patterns in zip(made, dead):
        others = [one for one in made if one is not form]
        if form in made[:len(forms)]:
            told |= {line for line in _fewest(ask, form) if not _is_said(line, told)}
        for absent in patterns:
            beside, doubtful = _beside(ask, form, others, absent)
            stand_ins = _stand_ins(ask, form, others, absent) if beside else []
            # If a form runs without the one and with the other, the real reason was not found.
            if beside and (stand_ins or not doubtful):
                told |= {line for line in _lines(ask, form.model, absent, stand_ins, beside) if not _is_said(line, told)}
    return sorted(told)


def absent_in(change):
    """The pattern of a change that removed a tensor from all layers; None for other changes."""
    found = re.fullmatch(r"(\S+): absent", change)
    return found[1] if found and not re.search(r"\.\d+\.", found[1]) else None
