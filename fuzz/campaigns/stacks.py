"""What a sanitizer, libFuzzer or a target says when it dies, reduced to what tells faults apart."""

import hashlib
import os
import re
from dataclasses import dataclass

MOST_FRAMES = 3

INVARIANT = re.compile(r"^INVARIANT VIOLATED: (.*)$", re.MULTILINE)
# " edit edit lie; expected rule|rule; found rule; found rule", printed by Tell of tests/oracles
TOLD = re.compile(r"^((?: [a-z0-9][a-z0-9-]*)+); expected ([a-z0-9|-]+)((?:; found [a-z0-9-]+)*)$",
                  re.MULTILINE)
# Those of the standard library, and those of ggml.
ASSERTION = re.compile(r"^.*(?:\bAssertion [`'](.*)['`]|\bGGML_ASSERT\((.*)\)) failed", re.MULTILINE)
SANITIZER = re.compile(
    r"(?:ERROR|WARNING): (Address|Leak|Memory|Thread)Sanitizer:? (.*)$", re.MULTILINE)
UNDEFINED = re.compile(r"^.*: runtime error: (.*)$", re.MULTILINE)
LIBFUZZER = re.compile(r"ERROR: libFuzzer: (.*)$", re.MULTILINE)

FRAME = re.compile(r"^\s*#(\d+) 0x[0-9a-f]+ in (.+) (\S+)$", re.MULTILINE)
PROJECT_PATH = re.compile(r"^(?:.*/)?((?:src|fuzz|tests)/.+)$")
# Where every violated invariant passes through.
UNSAID = ("ggufgate::fuzz::Require", "ggufgate::fuzz::Tell")


@dataclass(frozen=True)
class Signature:
    kind: str  # the class of the sanitizer, or "invariant", "assertion", "timeout", "signal"
    what: str  # the sentence, for a person
    frames: tuple = ()
    mutations: tuple = ()

    def id(self, target):
        """The same for every target in which it shows; but without frames nothing else tells
        one hang from another's."""
        parts = [self.kind, self.what if self.kind in ("invariant", "assertion") else "",
                 *self.frames, *self.mutations, "" if self.frames else target]
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()
        return f"{_slug(self.kind)}-{digest[:12]}"


def read_report(text, code=None, timed_out=False):
    """The Signature of a death, or None if the text tells of none and the exit code is 0."""
    kind, what, begins = _headline(text)
    if kind is None:
        if timed_out:
            return Signature("timeout", "did not end in time")
        if code in (0, None):
            return None
        what = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return Signature("signal" if code < 0 else "exit", what)
    if kind == "timeout":  # the stack is wherever it was just then
        return Signature(kind, what)
    return Signature(kind, what, _frames(text[begins:]), _mutations(text))


def _headline(text):
    """Kind, sentence, and where the stack is to be looked for."""
    if found := INVARIANT.search(text):
        return "invariant", found[1], found.end()
    if found := ASSERTION.search(text):
        return "assertion", found[1] or found[2], found.end()
    if found := UNDEFINED.search(text):
        # The values differ from input to input.
        return "undefined-behaviour", re.sub(r"-?\b(0x[0-9a-f]+|\d+)\b", "N", found[1]), found.end()
    if found := SANITIZER.search(text):
        what = re.sub(r"\b0x[0-9a-f]+\b", "N", found[2])
        return _class_of(found[1], found[2]), what.split(" at pc ")[0], found.start()
    if found := LIBFUZZER.search(text):
        kind = _slug(found[1].split("(")[0].split(" after ")[0].strip())
        return kind, re.sub(r"\d+", "N", found[1]), found.end()
    return None, "", 0


def _class_of(sanitizer, rest):
    if sanitizer == "Leak":
        return "leak"
    for phrase in ("requested allocation size", "failed to allocate", "attempting double-free",
                   "attempting free on address"):
        if rest.startswith(phrase):
            return phrase.replace(" ", "-")
    return _slug(rest.split(" ")[0])


def _slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "unknown"


def _mutations(text):
    """Of a lie, the lie, which is the last; of what is sound, the rules that called it unsound: the
    edits before are many, and most of them have no part in it."""
    told = TOLD.search(text)
    if not told:
        return ()
    if told[2] != "nothing":
        return (told[1].split()[-1],)
    return tuple(sorted(set(re.findall(r"; found ([a-z0-9-]+)", told[3]))))[:MOST_FRAMES]


def _frames(text):
    """The innermost frames of the first stack that lie in the project."""
    frames, last = [], -1
    for number, function, place in FRAME.findall(text):
        if int(number) <= last:
            break  # the next stack: where memory was allocated, for one
        last = int(number)
        path = PROJECT_PATH.search(os.path.normpath(place.split(":")[0]))
        if place.startswith("/usr/"):
            path = None
        name = _without_arguments(function)
        if path and name not in UNSAID:
            frames.append(f"{name} {path[1]}")
    return tuple(frames[:MOST_FRAMES])


def _without_arguments(function):
    """The name of a function without its parameters and the arguments of its templates."""
    name = function.replace("(anonymous namespace)", "anonymous")
    for operator, word in (("operator()", "operator-call"), ("operator<=>", "operator-compare"),
                           ("operator<<", "operator-left"), ("operator<", "operator-less")):
        name = name.replace(operator, word)
    depth, kept = 0, []
    for c in name:
        if c == "(" and depth == 0:
            break
        depth += c == "<"
        if depth == 0:
            kept.append(c)
        depth -= c == ">" and depth > 0
    return "".join(kept).strip()[:200]
