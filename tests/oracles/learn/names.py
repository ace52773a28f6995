"""The names of the architectures that the reference supports: every word in its library that it does not call
unknown."""

import re

from gguf_file import Model, Value

_WORD = re.compile(rb"(?<=\0)[a-z][a-z0-9_.-]{1,31}(?=\0)")


def architectures(library, asker, more=()):
    """Linkers keep a word that is the end of another one only once: `more` are additional words to try."""
    with open(library, "rb") as file:
        words = sorted({word.decode() for word in _WORD.findall(file.read())} | set(more))
    known = []
    for word in words:
        answer = asker.ask(Model({"general.architecture": Value("str", word)}).bytes())
        if "unknown model architecture" not in answer["message"]:
            known.append(word)
    return known
