"""The documents of a release archive. A link to a file that is not in the archive becomes an address where
one is known (GGUFGATE_PROJECT_URL), else plain text: no link in an archive leads nowhere."""

import os
import posixpath
import re

NAMES = ("LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md")
FOLDER = "docs"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#")


def paths(top):
    """The paths of all documents in the archive, relative to the tree."""
    found = list(NAMES)
    for where, _, names in os.walk(os.path.join(top, FOLDER)):
        found += [os.path.relpath(os.path.join(where, name), top).replace(os.sep, "/") for name in names]
    return sorted(found)


def target_of(path, link):
    """The path in the tree that a relative link in the document `path` leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link.partition("#")[0]))


def relink(path, text, shipped, url=""):
    """The text of a document with links that hold in the archive, which has the paths `shipped`."""
    def replaced(match):
        image, words, link = match.groups()
        if ELSEWHERE.match(link):
            return match[0]
        target = target_of(path, link)
        if target in shipped or any(one.startswith(target + "/") for one in shipped):
            return match[0]
        if url:
            return f"{image}[{words}]({url.rstrip('/')}/{target}{''.join(link.partition('#')[1:])})"
        return words

    # Fenced blocks are not changed.
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if n % 2 else LINK.sub(replaced, part) for n, part in enumerate(parts))


def documents(top, url=""):
    """The bytes of each document, by its path in the archive."""
    shipped = set(paths(top))
    files = {}
    for path in shipped:
        with open(os.path.join(top, path), "rb") as file:
            data = file.read()
        files[path] = relink(path, data.decode(), shipped, url).encode() if path.endswith(".md") else data
    return files
