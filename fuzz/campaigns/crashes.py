"""Turns the inputs that engines put aside into findings: one per bug, known or new."""

import json
import os
import shlex
import shutil
import time
from dataclasses import dataclass, field

from campaigns import engines, minimise
from campaigns.corpus import digest_of
from campaigns.reproduce import Reproducer
from campaigns.stacks import read_report
from campaigns.text import CouldNot, plain, plural, say

MOST_ARTIFACTS = 200  # artifacts per target that are run again; the others are kept unread
MOST_MINIMISE_SECONDS = 20.0  # per finding
NOT_MINIMISED = ("timeout", "out-of-memory", "leak")  # a try takes too long, or shows little


@dataclass
class Finding:
    id: str
    kind: str
    what: str
    frames: tuple
    mutations: tuple
    new: bool
    flaky: bool = False
    targets: list = field(default_factory=list)
    engines: list = field(default_factory=list)
    inputs: int = 0
    input_bytes: int = 0
    minimised_bytes: int = 0
    folder: str = ""
    reproduce: str = ""


class Triage:
    """`folder` is DIR/crashes. Findings from earlier runs, or in the list, are known."""

    def __init__(self, folder, known_file, setup):
        self.folder, self.setup = folder, setup
        os.makedirs(folder, exist_ok=True)
        self.known = {name for name in os.listdir(folder)
                      if not name.startswith((".", "unread-"))}
        self.known |= read_known(known_file) if known_file else set()
        self.findings = {}
        self._by_report = {}  # id of a fuzzer's output -> id of the finding
        self._counts = {}

    def left_unread(self, targets):
        """The artifacts that an earlier run had no time for. They are removed from the folder."""
        artifacts, names = [], {target.name for target in targets}
        for name in sorted(os.listdir(self.folder)):
            place = os.path.join(self.folder, name)
            if not name.startswith("unread-"):
                continue
            try:
                with open(os.path.join(place, "finding.json"), encoding="utf-8") as file:
                    told = json.load(file)
                if told["target"] not in names:
                    continue
                kept = os.path.join(self.setup.run_folder, name)
                shutil.move(os.path.join(place, "input"), kept)
                shutil.rmtree(place)
            except (OSError, ValueError, KeyError, TypeError) as problem:
                raise CouldNot(f"{place} cannot be read: {problem}") from problem
            artifacts.append(engines.Artifact(kept, told["target"], told["engine"]))
        return artifacts

    def read(self, targets, artifacts, deadline):
        """Artifacts after the deadline are kept and counted, but not analysed."""
        by_name = {target.name: target for target in targets}
        reproducers = {}
        for artifact in artifacts:
            target = by_name[artifact.target]
            if target.name not in reproducers:
                reproducers[target.name] = Reproducer(
                    target, os.path.join(self.setup.run_folder, "triage"),
                    self.setup.symbolizer, self.setup.interrupted)
            self._read_one(artifact, reproducers[target.name], deadline)

    def _read_one(self, artifact, reproducer, deadline):
        reported = read_report(artifact.report) if artifact.report else None
        hang = artifact.kind == "timeout" and self._by_report.get(("hang", artifact.target))
        reported_id = reported.id(artifact.target) if reported else None
        if same := hang or self._by_report.get(reported_id):
            self._count(self.findings[same], artifact)
            return
        self._counts[artifact.target] = self._counts.get(artifact.target, 0) + 1
        if (time.monotonic() > deadline or self.setup.interrupted()
                or self._counts[artifact.target] > MOST_ARTIFACTS):
            self._add(artifact, f"unread-{artifact.target}-{digest_of(artifact.path)[:12]}",
                      "unread", "kept, and not looked into: the time was up")
            return
        death = reproducer.die(artifact.path, artifact.engine, artifact.kind)
        if self.setup.interrupted():
            self._read_one(artifact, reproducer, 0)
        elif death:
            finding = self._add(artifact, death.signature.id(artifact.target),
                                death.signature.kind, death.signature.what, death, reproducer,
                                deadline)
            if reported:
                self._by_report[reported_id] = finding.id
            if finding.kind == "timeout":  # one is enough, because each takes the maximum time
                self._by_report["hang", artifact.target] = finding.id
        elif reported:
            finding = self._add(artifact, "flaky-" + reported_id, reported.kind, reported.what)
            self._by_report[reported_id] = finding.id
        elif artifact.kind == "timeout":
            say(f"{artifact.target}: an input that {artifact.engine} gave up on ends in time")
        else:
            self._add(artifact, f"flaky-{artifact.target}-{digest_of(artifact.path)[:12]}",
                      "unknown", "did not happen again")

    def add_failure(self, record):
        """A fuzzer that had to be killed is a finding without an input."""
        self._add(engines.Artifact("", record.target, record.engine),
                  f"overrun-{record.target}-{record.engine}", "overrun", record.note)

    def _count(self, finding, artifact):
        finding.inputs += bool(artifact.path)
        for values, value in ((finding.targets, artifact.target),
                              (finding.engines, artifact.engine)):
            if value not in values:
                values.append(value)

    def _add(self, artifact, name, kind, what, death=None, reproducer=None, deadline=0.0):
        finding = self.findings.get(name)
        if finding is None:
            signature = death.signature if death else read_report(artifact.report)
            finding = Finding(
                name, kind, what, signature.frames if signature else (),
                signature.mutations if signature else (), name not in self.known,
                flaky=name.startswith("flaky-"), folder=os.path.join("crashes", name))
            self.findings[name] = finding
            self._save(finding, artifact, death, reproducer, deadline)
            say(f"{artifact.target}: {'NEW' if finding.new else 'known'} {name}: {what}")
        self._count(finding, artifact)
        return finding

    def _save(self, finding, artifact, death, reproducer, deadline):
        """Writes all files under a name that appears when they are complete. A known finding stays as it is."""
        place = os.path.join(self.folder, finding.id)
        if artifact.path:
            finding.input_bytes = os.path.getsize(artifact.path)
        if death:
            finding.reproduce = shlex.join([*death.command[:-1], os.path.join(place, "input")])
        if os.path.isdir(place):
            return
        part = os.path.join(self.folder, f".{finding.id}.part")
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        if artifact.path:
            shutil.copyfile(artifact.path, os.path.join(part, "input"))
        report = death.report if death else artifact.report
        _write(os.path.join(part, "stack.txt"), "".join(
            plain(line.replace("\t", "    ")) + "\n" for line in report.splitlines()))
        if death and finding.new and finding.kind not in NOT_MINIMISED:
            self._minimise(finding, artifact, death, reproducer, deadline, part)
        if finding.reproduce:
            _write(os.path.join(part, "reproduce"),
                   f"#!/bin/sh\nexec {finding.reproduce}\n")
            os.chmod(os.path.join(part, "reproduce"), 0o755)
        _write(os.path.join(part, "finding.json"), json.dumps(
            {"id": finding.id, "kind": finding.kind, "what": finding.what, "flaky": finding.flaky,
             "frames": finding.frames, "mutations": finding.mutations, "target": artifact.target,
             "engine": artifact.engine, "found": self.setup.began_at,
             "input_bytes": finding.input_bytes, "minimised_bytes": finding.minimised_bytes,
             "reproduce": finding.reproduce, "source": self.setup.source,
             "program_sha256": self.setup.digest_of_program(death.program) if death else ""},
            indent=2) + "\n")
        os.rename(part, place)

    def _minimise(self, finding, artifact, death, reproducer, deadline, part):
        # Leaves time for the later findings.
        seconds = min(MOST_MINIMISE_SECONDS, (deadline - time.monotonic()) / 4)
        small = minimise.minimise(
            artifact.path, lambda paths: reproducer.first_alike(death, artifact.engine, paths),
            self.setup.reduce_command if reproducer.target.gguf else None,
            os.path.join(self.setup.run_folder, "minimise"), seconds)
        if len(small) < finding.input_bytes:
            finding.minimised_bytes = len(small)
            with open(os.path.join(part, "minimised"), "wb") as file:
                file.write(small)

    def new_count(self):
        return sum(finding.new for finding in self.findings.values())

    def words(self):
        known = len(self.findings) - self.new_count()
        return plural(self.new_count(), "new finding") + (f", {known} known" if known else "")


def read_known(path):
    """One known finding per line: its id, then the reason why it is accepted. # begins a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.split("#")[0].split(maxsplit=1) for line in file]
    except (OSError, UnicodeDecodeError) as problem:
        raise CouldNot(f"{path} cannot be read: {problem}") from problem
    for words in lines:
        if len(words) == 1:
            raise CouldNot(f"{path}: {words[0]} has no reason behind it")
    return {words[0] for words in lines if words}


def _write(path, text):
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
