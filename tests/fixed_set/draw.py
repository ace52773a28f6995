#!/usr/bin/env python3
"""Draws the files of the fixed set (README.md).

usage: draw.py FOLDER    writes NAME.gguf into the folder, which must be empty

The files are models of each architecture in all its forms, and models by kind (tests/campaigns/draws.py). Of
those of a kind that break the same rules, two are taken. Needs build/release and the reference library.
"""

import collections
import multiprocessing
import os
import random
import re
import sys

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.append(os.path.join(TOP, "tests/campaigns"))

import campaign  # pylint: disable=wrong-import-position
import draws  # pylint: disable=wrong-import-position
import kinds  # pylint: disable=wrong-import-position
import main as learning  # pylint: disable=wrong-import-position
import recorded  # pylint: disable=wrong-import-position

SEED = "fixed set 1"
TRIES = 6             # of each kind
TWINS = 2             # files of a kind that break the same rules
MOST = 5              # files of an architecture, in addition to its forms
MOST_BYTES = 1_000_000  # of a file; the archive is kept in the tree


def candidates(shop, architecture):
    """(kind, contents) of models, the first of each kind before the second of any, in an order of the architecture."""
    for number in range(TRIES):
        for kind in random.Random(f"{SEED} {architecture} {number}").sample(sorted(draws.KINDS), len(draws.KINDS)):
            one = kinds.drawn(kind, shop, random.Random(f"{SEED} {kind} {architecture} {number}"))
            if one is not None:
                yield kind, one[2]


def draw(job):
    """[(name, contents)] of one architecture."""
    architecture, forms = job
    lab = campaign.Lab(os.path.join(TOP, "build/release"), guard=False, options="")
    shop = draws.Shop(lab, architecture, forms)
    made = [(f"form{number}", seed.model.bytes()) for number, seed in enumerate(shop.seeds)]
    seen, taken = collections.Counter(), collections.Counter()
    for kind, contents in candidates(shop, architecture) if shop.seeds else ():
        if sum(taken.values()) == MOST:
            break
        said = lab.judge.ask(contents)
        mark = kind, tuple(sorted(said["llama.cpp"]["errors"])), tuple(sorted(said["broken"]))
        if seen[mark] == TWINS or "memory-demand" in mark[1] or len(contents) > MOST_BYTES:
            continue
        seen[mark] += 1
        made.append((f"{kind}{taken[kind]}", contents))
        taken[kind] += 1
    lab.close()
    return [(f"{architecture}-{name}", contents) for name, contents in made if len(contents) <= MOST_BYTES]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        print(f"draw: {folder} is not empty", file=sys.stderr)
        return 2
    forms = recorded.forms_in(learning.table.read(learning.TABLE))
    count = 0
    with multiprocessing.Pool() as pool:
        for drawn in pool.imap_unordered(draw, sorted(forms.items())):
            for name, contents in drawn:
                with open(os.path.join(folder, re.sub(r"[^a-z0-9_.-]", "-", name) + ".gguf"), "wb") as file:
                    file.write(contents)
                count += 1
    print(f"{count} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
