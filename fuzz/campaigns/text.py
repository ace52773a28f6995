"""Text that came from outside, made safe for a terminal, and what is said to the user."""

import sys


class CouldNot(Exception):
    """Something that is needed is not there, or did not work: exit code 2."""


def plain(text):
    """Printable ASCII as it is; everything else as \\u{…}, so that no terminal obeys it."""
    return "".join(c if " " <= c <= "~" else f"\\u{{{ord(c):x}}}" for c in str(text))


def say(text):
    print(f"campaign: {plain(text)}", file=sys.stderr, flush=True)


def tail_of(path, most_bytes=1 << 16):
    """The end of a file, as text; bytes that are no UTF-8 are escaped. Empty if it is not there."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - most_bytes))
            return file.read(most_bytes).decode("utf-8", "backslashreplace")
    except FileNotFoundError:
        return ""


def plural(count, noun, more=None):
    return f"{count:,} {noun if count == 1 else more or noun + 's'}"
