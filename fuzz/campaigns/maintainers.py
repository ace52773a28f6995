"""DIR/findings.md: for each finding its cause, the smallest file, the rule of the gate that would have stopped it, and
a report for the maintainers of the crashed program. docs/disclosure.md describes the procedure."""

import base64
import hashlib
import json
import os
import re
import subprocess
from dataclasses import dataclass, field

from campaigns.text import plain, plural

MOST_SHOWN = 400  # size of a file that is shown completely
WHERE_TO_READ = "docs/disclosure.md"
# The consequences of each kind of crash for users.
EFFECTS = (("overflow", "memory is read or written where it must not be"),
           ("use-after", "memory is used that was given back"),
           ("free", "memory is given back that is not there to be"),
           ("alloc", "the file decides how much memory is asked for"),
           ("out-of-memory", "the file decides how much memory is used"),
           ("timeout", "the file decides how long it takes"),
           ("leak", "memory is lost with every file"),
           ("assertion", "the process ends: whoever sends a file ends a server"),
           ("invariant", "what is promised does not hold"),
           ("signal", "the process ends, or worse: whoever sends a file ends a server"),
           ("undefined", "the compiler may do anything"))


@dataclass(frozen=True)
class Answer:
    """The gate's result for a file: errors as (rule, offset, message)."""
    asked: bool = False
    verdict: str = ""
    errors: tuple = field(default=())


def ask_gate(gate, path):
    """The gate's Answer about a file; None without a gate, or if it had no verdict."""
    if not gate or not path:
        return Answer()
    try:
        ran = subprocess.run([gate, "check", "--data", "full", "--format", "json", path], capture_output=True,
                             timeout=60, check=False, stdin=subprocess.DEVNULL)
        told = json.loads(ran.stdout)["files"][0]
        return Answer(True, told["verdict"], tuple(
            (found["rule"], found["offset"], found["message"]) for found in told["findings"]
            if found["severity"] == "error"))
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, IndexError):
        return Answer()


def escaped(text):
    """Text of a file or a program, escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&-])", r"\\\1", plain(text))


def fenced(text):
    """A block of any text, with a fence that is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"~+", text)), default=0)
    fence = "~" * max(3, longest + 1)
    return "\n".join((fence, *map(plain, text.splitlines()), fence))


def cause_of(finding, answer):
    """The condition: that of the file if the gate names one, else that of the program."""
    if answer.errors:
        rule, offset, message = answer.errors[0]
        return f"{message} (byte {offset:,})", f"rule {rule}"
    return finding["what"], "of what died; the gate does not name one"


def effect_of(kind):
    return next((effect for word, effect in EFFECTS if word in kind), "it dies of a file")


def letter(finding, answer, size, digest):
    """The report for the maintainers; a person must fill in the parts in angle brackets."""
    cause, _ = cause_of(finding, answer)
    lines = [f"Subject: {finding['kind']} while a GGUF file is loaded: <component>", "",
             f"A file of {plural(size, 'byte')} (SHA-256 {digest}) makes <program and version> end with:", "",
             f"    {finding['what']}", "", f"Cause: {cause}.",
             f"Consequence: {effect_of(finding['kind'])}.", f"Reproduce: {finding['reproduce'] or '<command> <file>'}"]
    if finding["frames"]:
        lines += ["Innermost frames:", *(f"    {frame}" for frame in finding["frames"])]
    if answer.errors:
        lines.append("Suggested repair: refuse such a file before the value is used.")
    lines += ["The file is attached and has not been published. We would publish on <date, 90 days from now>, or",
              "with your release if that is earlier."]
    return "\n".join(lines)


def _stopped_by(answer):
    if not answer.asked:
        return "nobody was asked: the input is no GGUF file, or the command is not built"
    if answer.errors:
        rules = dict.fromkeys(rule for rule, _, _ in answer.errors)
        return ", ".join(f"`{rule}`" for rule in rules) + " (`ggufgate explain` tells of each)"
    return (f"**no rule**: the gate says {escaped(answer.verdict)}. A rule is missing, or the fault is of the "
            "program alone")


def section(finding, path, answer):
    """The section about one finding, whose smallest file is at `path`."""
    data = b""
    if path:
        with open(path, "rb") as file:
            data = file.read()
    digest = hashlib.sha256(data).hexdigest()
    cause, whose = cause_of(finding, answer)
    marks = "".join(f", {word}" for word, holds in (("new", finding["new"]), ("flaky", finding["flaky"])) if holds)
    lines = [f"## {escaped(finding['id'])}{marks}", "", f"**Cause** ({escaped(whose)}): {escaped(cause)}", "",
             f"**Died of**: {escaped(finding['what'])} ({escaped(', '.join(finding['targets']))}; "
             f"{plural(finding['inputs'], 'input')})", "",
             f"**Stopped by**: {_stopped_by(answer)}", ""]
    if path:
        lines += [f"**Smallest file**: `{plain(os.path.basename(os.path.dirname(path)))}/{plain(os.path.basename(path))}`, "
                  f"{plural(len(data), 'byte')}, SHA-256 `{digest}`", ""]
        if len(data) <= MOST_SHOWN:
            lines += ["In base64:", "", fenced("\n".join(
                re.findall(".{1,76}", base64.b64encode(data).decode("ascii")))), ""]
        lines += ["**To tell the maintainers**, in private first "
                  f"({WHERE_TO_READ}):", "", fenced(letter(finding, answer, len(data), digest)), ""]
    return "\n".join(lines)


def make(title, findings, folder, gate, of_files=None):
    """The page. The files of a finding are in `folder`/finding["folder"]. The gate checks inputs of the targets
    `of_files`, which take GGUF files; without names, those of all targets."""
    parts = [f"# {escaped(title)}", "", plural(len(findings), "finding") + ".", ""]
    for finding in findings:
        place = os.path.join(folder, finding["folder"])
        path = next((p for p in (os.path.join(place, name) for name in ("minimised", "input"))
                     if os.path.isfile(p)), "")
        asked = of_files is None or not of_files.isdisjoint(finding["targets"])
        parts.append(section(finding, path, ask_gate(gate if asked else "", path)))
    return "\n".join(parts).rstrip("\n") + "\n"


def write(title, findings, folder, gate, of_files=None):
    path = os.path.join(folder, "findings.md")
    with open(path + ".part", "w", encoding="ascii") as file:
        file.write(make(title, findings, folder, gate, of_files))
    os.replace(path + ".part", path)
