#!/usr/bin/env python3
"""Every fuzz target has a dictionary that libFuzzer and AFL++ both read, and options that libFuzzer supports.
Dictionaries are reproducible. That of policies contains every key in use.

usage: dictionaries.py [--self-test]    checks $GGUFGATE_BUILD_DIR/fuzz; exit code 1 if it does not hold
"""

import glob
import os
import re
import subprocess
import tempfile

from support.checks import TOP, main

LONGEST = 64  # bytes: fuzzer::Word of libFuzzer; the limit of AFL++ is 128
MOST = 2000   # entries; above that, AFL++ warns about a slow start
LINE = re.compile(rb'^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\x[0-9a-f]{2})+)"$')
NUMBERS = ("max_len", "timeout", "rss_limit_mb")
SWITCHES = ("use_counters",)  # a target may change these defaults of the engine


def entries(text):
    """The words of a dictionary and its problems, by the rules of both engines: FuzzerUtil.cpp
    (ParseDictionaryFile) and afl-fuzz-extras.c (load_extras_file)."""
    words, problems = [], []
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line or line.startswith(b"#"):
            continue
        match = LINE.match(line)
        if not match:
            problems.append(f"line {number}: not a quoted string with \\xNN alone as escape")
            continue
        word = re.sub(rb"\\x(..)", lambda escape: bytes([int(escape[1], 16)]), match[1])
        if len(word) > LONGEST:
            problems.append(f"line {number}: {len(word)} bytes, at most {LONGEST}")
        words.append(word)
    if not words:
        problems.append("no entry")
    if len(words) > MOST:
        problems.append(f"{len(words)} entries, at most {MOST}")
    if len(set(words)) != len(words):
        problems.append("an entry twice")
    return words, problems


def check_options(folder, text):
    lines = [line for line in text.splitlines() if line]
    if not lines or lines[0] != "[libfuzzer]":
        return ["does not begin with [libfuzzer]"]
    values, problems = {}, []
    for line in lines[1:]:
        name, separator, value = (part.strip() for part in line.partition("="))
        if not separator or name in values or name not in NUMBERS + SWITCHES + ("dict",):
            problems.append(f"not an option, or twice: {line}")
        values[name] = value
    problems += [f"{name} is no number above 0" for name in NUMBERS
                 if not re.fullmatch(r"[1-9][0-9]*", values.get(name, ""))]
    problems += [f"{name} is neither 0 nor 1" for name in SWITCHES
                 if values.get(name, "0") not in ("0", "1")]
    if not os.path.isfile(os.path.join(folder, os.path.basename(values.get("dict", "-")))):
        problems.append("names no dictionary that is there")
    return problems


def policy_keys(text):
    """The keys and tables that a policy file uses."""
    return re.findall(r"^(\w[\w-]*) *=", text, re.MULTILINE) + re.findall(r"^\[+(\w+)", text, re.MULTILINE)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_folder(folder):
    """The problems of all targets that have options, and their number."""
    problems, targets = [], sorted(glob.glob(os.path.join(folder, "fuzz_*.options")))
    for options in targets:
        name = os.path.basename(options)
        problems += [f"{name}: {problem}"
                     for problem in check_options(folder, read(options).decode())]
        dictionary = options.removesuffix(".options") + ".dict"
        if os.path.isfile(dictionary):
            problems += [f"{os.path.basename(dictionary)}: {problem}"
                         for problem in entries(read(dictionary))[1]]
        else:
            problems.append(f"{name}: no dictionary beside it")
    return problems + ([] if targets else ["no targets"]), len(targets)


def check_made(program, policies):
    """Two dictionaries of each kind are equal; the dictionary of policies contains every key in use."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("gguf", "chat_template", "http", "policy"):
            texts = []
            for turn in "12":
                path = os.path.join(folder, kind + turn)
                subprocess.run([program, kind, path], check=True)
                texts.append(read(path))
            if texts[0] != texts[1]:
                problems.append(f"{kind}: made twice, it differs")
            words, more = entries(texts[0])
            problems += [f"{kind}: {problem}" for problem in more]
        if subprocess.run([program, "unknown", path], stderr=subprocess.DEVNULL).returncode != 2:
            problems.append("an unknown kind is not refused")
    known = b"\n".join(words).decode("utf-8", "replace")  # the last kind is policy
    for path in policies:
        problems += [f"policy: {key} of {os.path.basename(path)} is not in it"
                     for key in policy_keys(read(path).decode()) if key not in known]
    return problems


def self_test():
    assert entries(b'# x\n"a"\n"\\x00\\x22b"\n')[0] == [b"a", b'\0"b']
    assert entries(b'"a"\n"' + b"b" * LONGEST + b'"\n')[1] == []
    bad = [b"", b"# only\n", b"a\n", b'"a\n', b'""\n', b'"\\n"\n', b'"\\\\"\n', b'"\\x0g"\n',
           b'"a" \n', b'"\xc3\xa4"\n', b'"a""\n', b'"a"\n"a"\n', b'"a"\n"\\x61"\n', b'"\t"\n',
           b'"' + b"a" * (LONGEST + 1) + b'"\n', b"".join(b'"%d"\n' % i for i in range(MOST + 1))]
    for text in bad:
        assert entries(text)[1], text
    good = "[libfuzzer]\nmax_len = 1\ntimeout = 1\nrss_limit_mb = 1\ndict = fuzz_a.dict\n"
    wrong = ["", "max_len = 1\n", good.replace("= 1", "= 0"), good.replace("a.dict", "b.dict"),
             good + "max_len = 1\n", good + "maxlen = 1\n", good.replace("max_len = 1\n", ""),
             good + "use_counters = 2\n"]
    with tempfile.TemporaryDirectory() as folder:
        assert check_folder(folder)[0] == ["no targets"]
        options = os.path.join(folder, "fuzz_a.options")
        with open(options, "w", encoding="utf-8") as file:
            file.write(good)
        assert len(check_folder(folder)[0]) == 2  # named, and next to it
        with open(os.path.join(folder, "fuzz_a.dict"), "wb") as file:
            file.write(b'"a"\n')
        assert check_folder(folder) == ([], 1)
        for text in wrong:
            assert check_options(folder, text), text
    assert policy_keys('schema = "a"\n[allow]\n[[suppress]]\n x = 1\n') == ["schema", "allow", "suppress"]
    print(f"dictionaries: {len(bad) + len(wrong)} planted faults found")


def judge():
    problems, count = check_folder(os.path.join(os.environ["GGUFGATE_BUILD_DIR"], "fuzz"))
    problems += check_made(os.environ["GGUFGATE_MAKE_DICTIONARY"],
                           sorted(glob.glob(os.path.join(TOP, "docs", "policies", "*.toml"))))
    return problems, f"dictionaries: {count} targets, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
