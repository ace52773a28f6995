"""The differences that a finding of the gate explains. The finding must be about the same key or element, and its
rule must be in this table. Each line was reviewed: the reader of the finding must learn from it what will
differ. A line names the readers with another result and, for a text, that result. All others must agree, and
these must have that result or the common one.

If the gate rejects a file, no line is needed: key-prototype, tensor-name-utf8, tensor-name-invisible
(docs/readers.md).
"""

import re
import typing

from asking import unescaped


class Line(typing.NamedTuple):
    kinds: set  # from compare.py
    by: set  # the readers with another result
    done: typing.Callable = None  # their result for a text; None: any
    whole_array: bool = False  # one finding covers all elements of an array


def replaced(text):
    """Readers that decode (TextDecoder, Buffer.toString) replace bytes that are not UTF-8 by U+FFFD."""
    return text.encode("latin-1").decode("utf-8", "replace").encode("utf-8").decode("latin-1")


def cut(text):
    """A reader in C ends the text at a NUL."""
    return text.partition("\0")[0]


def without_mark(text):
    """TextDecoder drops one byte order mark at the beginning. (The `s` belongs to the canonical value.)"""
    return re.sub("^s\xef\xbb\xbf", "s", text)


EXPLAINED = {
    "string-utf8": Line({"value"}, {"huggingface", "node-llama-cpp"}, replaced, whole_array=True),
    "string-nul": Line({"value"}, {"ggml"}, cut, whole_array=True),
    "string-bom": Line({"value"}, {"huggingface"}, without_mark, whole_array=True),
    "key-reader-field": Line({"key", "version", "tensor_count"}, {"huggingface", "hyllama"}),
    # `a.b` and `a.b.c`: a reader that makes objects of keys cannot represent both.
    "key-nested": Line({"key-place"}, {"node-llama-cpp"}),
}


def is_at(finding, difference, whole_array=False):
    places = {unescaped(finding["path"])}
    if whole_array:
        places |= {re.sub(r"\[\d+\]$", "", place) for place in places}
    return not places.isdisjoint(difference.places)


def lines_of(findings, difference):
    """The lines of the rules with findings at the difference."""
    return {rule: line for rule, line in EXPLAINED.items() if difference.kind in line.kinds and any(
        finding["rule"] == rule and is_at(finding, difference, line.whole_array) for finding in findings)}


def is_what_they_make_of_it(view, letter, lines):
    if view == letter or any(line.done is None for line in lines):
        return True
    if not isinstance(letter, str):
        return False
    for line in lines:
        letter = line.done(letter)
    return view == letter


def rules(findings, difference):
    """The rules whose findings explain a difference; none if they do not explain all of it."""
    lines = lines_of(findings, difference)
    seen = {reader: view for reader, view in difference.seen.items() if view is not None}
    letters = [view for reader, view in seen.items() if not any(reader in line.by for line in lines.values())]
    if not letters or any(letter != letters[0] for letter in letters):
        return set()
    for reader, view in seen.items():
        if not is_what_they_make_of_it(view, letters[0], [line for line in lines.values() if reader in line.by]):
            return set()
    return {rule for rule, line in lines.items()
            if any(seen.get(reader, letters[0]) != letters[0] for reader in line.by)}


def found_at(findings, difference):
    """A message about the rules with findings there that do not explain the difference."""
    found = {finding["rule"] for finding in findings if is_at(finding, difference, whole_array=True)}
    return ", ".join(sorted(found)) or "nothing"
