"""Holds what the gate says of crashes against llama.cpp: where a message says that it aborts, crashes or hangs, it does.

Every file is a learned model with one change: each of its keys removed, then random changes (mutants.py), which depend
only on --seed. If profile `gate` rejects a file with such a message, the loader runs it. If the loader refuses the file
without harm, or runs it, the message was wrong: an offence. A message may also say "refuses the file or crashes". Then
only a file that runs is an offence. Files with silent damage may run.

Exit code: 0 no offence, 1 offences, 2 wrong usage.
"""

import collections
import multiprocessing
import random
import struct
import sys
import time

import learner  # pylint: disable=unused-import
import arguments
import main as learning
import mutants
from campaign import BAD, STRICTER, Lab


def single_changes(seed, generator, each):
    """(text, changed model): with each key removed, then with random changes."""
    for name in sorted(name for name in seed.model.keys if name != "general.architecture"):
        yield f"{name}=absent", seed.model.with_key(name, None)
    ways = [mutants.key_change] * 6 + [mutants.tensor_change] * 3 + [mutants.vocabulary_change]
    for _ in range(each):
        text, change = generator.choice(ways)(generator, seed)
        try:
            yield text, change(seed.model)
        except (struct.error, AttributeError, TypeError, KeyError):
            continue


def judge(lab, architecture, name, contents, tally, told):
    """Runs a file that is rejected with a message about a crash."""
    said = lab.judge.ask(contents)
    tally["files"] += 1
    if not said["gate"]["errors"]:
        return
    tally["rejected"] += 1
    claims, hedged = said["gate"]["claims"], said["gate"]["hedged"]
    if not claims and not hedged:
        return
    kind = "claims" if claims else "hedged"
    tally[kind] += 1
    answer = lab.runner.ask(contents, learning.options_of(architecture, lab.options))
    tally[kind, answer["outcome"]] += 1
    if answer["outcome"] in BAD or (answer["outcome"] == "refused" and not claims):
        return
    silent = any((architecture, slug) in lab.silent for slug in said["broken"])
    if answer["outcome"] == "ran" and (silent or set(claims + hedged) <= STRICTER):
        return
    told.append((tuple(claims + hedged), answer["outcome"], f"{name}\n    {', '.join(claims + hedged)}: {answer['outcome']} "
                 f"{answer['stage']}: {answer['message'][:200]}"))


def ask_architecture(job):
    architecture, forms, build, wish = job
    lab, tally, told, asked = Lab(build, False, wish.options), collections.Counter(), [], set()
    for form in forms:
        generator = random.Random(f"{wish.seed} claims {architecture} {form}")
        seed = lab.learned(architecture, form)
        if seed.model is None:
            continue
        for name, model in single_changes(seed, generator, wish.each):
            try:
                contents = model.bytes()
            except (struct.error, AttributeError, TypeError, KeyError):
                continue  # it cannot be written
            if contents in asked:
                continue
            asked.add(contents)
            judge(lab, architecture, f"{seed.name} {name}", contents, tally, told)
    lab.close()
    return tally, told


def main():
    at_least = arguments.at_least
    parser = arguments.parser_of("scripts/attack-models --claims", __doc__.splitlines()[0])
    parser.add_argument("--each", type=at_least(0), default=60, help="changes by chance of each form (60)")
    arguments.add_runs(parser)
    wish, forms = arguments.parse(parser)
    jobs = [(one, forms[one], wish.build, wish) for one in wish.architecture or sorted(forms)]
    start, tally, told = time.monotonic(), collections.Counter(), []
    with multiprocessing.Pool(wish.jobs) as pool:
        for done, (one, lines) in enumerate(pool.imap(ask_architecture, jobs), 1):
            tally += one
            told += lines
            for _, _, line in lines:
                print(line, flush=True)
            if done % 10 == 0 or done == len(jobs):
                print(f"{time.monotonic() - start:6.0f} s  {done} of {len(jobs)} architectures, {tally['rejected']} rejected, "
                      f"{len(told)} offences", file=sys.stderr)
    kinds = collections.Counter((", ".join(claims), outcome) for claims, outcome, _ in told)
    for (claims, outcome), count in kinds.most_common():
        print(f"{count:6} {outcome}: {claims}")
    print(f"{tally['files']} files, {tally['rejected']} rejected")
    for kind, words in (("claims", "crashes"), ("hedged", "refuses the file or crashes")):
        outcomes = ", ".join(f"{word} {tally[kind, word]}" for word in ("ran", "refused") + BAD)
        print(f"{tally[kind]} messages say \"{words}\": {outcomes}")
    print(f"{len(told)} offences")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
