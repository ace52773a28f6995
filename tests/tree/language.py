#!/usr/bin/env python3
"""Comments, messages and pages use plain English: phrases that need two readings are rare.

usage: language.py [--self-test]    exit code 1 if a folder has more of them than MOST allows; its lines are printed

The list is short on purpose: each phrase is nearly always wrong here, and has a plain replacement.
"""

import os
import re

from support.checks import TOP, main, tree_of

PHRASES = {
    r"\b(?:is|are) none\b": "there is no X",
    r"\bthere is none\b": "there is no X",
    r"\b(?:has|have) not (?:a|an|the|any)\b": "lacks",
    r"\bheld against\b": "compared with",
    r"\bstands? beside\b": "is next to",
    r"\bput up with\b": "accept",
    r"\bheeded\b": "used",
    r"\bis told of\b": "is reported",
    r"\btold apart\b": "distinguished",
    r"\bpass(?:es)? over\b": "skip",
    r"\btakes? (?:it|them) for\b": "mistakes for, treats as",
    r"\b(?:all|none|nothing) but\b": "except",
    r"\bsave for\b": "except",
    r"\bwhoever\b": "a caller that",
    r"\bfor want of\b": "without",
    r"\bin vain\b": "without success",
    r"\bis of no\b": "has no",
    r"\bcomes? to nothing\b": "has no effect",
    r"(?:^|(?<=[.!?;{}] ))What (?:is|it|a|an|the|they|was|follows|has|has been)\b[^?]*\.": "name the thing, do not begin with What",
    r"(?:^|(?<=[.!?;{}] ))Who (?:is|reads|wants|has|does)\b[^?]*\.": "name the person, do not begin with Who",
}
# Hits for 10,000 words, by folder. To lower a number is welcome, to raise it is not.
MOST = {"src": 1, "include": 1, "bindings": 1, "web": 1, "docs": 1, "README.md": 0, "SECURITY.md": 0, "CONTRIBUTING.md": 25}
SUFFIXES = (".cc", ".h", ".def", ".md", ".py", ".js", ".mjs", ".ts", ".html")
GENERATED = ("docs/rules.md", "docs/mutator.md")
MARKS = re.compile(r"^\s*(?://+|#+|\*|>)\s?")


def files_of(top, entry):
    path = os.path.join(top, entry)
    if os.path.isfile(path):
        yield entry
    for place, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name not in ("node_modules", "build")]
        for name in sorted(names):
            inside = os.path.relpath(os.path.join(place, name), top).replace(os.sep, "/")
            if name.endswith(SUFFIXES) and not inside.startswith(GENERATED):
                yield inside


def hits_in(text):
    """(line, replacement) of each phrase. A phrase may go on in the next line."""
    lines = [MARKS.sub("", line) for line in text.splitlines()]
    starts, joined = [], ""
    for line in lines:
        starts.append(len(joined))
        joined += line.strip() + " "
    for pattern, instead in PHRASES.items():
        for found in re.finditer(pattern, joined):
            yield sum(start <= found.start() for start in starts), found[0], instead


def problems_of(top, most):
    problems, told = [], []
    for entry, limit in most.items():
        words, lines = 0, []
        for path in files_of(top, entry):
            with open(os.path.join(top, path), encoding="utf-8") as file:
                text = file.read()
            words += len(text.split())
            lines += [f"{path}:{line}: '{phrase.strip()[:40]}': write {instead}"
                      for line, phrase, instead in sorted(hits_in(text))]
        rate = 10_000 * len(lines) / max(words, 1)
        told.append(f"{entry} {rate:.1f}")
        if rate > limit:
            problems += lines + [f"{entry}: {rate:.1f} such phrases for 10,000 words, at most {limit}"]
    return problems, told


def check():
    problems, told = problems_of(TOP, MOST)
    return problems, "language: phrases for 10,000 words: " + ", ".join(told)


def self_test():
    plain = "// Skip returns the next record.\n// It lacks a name. What follows?\nint x;\n"
    with tree_of({"src/a.cc": plain}) as top:
        assert problems_of(top, {"src": 0})[0] == []
    for phrase in ("there\n// is none", "it is held against the list", "What is no name. It is", "nothing but zeros"):
        with tree_of({"src/a.cc": plain + "// " + phrase + "."}) as top:
            found = problems_of(top, {"src": 0})[0]
            assert found and found[0].startswith(("src/a.cc:4: ", "src/a.cc:5: ")), (phrase, found)
            assert problems_of(top, {"src": 10_000})[0] == []


if __name__ == "__main__":
    main(check, self_test)
