"""Attacks llama.cpp with mutants of learned models and no gate before it, and tells which conditions of the table are
found again, after how much time of one processor.

A mutant has one change, sometimes two: of a key (with or without the shapes that the loader then makes), of a tensor,
or of the vocabulary. Values are random and depend only on the type (blind.py). A mutant that crashes, hangs or takes
too much memory is reduced to one change if possible. Its cause is the only recorded condition of the architecture that
the file breaks, or the only line of the table that the change of a tensor violates. A mutant that breaks several has no
cause. Other findings are grouped by rule of the gate, key, ending and stage.

The mutants depend only on --seed; the times of discovery also depend on the machine.
"""

import json
import os
import random
import re
import struct
import sys
import time

import learner  # pylint: disable=unused-import
import arguments
import blind
import fit
import main as learning
import recorded
from asker import Server


AT_ONCE = 16  # models, with four mutants of each


class Processor:
    """The processor time in seconds of this process and the programs that it queries."""

    def __init__(self, servers):
        self._processes = [server.process_id for server in servers]
        self._tick = os.sysconf("SC_CLK_TCK")

    def seconds(self):
        ticks = 0
        for process in self._processes:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            ticks += sum(int(one) for one in fields[11:15])  # of this process, and of children that have ended
        return time.process_time() + ticks / self._tick


def written(model):
    """The bytes of a model; None if it cannot be written."""
    try:
        return model.bytes()
    except (struct.error, AttributeError, TypeError, KeyError):
        return None


class Trial:
    """A seed and changes of it, later with its file and the outcome."""

    def __init__(self, seed, many):
        self.seed, self.many = seed, many
        self.model, self.contents, self.seen = blind.applied(seed, many), None, None

    @property
    def reshapes(self):
        return any(one.reshapes for one in self.many)

    def options(self):
        text = any(one.of_text for one in self.many)
        return learning.options_of(self.seed.architecture, "" if text else "no-text")

    def note(self, answer):
        if answer["outcome"] in fit.BAD:
            text = " & ".join(one.text for one in self.many)
            self.seen = fit.Seen(self.seed.architecture, "", text, answer)


class Lab(learning.Lab):
    def __init__(self, build, guard):
        super().__init__(build)
        if guard:
            self.runner.close()
            program = learning.program(build, "ask-llama")
            self.runner = Server(program, "--seconds", "20", "--memory", "16384", "--guard")

    def run_all(self, trials):
        """The trials with a bad outcome."""
        following = [trial for trial in trials if trial.reshapes and written(trial.model) is not None]
        answers = self.learner.ask_all([(trial.model.bytes(), "") for trial in following])
        for trial, answer in zip(following, answers):
            trial.model = learning.learn.reshaped(trial.model, answer)
        for trial in trials:
            trial.contents = written(trial.model)
        asked = [trial for trial in trials if trial.contents is not None]
        for trial, answer in zip(asked, self.runner.ask_all([(one.contents, one.options()) for one in asked])):
            trial.note(answer)
        return [trial for trial in asked if trial.seen is not None]


class Find:
    """The first discovery of a cause, and its smallest file."""

    def __init__(self, seen, seconds, number):
        self.first = f"{seen.architecture} {seen.change}"
        self.ending = " ".join(fit.Seen.ending(seen)) if not seen.shift else "aborts shift"
        self.seconds, self.number, self.architectures = seconds, number, set()
        self.smallest, self.size = self.first, None
        self.count = 0

    def add(self, seen, contents, path):
        self.count += 1
        self.architectures.add(seen.architecture)
        if self.size is None or len(contents) < self.size:
            self.size, self.smallest = len(contents), f"{seen.architecture} {seen.change}"
            if path:
                with open(path, "wb") as file:
                    file.write(contents)

    def told(self):
        return {"first": self.first, "ending": self.ending, "seconds": round(self.seconds, 1), "mutant": self.number,
                "count": self.count, "architectures": len(self.architectures), "smallest": self.smallest,
                "bytes": self.size}


class Campaign:
    def __init__(self, lab, table, wish):
        self.lab, self.table, self.wish = lab, table, wish
        self.processor = Processor((lab.learner, lab.runner, lab.judge))
        self.found, self.others, self.mutants, self.deaths, self.several = {}, {}, 0, 0, 0

    def seeds(self, architectures):
        for architecture, forms in architectures.items():
            for form in forms:
                learned = learning.learn.learn(self.lab.learner, architecture, *form)
                if learned.model is not None:
                    yield learned

    def note(self, finds, cause, seen, contents):
        if cause not in finds:
            finds[cause] = Find(seen, self.processor.seconds(), self.mutants)
            if finds is self.found:
                print(f"{finds[cause].seconds:7.1f} s  mutant {self.mutants}  {cause}: {finds[cause].ending}, "
                      f"{finds[cause].first[:110]}", file=sys.stderr, flush=True)
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", cause).strip("-")[:100]
        folder = self.wish.out and os.path.join(self.wish.out, "recorded" if finds is self.found else "others")
        finds[cause].add(seen, contents, folder and os.path.join(folder, name + ".gguf"))

    def attack(self, trials):
        for trial in self.lab.run_all(trials):
            self.deaths += 1
            if len(trial.many) > 1:
                fewer = self.lab.run_all([Trial(trial.seed, [one]) for one in trial.many])
                trial = next((one for one in fewer if one.seen.ending() == trial.seen.ending()), trial)
            self.explain(trial)
        self.mutants += len(trials)

    def explain(self, trial):
        seen, architecture = trial.seen, trial.seed.architecture
        said = self.lab.judge.ask(trial.contents)
        causes = self.table.causes(architecture, said["broken"], trial.many)
        if len(causes) == 1:
            self.note(self.found, causes[0], seen, trial.contents)
        elif causes:
            self.several += 1
        else:
            rules = "+".join(said["llama.cpp"]["errors"]) or "accepted"
            what = " & ".join(blind.place_of(one.text) for one in trial.many).replace(architecture + ".", "")
            self.note(self.others, f"{rules}: {what}: {' '.join(seen.ending())}", seen, trial.contents)

    def report(self):
        return {"processor_seconds": round(self.processor.seconds(), 1), "mutants": self.mutants, "deaths": self.deaths,
                "several_causes": self.several, "seed": self.wish.seed,
                "recorded": {name: self.found[name].told() if name in self.found else None
                             for name in self.table.names()},
                "others": {name: self.others[name].told() for name in sorted(self.others)}}

    def run(self, architectures):
        seeds, saved = list(self.seeds(architectures)), 0.0
        generators = [random.Random(f"{self.wish.seed} {seed.name}") for seed in seeds]
        while self.processor.seconds() < 60 * self.wish.minutes:
            for at in range(0, len(seeds), AT_ONCE):
                self.attack([Trial(seed, blind.changes(generator, seed)) for seed, generator in
                             zip(seeds[at:at + AT_ONCE], generators[at:at + AT_ONCE]) for _ in range(4)])
                if self.processor.seconds() >= 60 * self.wish.minutes:
                    return
            if self.wish.json and self.processor.seconds() - saved > 30:
                saved = self.processor.seconds()
                self.save()

    def save(self):
        with open(self.wish.json, "w", encoding="utf-8") as file:
            json.dump(self.report(), file, indent=1)


def main():
    parser = arguments.parser_of("scripts/attack-models --rediscover", __doc__.splitlines()[0])
    parser.add_argument("--minutes", type=arguments.at_least(0, float), default=60, help="of processor time (60)")
    parser.add_argument("--guard", action="store_true", help="with a guard page behind every block; slower")
    parser.add_argument("--json", help="what was found, for programs; written anew every minute")
    parser.add_argument("--out", help="folder for the smallest file of each cause")
    wish, forms = arguments.parse(parser)
    table = recorded.Table(learning.table.read(learning.TABLE))
    unknown = set(table.names()) - set(recorded.OF_TENSORS) - set(fit.condition_slugs(learning.CONDITIONS))
    if unknown:
        parser.error("in the table, and no condition: " + " ".join(sorted(unknown)))
    for folder in ("recorded", "others") if wish.out else ():
        os.makedirs(os.path.join(wish.out, folder), exist_ok=True)
    lab = Lab(wish.build, wish.guard)
    campaign = Campaign(lab, table, wish)
    campaign.run({name: forms[name] for name in wish.architecture or sorted(forms)})
    if wish.json:
        campaign.save()
    told = campaign.report()
    for name, one in told["recorded"].items():
        print(f"{name}: " + (f"{one['seconds']} s, {one['ending']}, {one['first']}" if one else "not found"))
    print(f"{len(campaign.found)} of {len(told['recorded'])} in {told['processor_seconds']} s of processor time, "
          f"{told['mutants']} mutants, {told['deaths']} deaths, {len(campaign.others)} other causes")
    lab.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
