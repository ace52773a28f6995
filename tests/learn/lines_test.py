"""Lines of the table that require several changes together: the learner must find those of the table.

usage: lines_test.py BUILD, the folder of ask-llama, learn-llama and judge-models. Exit code 77: the reference is
missing.
"""

import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/learn"))

import extras
import fit
import learn
import main as learning
import recorded
import table
import together

IN_COMPANY = ("hy_v3", "qwen4exp", "qwen3next")
# One that requires tensors, one of experts, one that makes none, and one that requires none.
WITH_NEXT = ("glm4", "qwen35moe", "llama", "glm4moe")
CRASH_WITH_NEXT = {"glm4": "next-layers-all", "lfm2": "next-layers-nowhere"}
CONDITIONS = {"lfm2": {"heads-of-first", "even-convolution"}, "lfm2moe": {"heads-of-first", "even-convolution"},
              "jamba": {"heads-of-first"}, "kimi-linear": {"latent-joint", "latent-split"},
              "kimi-k3": {"latent-joint", "latent-split"}, "bailingmoe3": {"absorbed-key", "absorbed-heads"}, "nemotron_h": {"latent-experts"}, "nemotron_h_moe": {"latent-experts"},
              "plamo2": {"first-heads-none"}}
# Tensors of models with other values of keys, and that the loader wants with a dimension of 0.
OF_KEYS = {"llama": {"rope_factors_long.weight", "rope_factors_short.weight"},
           "gemma-embedding": {"dense_2.weight", "dense_3.weight"},
           "exaone4": {f"blk.#.nextn.{name}.weight" for name in ("eh_proj", "enorm", "hnorm", "shared_head_norm")}, "gemma3": set()}
SIZELESS = {"gemma3": "sought sizeless dense_2.weight dense_3.weight"}
# Conditions of odd rows that are rotated, which have silent damage; llama asserts before.
ROTATED = {"phi2": ["plain-part-odd"], "gemma2": ["window-plain-part-odd"], "llama": []}
OF_ROTATED = re.compile(r"(rope\.dimension_count|key_length|value_length|embedding_length)\S*=(1|3|33|66)\b")


def company_of(lab, architecture):
    """The lines "used" with three names."""
    quiet = learning.options_of(architecture, "no-text", "no-shift")
    models = [learned.model for _, learned in learning.forms_of(lab.learner, lab.runner, architecture)]
    explorer = extras.Explorer(lab, quiet)
    models += explorer.forms(models)
    return set(learning.company_lines(lab, explorer, quiet, models + explorer.exchanges))


def conditions_of(lab, architecture, slugs):
    """The conditions of a given set that the changes of together.py show, with the behaviour of the loader."""
    ended, ran = collections.defaultdict(set), set()
    for letter, learned in learning.forms_of(lab.learner, lab.runner, architecture):
        for name, model in together.changes(learned, lab.follow):
            seen = learning.observe(lab, architecture, letter, name, model)
            for slug in slugs & set(seen.broken if seen is not None else ()):
                if seen.bad:
                    ended[slug].add(" ".join(seen.ending()))
                elif seen.outcome == "ran":
                    ran.add(slug)
    return {f"condition {slug} {ending}" for slug, endings in ended.items() if slug not in ran for ending in endings}


def rotated_faults(lab):
    """Differences between the conditions of rotated rows and those that changes of widths show."""
    for architecture, wanted in ROTATED.items():
        seen = []
        for letter, learned in learning.forms_of(lab.learner, lab.runner, architecture)[:1]:
            for name, model in learning.key_changes(learned, {}, False):
                if OF_ROTATED.search(name):
                    seen.append(learning.observe(lab, architecture, letter, name, model, []))
        found = fit.rotated_rows([one for one in seen if one is not None])
        if found != wanted:
            yield f"{architecture}: rotated rows: {found}, expected {wanted}"


def keys_faults(lab):
    """Differences between the expected forms with other values of keys and those that the learner finds."""
    for architecture, wanted in OF_KEYS.items():
        explorer = extras.Explorer(lab, learning.options_of(architecture, "no-text", "no-shift"))
        found = learning.forms_of(lab.learner, lab.runner, architecture)
        more = [("x", learn.Learned(architecture, False, True, {}, model, found[0][1].keys, set()))
                for model in explorer.forms([learned.model for _, learned in found])]
        made = learning.forms_of_keys(explorer, found, more, learning.key_types(lab.runner, found[0][1]), [])
        fresh = set().union(*(learned.fresh for _, learned in made))
        if fresh != wanted:
            yield f"{architecture}: with other keys: {sorted(fresh)}, expected {sorted(wanted)}"
        tried = set().union(*(learned.patterns() for _, learned in found + more))
        lines = learning.unmeasured(explorer, [], tried, fresh)
        if SIZELESS.get(architecture, lines[0]) not in lines or any(line.startswith("sought unknown") for line in lines):
            yield f"{architecture}: {lines}"


def next_faults(lab, blocks):
    """What the learner finds of layers that predict further tokens, and the table lacks, or the reverse."""
    for architecture in WITH_NEXT:
        _, learned = learning.forms_of(lab.learner, lab.runner, architecture)[0]
        found = learning.next_layers.lines(lab.runner, learning.options_of(architecture, "no-text", "no-shift"), learned)
        wanted = [line for line in blocks[architecture] if line.startswith("next ")]
        if found != wanted:
            yield f"{architecture}: the table has {wanted}, learned {found}"
    for architecture, slug in CRASH_WITH_NEXT.items():
        seen = learning.sweep_next(lab, architecture, learning.forms_of(lab.learner, lab.runner, architecture))
        in_table = any(slug in line.split()[1].split(",") for line in blocks[architecture] if line.startswith("condition "))
        if not in_table or not any(slug in one.broken for one in seen):
            yield f"{architecture}: {slug} is {'' if in_table else 'not '}in the table; crashes seen: {len(seen)}"


def main():
    lab, failed = learning.Lab(sys.argv[1]), 0
    blocks = recorded.blocks_of(table.read(learning.TABLE))
    for architecture in IN_COMPANY + tuple(CONDITIONS):
        lines = recorded.lines_of(blocks[architecture])
        if architecture in IN_COMPANY:
            wanted = {line for line in lines if line.startswith("used ") and len(line.split()) == 4}
            found = company_of(lab, architecture)
        else:
            slugs = CONDITIONS[architecture]
            wanted = {line for line in lines if line.startswith("condition ") and line.split()[1] in slugs}
            # Some files also break another condition, and have another outcome.
            found = wanted & conditions_of(lab, architecture, slugs)
        if wanted != found or not wanted:
            failed = 1
            print(f"{architecture}: only in the table {sorted(wanted - found)}, only learned {sorted(found - wanted)}")
    for fault in [*rotated_faults(lab), *keys_faults(lab), *next_faults(lab, blocks)]:
        failed = 1
        print(fault)
    lab.close()
    return failed


if __name__ == "__main__":
    programs = [os.path.join(sys.argv[1], "oracles", name) for name in ("ask-llama", "learn-llama", "judge-models")]
    sys.exit(main() if all(map(os.path.exists, programs)) else 77)
