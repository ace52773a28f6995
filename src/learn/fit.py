"""Finds the conditions of src/check/rules/contract/conditions that explain the results of a sweep, and the roles of
tensors.

A condition holds for an architecture if every change that breaks it crashed the loader or was refused, and at least one
crashed it. Of these conditions, the smallest set that explains all crashes is kept. If two explain the same, the weaker
one is kept: those of STRICT are stronger than similar ones.
"""

import collections
import os
import re

BAD = ("died", "hung", "memory")
STRICT = ("key-and-value-widths", "rotated-is-value-width", "window-rotated-is-width", "key-value-heads-per-layer",
          "one-key-value-head", "latent-key", "heads-per-layer", "window-widths", "used-experts-per-layer",
          "sections-beyond-width", "window-pattern-absent", "window-absent", "single-key-value-head",
          "next-layers-all", "first-key-value-heads-equal", "first-heads-none", "rotated-half-odd",
          "window-nowhere-at-all", "split-heads-equal", "window-width-is-width", "widths-of-embedding",
          "indexer-width-power", "width-odd", "few-key-value-heads", "window-value-width", "heads-of-embedding",
          "key-widths-below-embedding", "absorbed-key", "absorbed-heads", "experts-always", "next-expert-width")
ROLES = ("kernel", "convolution", "float", "word", "any")
# Damage that depends on the processor: seen with AVX-512 and a page after every block (ask-llama --guard). And crashes of
# forms that are tried only for other releases (forms.try_all): seen in v0.5.0 by hand.
SEEN_GUARDED = {("rwkv7", "wkv-head-size"): "corrupts decode", ("arwkv7", "wkv-head-size"): "corrupts decode",
                ("mpt", "positions-of-table"): "aborts decode", ("jina-bert-v2", "joined-key-norm"): "aborts context"}
# Conditions on the rows that are rotated. An odd row has silent damage: one number is written after the last row. The
# effect depends on the allocator (gemma2 and mimo2 crash on some such files), so ask-llama looks at the graph. A negative
# number of rotated numbers has silent damage before v0.4.0, where the copy begins before the row.
OF_ROTATED_ROWS = ("plain-part-odd", "window-plain-part-odd", "indexer-plain-part-odd", "rotated-negative",
                   "window-rotated-negative")


# Tensors that a kernel reads as floats regardless of the type, without a check. Other types of that size run. With
# narrower ones it silently reads past the tensor (ggml_compute_forward_rwkv_wkv6_f32 of ops.cpp, time_faaaa).
READ_AS_FLOATS = {"rwkv6": ("blk.*.time_mix_first.weight",)}


def is_read_as_floats(architecture, change):
    """Whether a change affects the type of such a tensor."""
    pattern = re.sub(r"(?<=\.)(\d+|#)(?=\.)", "*", change.rsplit(": ", 1)[0])
    return pattern in READ_AS_FLOATS.get(architecture, ())


class Seen:
    """One change of one model, and its outcome."""

    def __init__(self, architecture, base, change, answer, broken=(), rejected=False, odd_rows=None, model=None):
        self.architecture, self.base, self.change = architecture, base, change
        # Few users shift the memory of a context: a model that crashes only in a shift counts as running.
        self.shift = answer["outcome"] in BAD and answer["stage"] == "shift"
        self.outcome = "ran" if self.shift else answer["outcome"]
        self.stage, self.signal = answer["stage"], answer["signal"]
        self.message = answer["message"]
        self.broken = broken      # conditions
        self.rejected = rejected  # by a rule without contracts
        self.odd_rows = odd_rows  # whether odd rows are rotated; None: not asked
        self.model = model        # with other tensors than the form; else None

    @property
    def bad(self):
        return self.outcome in BAD

    def ending(self):
        stage = "embeddings" if self.stage.startswith("embedding") else self.stage
        if stage in ("logits", "sample", "state", "free-context", "done"):
            stage = "decode"
        if self.outcome == "hung":
            return "hangs", stage
        if self.outcome == "memory":
            return "exhausts", stage
        if self.signal == "SIGABRT":
            return "aborts", stage
        return ("crashes" if self.signal else "throws"), stage


def _text_in(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def condition_slugs(folder):
    """The slugs of all families in their order (families.def), with the strict ones last."""
    families = re.findall(r"^GGUFGATE_FAMILY\((\w+)\)", _text_in(folder, "families.def"), flags=re.MULTILINE)
    files = [re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower() + ".cc" for name in families]
    found = [slug for name in files for slug in re.findall(r'Condition\{\s*"([^"]+)"', _text_in(folder, "families", name))]
    if not set(STRICT) <= set(found):
        raise ValueError("strict, and no condition: " + " ".join(sorted(set(STRICT) - set(found))))
    return [one for one in found if one not in STRICT] + [one for one in found if one in STRICT]


def fewest(holds, slugs):
    """The smallest set of slugs that explains all crashes; each slug explains a set of them."""
    chosen, left = [], set().union(*holds.values()) if holds else set()
    while left:
        best = max(holds, key=lambda slug: (len(holds[slug] & left), -slugs.index(slug)))
        chosen.append(best)
        left -= holds[best]
    for slug in reversed(chosen[:]):
        others = [holds[other] for other in chosen if other != slug]
        if others and holds[slug] <= set().union(*others):
            chosen.remove(slug)
    return sorted(chosen, key=slugs.index)


def rotated_rows(seen):
    """The conditions on rotated rows that hold: every file that breaks them and decodes rotates odd rows."""
    found, never = collections.defaultdict(set), set()
    for one in seen:
        for slug in set(one.broken) & set(OF_ROTATED_ROWS):
            if one.odd_rows:
                found[slug].add((one.base, one.change))
            elif one.outcome == "ran" and one.odd_rows is not None:
                never.add(slug)
    return fewest({slug: changes for slug, changes in found.items() if slug not in never}, list(OF_ROTATED_ROWS))


def conditions(seen, slugs):
    """The condition lines of one architecture, and the crashes that they do not explain."""
    bad, ran, endings = collections.defaultdict(set), set(), collections.defaultdict(collections.Counter)
    for one in seen:
        for slug in one.broken:
            if one.bad:
                bad[slug].add((one.base, one.change))
                endings[slug][one.ending()] += 1
            elif one.outcome == "ran":
                ran.add(slug)
    architecture = seen[0].architecture if seen else ""
    # An out-of-bounds write crashes in some runs and not in others. A condition without runs is an ordinary one.
    guarded = {slug: ending for (name, slug), ending in SEEN_GUARDED.items() if name == architecture}
    guarded |= {slug: "corrupts decode" for slug in rotated_rows(seen) if slug in ran}
    holds = {slug: deaths for slug, deaths in bad.items()
             if slug not in ran and slug not in guarded}
    chosen = fewest(holds, slugs)
    lines = []
    for slug in chosen:
        # Later stages than the load show more: models that lack tensors are refused before.
        (ending, stage), _ = max(endings[slug].items(), key=lambda item: (item[0][1] != "load", item[0][0] != "exhausts",
                                                                         item[1], item[0]))
        lines.append(f"condition {slug} {ending} {stage}")
    lines += [f"condition {slug} {ending}" for slug, ending in guarded.items()]
    explained = set().union(*(bad[slug] for slug in [*chosen, *guarded]))
    unexplained = [one for one in seen if one.bad and not one.rejected and (one.base, one.change) not in explained]
    more, rest = shift_conditions([one for one in seen if not {*chosen, *guarded} & set(one.broken)], slugs)
    return lines + more, unexplained + rest


def shift_conditions(seen, slugs):
    """The same for crashes in a shift of the context's memory, and nowhere else."""
    deaths, ran = collections.defaultdict(set), set()
    for one in seen:
        for slug in one.broken:
            if one.shift:
                deaths[slug].add((one.base, one.change))
            elif one.outcome == "ran":
                ran.add(slug)
    chosen = fewest({slug: found for slug, found in deaths.items() if slug not in ran}, slugs)
    explained = set().union(*(deaths[slug] for slug in chosen))
    return ([f"condition {slug} aborts shift" for slug in chosen],
            [one for one in seen if one.shift and not one.rejected and (one.base, one.change) not in explained])


def role(outcomes):
    """The word for a tensor's role, from the outcomes of its types; None: any type runs."""
    if outcomes.get("F16") in BAD:
        return "word" if outcomes.get("I32") == "ran" else "float"
    if outcomes.get("BF16") in BAD:
        return "convolution"
    if any(outcomes.get(word) in BAD for word in ("I16", "I32", "F64", "Q8_1")):
        return "kernel"
    return None


def roles(seen, tried):
    """The role lines of one architecture. seen: outcomes of changes "PATTERN: TYPE"; tried: the patterns of all
    forms."""
    outcomes, scaled = collections.defaultdict(dict), set()
    for one in seen:
        pattern, word = one.change.rsplit(": ", 1)
        pattern = re.sub(r"(?<=\.)(\d+|#)(?=\.)", "*", pattern)
        if word == "NVFP4" and one.bad:
            scaled.add(pattern)
        # If two forms differ, one does not use the tensor.
        if word != "absent" and (word not in outcomes[pattern] or one.bad):
            outcomes[pattern][word] = one.outcome
    named = collections.defaultdict(list)
    for pattern, found in outcomes.items():
        word = "word" if is_read_as_floats(seen[0].architecture, f"{pattern}: ") else role(found)
        if word is not None:
            named[word].append(pattern)
        if word in ("float", "convolution", "word"):
            scaled.discard(pattern)
    # In the tiny models, a row of ffn_down is not a whole number of blocks. The same assertion applies to it (llama-
    # graph.cpp, build_ffn).
    scaled |= {one.replace("ffn_up.", "ffn_down.") for one in scaled if one.replace("ffn_up.", "ffn_down.") in outcomes}
    told = set().union(*named.values())
    named["any"] = [pattern for pattern in (one.replace("#", "*") for one in tried) if pattern not in told]
    lines = ["scaled " + " ".join(sorted(scaled))] if scaled else []
    return lines + [f"role {word} " + " ".join(sorted(named[word])) for word in ROLES if named[word]]
