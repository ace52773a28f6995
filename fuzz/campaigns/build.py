"""Builds the targets with the presets of CMake, and lists them."""

import math
import os
import re
import shutil
import time
from dataclasses import dataclass, field

from campaigns import engines
from campaigns.process import Child
from campaigns.text import CouldNot, plain, plural, say, tail_of

PRESETS = {"libfuzzer": "fuzz", "afl": "fuzz-afl", "cmplog": "fuzz-afl-cmplog"}
SANITIZERS = {
    "address-undefined": (),
    "address": ("-DGGUFGATE_SANITIZE=address",),
    "undefined": ("-DGGUFGATE_SANITIZE=undefined",),
    "memory": ("-DGGUFGATE_SANITIZE=memory", "-DGGUFGATE_CORE_ONLY=ON",
               "-DGGUFGATE_WITH_HIGHWAY=OFF"),
    "none": ("-DGGUFGATE_SANITIZE=",),
}
# The Debian package of each missing tool; scripts/setup installs all of them.
PACKAGES = {"cmake": "cmake", "ninja": "ninja-build", "clang++-19": "clang-19",
            "afl-clang-fast++": "afl++", "afl-fuzz": "afl++", "llvm-symbolizer-19": "llvm-19"}

TARGET_NAME = re.compile(r"[A-Za-z0-9_]+")
STEP = re.compile(r"^\[(\d+)/(\d+)\] ", re.MULTILINE)  # printed by ninja


@dataclass
class Target:
    name: str
    gguf: bool = False  # inputs are GGUF files
    seeds: list = field(default_factory=list)
    programs: dict = field(default_factory=dict)  # engine -> path
    dictionary: str = ""
    most_bytes: int = engines.MOST_BYTES


class Progress:
    """Reports the progress of a build now and then, from ninja's log."""

    def __init__(self, log, seconds=5.0):
        self.log, self.seconds = log, seconds
        self.next, self.said = time.monotonic() + seconds, None

    def look(self):
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self.seconds
        steps = STEP.findall(tail_of(self.log, 1 << 12))
        if steps and steps[-1] != self.said:
            self.said = steps[-1]
            say("  {} of {} steps".format(*self.said))


def need(program):
    path = shutil.which(program)
    if path is None:
        raise CouldNot(f"{program} is not installed; Debian has it in {PACKAGES[program]} "
                       "(scripts/setup installs it)")
    return path


class Builder:
    def __init__(self, root, options, log, interrupted):
        self.root, self.options, self.log = root, options, log
        self.interrupted = interrupted
        # The programs for libFuzzer also merge corpora and reproduce findings, for every engine.
        self.kinds = ["libfuzzer"] + (["afl"] if "afl" in options.engines else [])
        if options.cmplog and "afl" in options.engines:
            self.kinds.append("cmplog")

    def tree(self, kind):
        name = PRESETS[kind]
        if self.options.sanitizer != "address-undefined" and kind != "cmplog":
            name += "-" + self.options.sanitizer
        return os.path.join(self.root, "build", name)

    def folder(self, kind):
        return self.options.programs.get(kind) or os.path.join(self.tree(kind), "fuzz")

    def release(self, name):
        return os.path.join(self.root, "build", "release", name)

    def _builds(self, kind):
        return not self.options.no_build and kind not in self.options.programs

    def build(self):
        """The requested targets, with their programs."""
        open(self.log, "wb").close()
        for kind in filter(self._builds, self.kinds):
            need("cmake"), need("ninja")
            need("clang++-19" if kind == "libfuzzer" else "afl-clang-fast++")
            extra = SANITIZERS[self.options.sanitizer] if kind != "cmplog" else ()
            self._run("cmake", "--preset", PRESETS[kind], "-B", self.tree(kind), *extra)
        listed = self._listed()
        names = self._chosen(listed)
        for kind in filter(self._builds, self.kinds):
            say(f"building {plural(len(names), 'target')}: {os.path.basename(self.tree(kind))}")
            self._run("cmake", "--build", self.tree(kind), "--target",
                      *(f"fuzz_{name}" for name in names))
        if any(map(self._builds, self.kinds)):
            self._release(afl="afl" in self.options.engines)
        targets = [self._with_programs(listed.get(name) or Target(name)) for name in names]
        for target in targets:
            if "afl" in self.options.engines and target.gguf:
                if not os.path.isfile(self.release("ggufgate-afl-mutator.so")):
                    raise CouldNot("build/release/ggufgate-afl-mutator.so is not there; without "
                                   "--no-build it is built")
        return targets

    def _release(self, afl):
        """The program that makes findings smaller, and the mutator for AFL++."""
        self._run("cmake", "--preset", "release")
        say("building the program: release")
        self._run("cmake", "--build", "--preset", "release", "--target", "ggufgate_cli",
                  *(["ggufgate-afl-mutator"] if afl else []))

    def _run(self, *command):
        progress = Progress(self.log)

        def stop():
            progress.look()
            return self.interrupted()

        child = Child(command, self.log, dict(os.environ), cwd=self.root)
        if not child.wait(math.inf, stop):
            child.end()
            raise CouldNot("interrupted before there was anything to tell")
        if child.code != 0:
            for line in tail_of(self.log).splitlines()[-25:]:
                say("  " + line)
            raise CouldNot(f"{plain(' '.join(command))}: exit code {child.code}; see {self.log}")

    def _listed(self):
        """The build's list of its targets, one per line: name, kind of input, corpus."""
        targets = {}
        for kind in self.kinds:
            path = os.path.join(self.folder(kind), "targets.txt")
            if not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    name, inputs, *corpus = line.split()
                    if not TARGET_NAME.fullmatch(name):
                        raise CouldNot(f"{path}: {name} is no name of a target")
                    targets[name] = Target(name, inputs == "gguf",
                                           [os.path.join(self.root, part) for part in corpus])
            break
        return targets

    def _built(self, kind):
        """Names of the programs that exist."""
        folder = self.folder(kind)
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return {name[5:] for name in names
                if name.startswith("fuzz_") and TARGET_NAME.fullmatch(name[5:])
                and not name.endswith("_bytes")
                and os.path.isfile(os.path.join(folder, name))
                and os.access(os.path.join(folder, name), os.X_OK)}

    def _chosen(self, listed):
        there = set(listed) if all(map(self._builds, self.kinds)) else set.intersection(
            *(self._built(kind) for kind in self.options.engines))
        if not there:
            raise CouldNot("there are no fuzz targets in "
                           + " and ".join(map(self.folder, self.options.engines)))
        if self.options.target == ["all"]:
            return sorted(there)
        for name in self.options.target:
            if name not in there:
                raise CouldNot(f"there is no target {name}; there are: {', '.join(sorted(there))}")
        return list(dict.fromkeys(self.options.target))

    def _with_programs(self, target):
        for kind in self.kinds:
            if target.name in self._built(kind):
                target.programs[kind] = os.path.join(self.folder(kind), f"fuzz_{target.name}")
        target.dictionary = self._dictionary(target)
        self._read_options(target)
        return target

    def _dictionary(self, target):
        paths = [os.path.join(self.folder(kind), f"fuzz_{target.name}.dict") for kind in self.kinds]
        return next(filter(os.path.isfile, paths), "")

    def _read_options(self, target):
        """Reads max_len from a .options file in the format of OSS-Fuzz."""
        for kind in self.kinds:
            text = tail_of(os.path.join(self.folder(kind), f"fuzz_{target.name}.options"))
            if found := re.search(r"^max_len\s*=\s*(\d{1,9})\s*$", text, re.MULTILINE):
                target.most_bytes = max(1, int(found[1]))
                return
