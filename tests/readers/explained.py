"""Which differences a finding of the gate names. The finding must stand at the same key, element or tensor, and its
rule must be one of these. Each line was reviewed: who reads the finding must learn from it what will differ. Where a
line tells what some readers do to a text, what was seen must be the same once that is done to all of it.
"""

import re
import typing

from asking import unescaped


class Line(typing.NamedTuple):
    kinds: set  # of compare.py
    done: typing.Callable = None  # what some readers do to the text; None where anything may differ
    whole_array: bool = False  # one finding speaks of all elements of an array


def replaced(text):
    """Bytes that are not UTF-8 become U+FFFD where a reader decodes them (TextDecoder, Buffer.toString)."""
    return text.encode("latin-1").decode("utf-8", "replace").encode("utf-8").decode("latin-1")


def cut(text):
    """A reader in C ends the text at a NUL."""
    return text.partition("\0")[0]


def without_mark(text):
    """TextDecoder drops a byte order mark at the beginning; done twice, two. (The `s` is that of a canonical value.)"""
    return re.sub("^(s?)(\xef\xbb\xbf)+", r"\1", text)


EXPLAINED = {
    "string-utf8": Line({"value"}, replaced, whole_array=True),
    "tensor-name-utf8": Line({"tensor-name"}, replaced),
    "string-nul": Line({"value"}, cut, whole_array=True),
    "string-bom": Line({"value"}, without_mark, whole_array=True),
    "tensor-name-invisible": Line({"tensor-name"}, without_mark),
    "key-reader-field": Line({"key", "version", "tensor_count"}),
    "key-prototype": Line({"key"}),
    # `a.b` and `a.b.c`: a reader that makes objects of keys has no room for both.
    "key-nested": Line({"key-place"}),
}

# Of rules that are being written, by the names they are expected to have. Until a gate has such a rule no finding has
# it, and its line explains nothing; once it has, readers.py says so: the line moves up, or away.
AWAITED = {}


def names(finding, line, difference):
    places = {unescaped(finding["path"])}
    if line.whole_array:
        places |= {re.sub(r"\[\d+\]$", "", place) for place in places}
    return difference.kind in line.kinds and not places.isdisjoint(difference.places)


def lines_of(findings, difference):
    """The lines of the rules that found something where the difference is."""
    return {rule: line for rule, line in {**EXPLAINED, **AWAITED}.items() if any(
        finding["rule"] == rule and names(finding, line, difference) for finding in findings)}


def all_of_it(lines, difference):
    """Is that all of the difference, or is some left?"""
    views = [view for view in difference.seen.values() if view is not None]
    for line in lines:
        if line.done is None:
            return True
        views = [line.done(view) if isinstance(view, str) else view for view in views]
    return all(view == views[0] for view in views)


def rules(findings, difference):
    """The rules whose findings name a difference; none where they do not name all of it."""
    lines = lines_of(findings, difference)
    return set(lines) if all_of_it(lines.values(), difference) else set()


def wanted(findings, difference):
    """Of a difference that is not named, the awaited rule that is to name it."""
    there = lines_of(findings, difference).values()
    for rule, line in AWAITED.items():
        if difference.kind in line.kinds and all_of_it([*there, line], difference):
            return rule
    return "a rule that nobody has thought of"
