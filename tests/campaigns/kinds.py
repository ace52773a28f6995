"""Attacks llama.cpp with models drawn by kind (draws.py), and holds what became of them against what the gate said.

The promises are those of campaign.py. If profile `llama.cpp` accepts a file, it must run or be refused. If profile
`gate` accepts a file that does not run, it must give a warning. The models depend only on --seed, not on the number of
jobs. Kind `adapter` is in adapters.py.

Exit code: 0 no offence, 1 offences, 2 wrong usage.
"""

import collections
import multiprocessing
import os
import random
import re
import struct
import sys
import time

import learner  # pylint: disable=unused-import
import adapters
import arguments
import campaign
import draws
import main as learning

ALL = draws.KINDS | adapters.KINDS


def drawn(kind, shop, generator):
    """(text, trial) of one model; None if there is none, or if it cannot be written."""
    try:
        made = ALL[kind](shop, generator)
        if made is None:
            return None
        if kind in adapters.KINDS:
            return made[0], adapters.Trial(shop, *made[1:]), made[1]
        contents = made[1].bytes()
        return made[0], campaign.Trial(shop.lab, shop.architecture, made[1]), contents
    except (struct.error, AttributeError, TypeError, KeyError, ValueError, IndexError, ZeroDivisionError):
        return None


def keep(folder, kind, name, contents):
    path = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{kind}-{name}")[:120]
    with open(os.path.join(folder, path + ".gguf"), "wb") as file:
        file.write(contents)


def attack_architecture(job):
    architecture, forms, build, wish = job
    lab = campaign.Lab(build, wish.guard, wish.options, wish.shards)
    shop, told = draws.Shop(lab, architecture, forms), []
    tally = {kind: collections.Counter() for kind in wish.kind}
    for kind in wish.kind if shop.seeds else ():
        generator = random.Random(f"{wish.seed} {kind} {architecture}")
        for number in range(wish.each):
            one = drawn(kind, shop, generator)
            if one is None:
                tally[kind]["skipped"] += 1
                continue
            text, trial, contents = one
            campaign.count(trial, tally[kind])
            offence = trial.offence()
            if offence:
                told.append(f"{kind} {architecture} {text[:300]}\n    {offence}: {trial.outcome} {trial.where}")
                if wish.out:
                    keep(wish.out, kind, f"{architecture}-{number}", contents)
    lab.close()
    return architecture, tally, told


def main():
    at_least = arguments.at_least
    parser = arguments.parser_of("scripts/attack-models --kinds", __doc__.splitlines()[0])
    parser.add_argument("--each", type=at_least(1), default=20, help="models of each kind of an architecture (20)")
    parser.add_argument("--kind", action="append", choices=sorted(ALL), help="only this kind; several times for more")
    arguments.add_ways(parser)
    parser.add_argument("--out", help="folder for files that commit an offence")
    wish, forms = arguments.parse(parser)
    wish.kind = wish.kind or [kind for kind in ALL if not wish.shards or kind in draws.KINDS]
    if wish.out:
        os.makedirs(wish.out, exist_ok=True)
    jobs = [(one, forms[one], wish.build, wish) for one in wish.architecture or sorted(forms)]
    start, total, offences = time.monotonic(), collections.defaultdict(collections.Counter), 0
    with multiprocessing.Pool(wish.jobs) as pool:
        for done, (architecture, tally, lines) in enumerate(pool.imap(attack_architecture, jobs), 1):
            for kind, one in tally.items():
                total[kind] += one
            offences += len(lines)
            for line in lines:
                print(line, flush=True)
            print(f"{time.monotonic() - start:6.0f} s  {done} of {len(jobs)}: {architecture}, {offences} offences", file=sys.stderr)
    for kind in wish.kind:
        for profile in ("gate", "llama.cpp"):
            shown = ", ".join(f"{word} {total[kind][profile, word]}" for word in ("ran", "refused") + campaign.BAD)
            print(f"{kind:<10} {total[kind]['mutants']} models, {total[kind]['skipped']} could not be made, {profile:<9} accepted {total[kind][profile, 'accepted']}: {shown}")
    print(f"{offences} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
