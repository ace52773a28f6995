#!/usr/bin/env python3
"""Two programs must not see two models in one file: several readers are asked about every corpus file that the gate
accepts, then about mutants that it accepts, and what they saw is compared. Where they differ, a finding of the gate
must name it (explained.py). A reader that refuses a file sees no model, and is only counted.

usage: readers.py --gate GGUFGATE [--accepted N] [--seed N] [--corpus FOLDER] [--keep FOLDER]

  --accepted N     go on until so many files were accepted (default: 5000)
  --seed N         of the random numbers (default: another each time; it is printed)
  --keep FOLDER    copy files there that readers disagree on

Exit code: 0 all differences are named, 1 some are not, 2 wrong use, 77 no reader of others can be asked here.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import asking
import edits
import explained
import layout
import trial

SKIPPED = 77
BATCH = 300  # files per batch
LARGEST = 64 << 10  # bytes, of seeds and mutants: small files show all differences
SHOWN = 20
# The share of a batch that each mode of the mutator makes; edits.py makes the rest.
MODES = (("consistent", 0.25), ("generate", 0.1), ("semi", 0.1), ("raw", 0.05), ("reduce", 0.05))


def corpus_files(folder):
    return sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names
                  if name.endswith(".gguf"))


def models(paths):
    """The small files, parsed."""
    found = {}
    for path in paths:
        if os.path.getsize(path) <= LARGEST:
            with open(path, "rb") as file:
                found[path] = layout.Model(file.read())
    return found


def mutants(gate, seeds, seed, folder):
    """A batch of files, by path, with a text about the origin of each."""
    made, rng = {}, random.Random(seed)
    for number, (mode, share) in enumerate(MODES):
        lines = gate.mutate(mode, int(BATCH * share), seed * len(MODES) + number, os.path.join(folder, mode), LARGEST,
                            list(seeds))
        made |= {path: f"mutate --mode {mode} --seed {line['seed']}, of {line.get('from') or 'nothing'}: "
                       f"{', '.join(line['mutations'])}" for path, line in lines.items()}
    for number in range(BATCH - len(made)):
        seed_path = rng.choice(list(seeds))
        data, done = edits.edited(rng, seeds[seed_path])
        path = os.path.join(folder, f"edited-{number:06}.gguf")
        with open(path, "wb") as file:
            file.write(data)
        made[path] = f"edits of {os.path.basename(seed_path)}: {', '.join(done)}"
    return made


class Course:
    """The corpus, then batches of mutants until enough were accepted."""

    def __init__(self, options, folder, readers):
        self.options, self.folder, self.kept = options, folder, 0
        self.trial = trial.Trial(trial.Gate(options.gate, folder), readers)

    def keep(self):
        """Copies files on which readers disagree, before they are removed."""
        new, self.kept = self.trial.disagreements[self.kept:], len(self.trial.disagreements)
        if self.options.keep:
            os.makedirs(self.options.keep, exist_ok=True)
            for number, disagreement in enumerate(new, self.kept - len(new)):
                name = f"{number:05}-{os.path.basename(disagreement.path)}"
                shutil.copy(disagreement.path, os.path.join(self.options.keep, name))

    def check_tables(self):
        """A line of explained.py about an unknown rule would explain nothing, without notice."""
        rules = self.trial.gate.rules()
        for rule in set(explained.EXPLAINED) - rules:
            raise RuntimeError(f"explained.py: there is no rule {rule}")

    def run(self):
        self.check_tables()
        files = corpus_files(self.options.corpus)
        self.trial.examine({path: os.path.relpath(path, self.options.corpus) for path in files})
        self.keep()
        self.of_corpus, batch = self.trial.accepted, 0
        seeds = models(self.trial.gate.judge(files))
        while self.trial.accepted < self.options.accepted and seeds:
            at = os.path.join(self.folder, "batch")
            os.mkdir(at)
            self.trial.examine(mutants(self.trial.gate, seeds, self.options.seed * 1_000_000 + batch, at))
            self.keep()
            shutil.rmtree(at)
            batch += 1

    def tell(self, seconds):
        run = self.trial
        print(f"{run.accepted} files accepted, {self.of_corpus} of them of the corpus, {run.rejected} more rejected; "
              f"{run.compared} read by two readers or more; seed {self.options.seed}; {seconds:.0f} s")
        for name, outcomes in run.outcomes.items():
            print(f"  {name:15} " + ", ".join(f"{outcome} {count}" for outcome, count in sorted(outcomes.items())))
        for (name, words), files in sorted(run.refusals.items(), key=lambda refusal: -len(refusal[1]))[:SHOWN]:
            print(f"  {name} refuses {len(files)}: {words}; as {files[0]}")
        for path, origin, name, answer in run.misbehaved[:SHOWN]:
            print(f"  {name} {answer.outcome} ({answer.words}) of {os.path.basename(path)} ({origin})")
        for what, count in sorted(run.named.items()):
            print(f"  named {count}: {what}")
        for rule in sorted(set(explained.EXPLAINED) - {what.rpartition(" ")[2] for what in run.named}):
            print(f"  named nothing: {rule}")
        for (sort, found), cases in run.sorts()[:SHOWN]:
            disagreement, difference = cases[0]
            print(f"  NOT NAMED {len(cases)}: {sort}; found there: {found}\n    {os.path.basename(disagreement.path)} "
                  f"({disagreement.origin})\n    {difference}")
        print(f"{len(run.disagreements)} files in which readers see what differs, and no finding names it")


def parsed(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    parser.add_argument("--gate", required=True)
    parser.add_argument("--corpus", default=os.path.join(asking.ROOT, "corpus"))
    parser.add_argument("--accepted", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep")
    return parser.parse_args(arguments)


def main(arguments):
    options, began = parsed(arguments), time.monotonic()
    found = asking.readers(options.gate)
    for reader in found:
        print(f"{reader.name:15} " + (f"ABSENT: {reader.absent}" if reader.absent else reader.what))
    asked = [reader for reader in found if not reader.absent]
    if not any(isinstance(reader.asker, asking.Process) for reader in asked):
        print("skipped: no reader of others can be asked here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        course = Course(options, folder, asked)
        try:
            course.run()
        finally:
            for reader in asked:
                reader.asker.close()
    course.tell(time.monotonic() - began)
    return 1 if course.trial.disagreements else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
