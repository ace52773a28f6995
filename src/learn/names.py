"""The names of the architectures of a release: every word in its library that it does not call unknown."""

import re

from gguf_file import Model, Value

_WORD = re.compile(rb"(?<=\0)[a-z][a-z0-9_.-]{1,31}(?=\0)")
_END = re.compile(rb"[a-z0-9_.-]{2,40}(?=\0)")
_UNKNOWN = "unknown model architecture"


def _ask(asker, word):
    return asker.ask_model(Model({"general.architecture": Value("str", word)}))


def check(asker):
    """The learner relies on a message, and on functions of libggml that libllama calls by name."""
    if _UNKNOWN not in _ask(asker, "no-such-architecture")["message"]:
        raise ValueError("this release does not report unknown architectures in the usual way")
    if not _ask(asker, "llama")["keys"]:
        raise ValueError("libllama does not call libggml through the dynamic linker: build it as a shared library")


def words(contents):
    """The words in a program that may be names."""
    return {word.decode() for word in _WORD.findall(contents)}


def _ends(contents):
    """The ends of all words: linkers store a word only once if it is the end of another."""
    found = {word.decode() for word in _END.findall(contents)}
    ends = {word[start:] for word in found for start in range(len(word) - 1)}
    return {end for end in ends if re.fullmatch("[a-z][a-z0-9_.-]{1,31}", end)}


def architectures(library, asker, more, all_ends):
    """The known ones of the words in a library, of `more`, and with `all_ends` of all ends of words (28,000 in v0.5.0:
    one or two minutes)."""
    with open(library, "rb") as file:
        contents = file.read()
    found = words(contents) | set(more) | (_ends(contents) if all_ends else set())
    return [word for word in sorted(found) if _UNKNOWN not in _ask(asker, word)["message"]]
