"""Attacks llama.cpp with mutants of learned models, and holds what became of them against what the gate said.

A mutant has one or two changes (mutants.py). For changes of keys, half of the mutants include the tensors whose shapes
follow. If profile `llama.cpp` accepts a file, it must run or be refused. If profile `gate` accepts a file that does not
run, it must give a warning. A learned model must be accepted and run. Each offence is reported with the fewest changes.
The mutants depend only on --seed, not on the number of jobs.

With --sweep, the changes are a part of those from which the contracts were learned. Then the reverse is also checked:
both profiles must accept a file that runs. Rules of STRICTER reject some of these on purpose.

With --shards, each model is split into two files (shards.py). The gate checks the set, and the loader gets the first
file. If the set is rejected although the same model in one file is accepted, that is also an offence.

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
import arguments
import fit
import main as learning
import mutants
import recorded
import shards
import vocabularies
from asker import Server

BAD = ("died", "hung", "memory")
# Rules that reject models that run: a limit of the policy, values of a type or number that the loader converts or
# ignores, and widths that it rounds down (docs/contracts.md). For silent damage see Trial.
STRICTER = {"memory-demand", "hyperparameter-type", "per-layer-array-length", "head-count"}

# Rules that reject only shards, on purpose: other shards may have experts (HasExperts of LoaderParameters), so an
# unknown function to select experts is reported even if no tensor has any (hy_v3, step35).
STRICTER_IN_SHARDS = {"expert-gating"}

PROFILES = shards.PROFILES


def rejected_in_shards_alone(said, whole):
    """By profile, the rules that reject a set although the same model in one file is accepted; STRICTER_IN_SHARDS is
    allowed."""
    return {profile: said[profile]["errors"] for profile in PROFILES
            if not said[profile]["accepted"] and not whole[profile]["errors"]
            and set(said[profile]["errors"]) != STRICTER_IN_SHARDS}


class Lab:
    """The programs that are queried."""

    def __init__(self, build, guard, options, in_shards=False):
        self.options = options
        self.silent = recorded.silent_conditions(learning.table.read(learning.TABLE))
        self.shards = shards.Shards(os.path.join(build, "ggufgate")) if in_shards else None
        self.learner = Server(learning.program(build, "learn-llama"), headers_only=True)
        self.runner = Server(learning.program(build, "ask-llama"), *arguments.limits(guard))
        self.judge = Server(learning.program(build, "judge-models"), *learning.JUDGE)
        self._as_tabled = {}

    def learned(self, architecture, form, kind=None):
        """A form as the table has it: with other values if it is not sound without them, and without an optional tensor that
        makes the whole form crash (forms.py). A kind of vocabulary that the loader refuses has no model."""
        if (architecture, form) not in self._as_tabled:
            known = learning.OPTIONS.get(architecture)
            arguments, words = learning.forms.as_tabled(
                self.learner, self.runner, architecture, form,
                lambda model: not self.judge.ask(model.bytes())["llama.cpp"]["errors"],
                learning.forms.OPTIONS if known is None else (known,))
            self._as_tabled[architecture, form] = arguments
            if words is not None:  # another release may need options that the shipped one does not
                learning.OPTIONS[architecture] = words
        learned = learning.learn.learn(self.learner, architecture, *form, kind=kind, **self._as_tabled[architecture, form])
        if kind and learned.model is not None:
            answer = self.runner.ask(learned.model.bytes(), learning.options_of(architecture, self.options))
            if answer["outcome"] == "refused":
                learned.model = None
        return learned

    def close(self):
        for server in (self.learner, self.runner, self.judge):
            server.close()
        if self.shards is not None:
            self.shards.close()


class Trial:
    """One model: the findings of the gate, and the behaviour of the loader if a profile accepts it."""

    def __init__(self, lab, architecture, model, always=False):
        contents = model.bytes()
        whole = lab.judge.ask(contents)
        first, said = None, whole
        if lab.shards is not None:
            first, said = lab.shards.write(model), lab.shards.verdicts()
        self.accepted = {profile: said[profile].get("accepted", not said[profile]["errors"]) for profile in PROFILES}
        self.only_cut = {} if first is None else rejected_in_shards_alone(said, whole)
        # The findings of the gate on the model in one file.
        self.only_whole = [rule for rule in whole["llama.cpp"]["errors"] if rule not in said["llama.cpp"]["errors"]]
        self.errors = said["llama.cpp"]["errors"]
        self.silent = any((architecture, slug) in lab.silent for slug in whole["broken"])
        self.always = always
        self.warnings = said["gate"]["warnings"]
        self.outcome, self.where = "not run", ""
        if always or any(self.accepted.values()):
            options = learning.options_of(architecture, lab.options)
            answer = lab.runner.ask(contents, options) if first is None else lab.runner.ask_file(first, options)
            self.outcome = answer["outcome"]
            self.where = f"{answer['stage']} {answer['signal'] or ''}: {answer['message'][:200]}"

    def offence(self):
        """A violated promise of the gate, or None."""
        if self.only_cut:
            return "accepted in one file, and in shards " + ", ".join(
                f"rejected under {profile} by {', '.join(rules)}" for profile, rules in self.only_cut.items())
        if self.outcome not in BAD:
            alarm = self.always and self.outcome == "ran" and not self.silent and not set(self.errors) <= STRICTER
            return "ran, and is rejected by " + ", ".join(self.errors) if alarm else ""
        if self.where.startswith("shift ") and "context-unshiftable" in self.warnings:
            return ""  # there are published models; both profiles warn
        if self.accepted["llama.cpp"]:
            whole = ", in one file rejected by " + ", ".join(self.only_whole) if self.only_whole else ""
            return "accepted by profile llama.cpp" + whole
        if self.accepted["gate"] and not self.warnings:
            return "accepted by profile gate without a warning"
        return ""


def trial_of(lab, architecture, model):
    """The trial of a model; None if it cannot be written."""
    try:
        return Trial(lab, architecture, model)
    except (struct.error, AttributeError, TypeError, KeyError):
        return None


def mutant(lab, seed, many, follow):
    """A seed with some changes; optionally with the tensors that the loader then makes from its keys."""
    model = mutants.applied(seed.model, many)
    if not follow:
        return model
    try:
        return learning.learn.reshaped(model, lab.learner.ask(model.bytes()))
    except (struct.error, AttributeError, TypeError, KeyError):
        return model  # it cannot be written: trial_of() skips it


def fewest(lab, seed, many, follow, offence):
    """One of the changes alone, if it violates the same promise."""
    for one in many if len(many) > 1 else ():
        alone = trial_of(lab, seed.architecture, mutant(lab, seed, [one], follow))
        if alone is not None and alone.offence() == offence:
            return [one], alone
    return many, None


def count(trial, tally):
    tally["mutants"] += 1
    for profile, accepted in trial.accepted.items():
        if accepted:
            tally[profile, "accepted"] += 1
            tally[profile, trial.outcome] += 1


def attack(lab, seed, generator, tally, told):
    many = mutants.changes(generator, seed)
    follow = generator.random() < 0.5 and all(text.startswith(seed.architecture + ".") and "=" in text for text, _ in many)
    trial = trial_of(lab, seed.architecture, mutant(lab, seed, many, follow))
    if trial is None:
        return
    count(trial, tally)
    offence = trial.offence()
    if offence:
        kept, alone = fewest(lab, seed, many, follow, offence)
        changes = " & ".join(text for text, _ in kept) + (learning.FOLLOWED if follow else "")
        told.append(f"{seed.name} {changes}\n    {offence}: {(alone or trial).outcome} {(alone or trial).where}")


def seed_of(lab, architecture, form, generator):
    kind = generator.choice(sorted(vocabularies.KINDS)) if generator.random() < 0.25 else None
    seed = lab.learned(architecture, form, kind)
    return seed if seed.model is not None else None


def sweep_architecture(lab, architecture, forms, wish, tally, told):
    """One in --sweep of the changes from which the contract was learned."""
    types = None
    for form in forms:
        learned = lab.learned(architecture, form)
        if learned.model is None:  # another release may lack the architecture
            told.append(f"{architecture} {form}\n    no model of it loads")
            continue
        types = types or learning.key_types(lab.runner, learned)
        changes = list(learning.key_changes(learned, types, form != forms[0])) + list(learning.tensor_changes(learned))
        for name, model in changes:
            if random.Random(f"{wish.seed} {architecture} {form} {name}").randrange(wish.sweep) or fit.is_read_as_floats(architecture, name):
                continue
            trial = Trial(lab, architecture, model, always=True)
            if "=" in name and trial.outcome == "refused":
                follows = learning.with_its_tensors(lab, model, {"message": trial.where})
                if follows is not model:
                    name, trial = name + learning.FOLLOWED, Trial(lab, architecture, follows, always=True)
            count(trial, tally)
            offence = trial.offence()
            if offence:
                told.append(f"{learned.name} {name}\n    {offence}: {trial.outcome} {trial.where}")


def attack_architecture(job):
    architecture, forms, build, wish = job
    lab, tally, told = Lab(build, wish.guard, wish.options, wish.shards), collections.Counter(), []
    if wish.sweep:
        sweep_architecture(lab, architecture, forms, wish, tally, told)
    for form in forms if not wish.sweep else ():
        generator = random.Random(f"{wish.seed} {architecture} {form}")
        seed = None
        for index in range(wish.each):
            if index % 50 == 0:
                seed = seed_of(lab, architecture, form, generator) or seed
                if seed is None:
                    break
                whole = Trial(lab, architecture, seed.model)
                tally["seeds"] += 1
                if not all(whole.accepted.values()) or whole.outcome != "ran":
                    told.append(f"{seed.name}\n    learned, and not accepted: {whole.errors} {whole.outcome} {whole.where}")
            attack(lab, seed, generator, tally, told)
    lab.close()
    return architecture, tally, told


def main():
    at_least = arguments.at_least
    parser = arguments.parser_of("scripts/attack-models", __doc__.splitlines()[0])
    parser.add_argument("--each", type=at_least(1), default=20, help="mutants of each form of an architecture (20)")
    parser.add_argument("--sweep", type=at_least(1), default=0, metavar="N", help="instead: one in N of the changes of the sweep")
    arguments.add_ways(parser)
    wish, forms = arguments.parse(parser)
    jobs = [(one, forms[one], wish.build, wish) for one in wish.architecture or sorted(forms)]
    start, tally, told = time.monotonic(), collections.Counter(), {}
    with multiprocessing.Pool(wish.jobs) as pool:
        for done, (architecture, one, lines) in enumerate(pool.imap_unordered(attack_architecture, jobs), 1):
            tally += one
            told[architecture] = lines
            if lines or done % 10 == 0 or done == len(jobs):
                print(f"{time.monotonic() - start:6.0f} s  {done} of {len(jobs)} architectures, {tally['mutants']} mutants, "
                      f"{sum(map(len, told.values()))} offences", file=sys.stderr)
    for architecture in sorted(told):
        for line in told[architecture]:
            print(line)
    print(f"{tally['seeds']} learned models, {tally['mutants']} mutants")
    for profile in ("gate", "llama.cpp"):
        shown = ", ".join(f"{word} {tally[profile, word]}" for word in ("ran", "refused") + BAD)
        print(f"{profile:<10} accepted {tally[profile, 'accepted']}: {shown}")
    offences = sum(map(len, told.values()))
    print(f"{offences} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
