"""Runs inputs again in the same way as the engine, and reads the output."""

import os
from dataclasses import dataclass

from campaigns import engines
from campaigns.engines import libfuzzer
from campaigns.process import Child
from campaigns.stacks import read_report
from campaigns.text import tail_of

TRIES = 3
# The time for a batch of small inputs, in addition to that for one of them.
PATIENCE = 20.0


@dataclass(frozen=True)
class Death:
    signature: object
    report: str
    command: tuple
    program: str


class Reproducer:
    """For one target. It uses libFuzzer's program if there is one, so that a bug has the same frames for every engine;
    otherwise it uses the program of the engine that found it."""

    def __init__(self, target, folder, symbolizer, stop):
        self.target, self.folder, self.stop = target, folder, stop
        self.symbolizer = symbolizer
        os.makedirs(folder, exist_ok=True)

    def engines(self, found_by):
        names = [libfuzzer.NAME, found_by]
        return [name for name in dict.fromkeys(names) if name in self.target.programs]

    def command(self, engine, paths):
        program = self.target.programs[engine]
        if engine == libfuzzer.NAME:
            return libfuzzer.reproduce_command(program, paths)
        return [program, *paths]

    def run(self, engine, paths, seconds):
        """The output, the exit code, and whether the process had to be killed."""
        log = os.path.join(self.folder, "log")
        if os.path.exists(log):
            os.remove(log)
        child = Child(self.command(engine, paths), log,
                      libfuzzer.sanitizer_environment(self.symbolizer))
        timed_out = not child.wait(seconds, self.stop)
        if timed_out:
            child.end(0.0)
        return tail_of(log, 1 << 20), child.code, timed_out and not self.stop()

    def die(self, path, found_by, kind):
        """The Death that an input causes, or None after several tries without one."""
        for engine in self.engines(found_by):
            for _ in range(1 if kind == "timeout" else TRIES):
                text, code, timed_out = self.run(
                    engine, [path], engines.TIMEOUT_SECONDS + 5.0)
                if self.stop():
                    return None
                signature = read_report(text, code, timed_out)
                if signature:
                    return Death(signature, text, tuple(self.command(engine, [path])),
                                 self.target.programs[engine])
        return None

    def first_alike(self, death, found_by, paths):
        """The index of the first file with the same finding, or None. Each process runs until it crashes; its last
        "Running: FILE" names the file."""
        engine = next(name for name in self.engines(found_by)
                      if self.target.programs[name] == death.program)
        begin = 0
        while begin < len(paths) and not self.stop():
            batch = paths[begin:] if engine == libfuzzer.NAME else paths[begin:begin + 1]
            text, code, timed_out = self.run(engine, batch, PATIENCE)
            signature = read_report(text, code, timed_out)
            if signature is None:
                begin += len(batch)
                continue
            at = begin
            if engine == libfuzzer.NAME:
                last = text.rpartition("Running: ")[2].splitlines()
                if not last or last[0] not in paths[begin:]:
                    return None
                at = paths.index(last[0], begin)
            if signature.id(self.target.name) == death.signature.id(self.target.name):
                return at
            begin = at + 1
        return None
