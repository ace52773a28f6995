"""Untrusted text, made safe for a terminal, and messages to the user."""

import sys


class CouldNot(Exception):
    """Something required is missing or failed: exit code 2."""


def plain(text):
    """Keeps printable ASCII; everything else becomes \\u{…}, so that a terminal ignores it."""
    return "".join(c if " " <= c <= "~" else f"\\u{{{ord(c):x}}}" for c in str(text))


def say(text):
    print(f"campaign: {plain(text)}", file=sys.stderr, flush=True)


def tail_of(path, most_bytes=1 << 16):
    """The end of a file as text; bytes that are not UTF-8 are escaped. Empty if the file is missing."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - most_bytes))
            return file.read(most_bytes).decode("utf-8", "backslashreplace")
    except FileNotFoundError:
        return ""


def plural(count, noun, more=None):
    return f"{count:,} {noun if count == 1 else more or noun + 's'}"
