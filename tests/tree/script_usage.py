#!/usr/bin/env python3
"""Every script prints its usage, and a wrong argument stops it before it installs or builds anything.

usage: script_usage.py [--self-test]    exit code 1 if it does not hold
"""

import os
import shutil
import subprocess
import tempfile

from support.checks import TOP, main, tree_of

# Commands that a script must not reach: each prints its name and fails.
OUT_OF_REACH = ("apt-get", "sudo", "cmake", "ninja", "npm", "git", "ctest", "run-clang-tidy-19")
WRONG = "--no-such-option"
# It passes its arguments to `ggufgate check`, which rejects them.
HANDS_ON = {"check"}
# Arguments of one script that must be rejected; the message contains the word.
WRONG_WORDS = (
    ("test", ["foo"], "foo"),
    ("tidy", ["src/bytes/", "--fix"], "--fix"),
    ("page", ["one", "two"], "FOLDER"),
    ("neon", ["foo"], "foo"),
    ("learn-reference", ["--output"], "--output"),
    ("learn-reference", ["llama", "--sed"], "--sed"),
    ("learn-reference", ["--release", "3.21.1", "--library", "."], "drop --library"),
    ("learn-reference", ["--headers", "."], "needs --library"),
    ("learn-reference", ["--library", ".", "--headers", "."], "llama.h"),
    ("fetch-reference", ["--release"], "needs a version"),
    ("fetch-reference", ["--release", "v0.4.0"], "needs a version"),
    ("make-folding", ["foo"], "foo"),
    ("make-marks", ["foo"], "foo"),
    ("attack-models", ["llma"], "did you mean llama"),
    ("attack-models", ["--each", "0"], "at least 1"),
    ("attack-models", ["--seed", "1", "--rediscover", "--minutes", "x"], "'x'"),
    ("attack-models", ["--rediscover", "--consistent"], "--rediscover"),
    ("attack-models", ["--kinds", "--kind", "x"], "'x'"),
    ("attack-models", ["--claims", "--each", "x"], "'x'"),
    ("attack-models", ["--rehearsals", "--each", "x"], "'x'"),
)


def names_in(folder):
    return sorted(name for name in os.listdir(folder) if os.access(os.path.join(folder, name), os.X_OK))


def interpreter_of(path):
    with open(path, encoding="utf-8") as file:
        return file.readline().split()[-1].removeprefix("#!")


def ask(top, fakes, name, words):
    environment = dict(os.environ, PATH=fakes + os.pathsep + os.environ["PATH"], PYTHONDONTWRITEBYTECODE="1")
    try:
        return subprocess.run([os.path.join(top, "scripts", name), *words], env=environment, cwd=fakes, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired:
        return None


def fault_of(done, code, stream, word):
    """The fault of an answer, or None."""
    if done is None:
        return "does not end within 60 s"
    if "out of reach" in done.stdout + done.stderr:
        return "installs or builds first"
    if done.returncode != code:
        return f"exit code {done.returncode}, expected {code}"
    said = getattr(done, stream)
    missing = [text for text in ("usage:", word) if text not in said]
    return f"{stream} lacks {missing[0]!r}" if missing else None


def cases(names):
    for name in names:
        yield name, ["--help"], 0, "stdout", ""
        if name not in HANDS_ON:
            yield name, [WRONG], 2, "stderr", ""
    for name, words, word in WRONG_WORDS:
        if name in names:
            yield name, words, 2, "stderr", word


def check(top=TOP):
    """The problems, and a line with the result."""
    folder = os.path.join(top, "scripts")
    names = [name for name in names_in(folder) if shutil.which(interpreter_of(os.path.join(folder, name)))]
    problems = []
    with tempfile.TemporaryDirectory() as fakes:
        for command in OUT_OF_REACH:
            path = os.path.join(fakes, command)
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho out of reach >&2\nexit 99\n")
            os.chmod(path, 0o755)
        for name, words, code, stream, word in cases(names):
            fault = fault_of(ask(top, fakes, name, words), code, stream, word)
            if fault:
                problems.append(f"scripts/{name} {' '.join(words)}: {fault}")
    return problems, f"script usage: {len(names)} scripts"


SOUND = """#!/bin/sh
case $1 in
  --help) echo usage: sound ;;
  *) echo usage: sound >&2; exit 2 ;;
esac
"""


def self_test():
    planted = {
        "scripts/silent": "#!/bin/sh\n",
        "scripts/builds": SOUND.replace("*)", "*) cmake;"),
        "scripts/zero": SOUND.replace("exit 2", "exit 0"),
    }
    with tree_of({"scripts/sound": SOUND, "scripts/data": SOUND, **planted}) as top:
        for name in ("sound", *(os.path.basename(path) for path in planted)):
            os.chmod(os.path.join(top, "scripts", name), 0o755)
        problems, summary = check(top)
    assert summary == "script usage: 4 scripts", summary
    assert [problem.split(":")[0].split("/")[1].split()[0] for problem in problems] == [
        "builds", "silent", "silent", "zero"], problems
    print(f"script usage: {len(problems)} planted faults found")


if __name__ == "__main__":
    main(check, self_test)
