"""The gate checks files, the readers read those that it accepts, and the results are compared."""

import collections
import concurrent.futures
import dataclasses
import json
import os
import subprocess

import asking
import compare
import explained

POLICY = 'schema = "ggufgate.policy/1"\nfindings_per_rule = 1000\n'  # the maximum, not the first 20
OURS = {"plain", "gate"}  # must read accepted files; a third-party reader may refuse them


class Gate:
    """The gate, and the mutator that belongs to it."""

    def __init__(self, program, folder):
        self.program, self.policy = program, os.path.join(folder, "policy.toml")
        with open(self.policy, "w", encoding="ascii") as file:
            file.write(POLICY)

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def rules(self):
        return {rule["id"] for rule in json.loads(self.run("rules", "--format", "json").stdout)["rules"]}

    def judge(self, paths):
        """The findings of every accepted file, by path."""
        if not paths:
            return {}
        ran = self.run("check", "--policy", self.policy, "--format", "jsonl", *paths)
        files = [line for line in map(json.loads, ran.stdout.splitlines()) if "verdict" in line]
        if ran.returncode not in (0, 1) or len(files) != len(paths):
            raise RuntimeError(f"check: exit code {ran.returncode}, {len(files)} of {len(paths)} files: {ran.stderr}")
        said = {bytes.fromhex(file["path_hex"]).decode() if "path_hex" in file else file["path"]: file for file in files}
        return {path: said[path]["findings"] for path in paths if said[path]["verdict"] == "accept"}

    def mutate(self, mode, count, seed, folder, largest, seeds):
        """The generated files, by path, with their lines of the manifest."""
        ran = self.run("mutate", "--mode", mode, "--count", str(count), "--seed", str(seed), "--output-dir", folder,
                       "--max-size", str(largest), *seeds)
        if ran.returncode != 0:
            raise RuntimeError(f"mutate: exit code {ran.returncode}: {ran.stderr}")
        with open(os.path.join(folder, "manifest.jsonl"), encoding="utf-8") as file:
            return {os.path.join(folder, line["file"]): line for line in map(json.loads, file)}


@dataclasses.dataclass
class Disagreement:
    """A file that readers read differently without a finding that explains it."""
    path: str
    origin: str
    differences: list
    found: list  # the gate's other findings there, for each


class Trial:
    """All readers, and the results."""

    def __init__(self, gate, readers):
        self.gate, self.readers = gate, readers
        self.pool = concurrent.futures.ThreadPoolExecutor(len(readers))
        self.accepted = self.compared = self.rejected = 0
        self.outcomes = {reader.name: collections.Counter() for reader in readers}
        self.refusals = collections.defaultdict(list)
        self.named = collections.Counter()
        self.misbehaved, self.disagreements = [], []

    def ask(self, paths):
        """The answers of every reader to every file."""
        asked = {reader.name: self.pool.submit(reader.asker.ask_all, paths) for reader in self.readers}
        return {name: answers.result() for name, answers in asked.items()}

    def examine(self, origins):
        """Files by path, with a text about the origin of each."""
        findings = self.gate.judge(list(origins))
        paths = list(findings)
        answers = self.ask(paths)
        self.accepted += len(paths)
        self.rejected += len(origins) - len(paths)
        for at, path in enumerate(paths):
            self.compare(path, origins[path], findings[path], {name: all_[at] for name, all_ in answers.items()})

    def count(self, path, origin, name, answer):
        self.outcomes[name][answer.outcome] += 1
        if answer.outcome == "refuses":
            self.refusals[name, asking.without_numbers(answer.words)].append(f"{os.path.basename(path)} ({origin})")
        elif answer.outcome != "reads":
            self.misbehaved.append((path, origin, name, answer))

    def compare(self, path, origin, findings, answers):
        for name, answer in answers.items():
            self.count(path, origin, name, answer)
        readings = {name: answer.reading for name, answer in answers.items() if answer.outcome == "reads"}
        self.compared += len(readings) > 1
        unnamed = [compare.Difference("reading", set(), {name: answers[name].outcome, "check": "reads"})
                   for name in OURS & answers.keys() - readings.keys()]
        for difference in compare.differences(readings):
            rules = explained.rules(findings, difference)
            self.named.update(f"{difference.kind}, by {rule}" for rule in rules)
            if not rules:
                unnamed.append(difference)
        if unnamed:
            found = [explained.found_at(findings, difference) for difference in unnamed]
            self.disagreements.append(Disagreement(path, origin, unnamed, found))

    def sorts(self):
        """The disagreements by difference, readers and findings; the most frequent first."""
        sorts = {}
        for disagreement in self.disagreements:
            for difference, found in zip(disagreement.differences, disagreement.found):
                sorts.setdefault((difference.sort(), found), []).append((disagreement, difference))
        return sorted(sorts.items(), key=lambda sort: -len(sort[1]))
