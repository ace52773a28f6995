#!/usr/bin/env python3
"""Rehearses models with llama-bench, built from the sources of llama.cpp in the npm package node-llama-cpp.

usage: llama_bench.py [--release VERSION]    a version of that package (3.22.1)

Tiny models run, one of them with a quantised cache. A wrong option counts as a refusal. A truncated file never reaches
the program. Needs build/release/ggufgate, cmake, ninja, clang-19, git and npm. build/llama-bench keeps the sources and
the program.

Exit code: 0 all outcomes are right, 1 one is not, 3 something is missing and nothing was tried.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDER = os.path.join(TOP, "build/llama-bench")
GATE = os.path.join(TOP, "build/release/ggufgate")
# Only the processor, and nothing that fetches files.
OPTIONS = ("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19",
           "-DBUILD_SHARED_LIBS=OFF", "-DGGML_NATIVE=OFF", "-DGGML_OPENMP=OFF", "-DLLAMA_CURL=OFF", "-DLLAMA_OPENSSL=OFF",
           "-DLLAMA_BUILD_TESTS=OFF", "-DLLAMA_BUILD_EXAMPLES=OFF", "-DLLAMA_BUILD_SERVER=OFF", "-DLLAMA_BUILD_UI=OFF")
BENCH = ("-m", "{}", "-p", "8", "-n", "1", "-r", "1")
ARCHITECTURES = ("llama", "qwen2", "gemma3", "mamba")


def lacking(what):
    print(f"llama_bench: {what}; nothing was tried", file=sys.stderr)
    sys.exit(3)


def run(*words, **options):
    return subprocess.run(words, check=True, **options)


def built(release):
    """The path of llama-bench."""
    folder = os.path.join(FOLDER, release)
    program = os.path.join(folder, "build/bin/llama-bench")
    if os.path.exists(program):
        return program
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run(["npm", "pack", "--silent", f"node-llama-cpp@{release}"], cwd=folder, check=False, capture_output=True)
    archives = glob.glob(os.path.join(folder, "*.tgz"))
    if done.returncode != 0 or not archives:
        lacking(f"node-llama-cpp {release} could not be downloaded")
    run("tar", "-xzf", archives[0], "-C", folder, "package/llama/gitRelease.bundle")
    run("git", "-c", "advice.detachedHead=false", "clone", "--quiet", "package/llama/gitRelease.bundle", "source", cwd=folder)
    with open(os.path.join(folder, "log"), "wb") as log:
        run("cmake", "-G", "Ninja", "-S", "source", "-B", "build", *OPTIONS, cwd=folder, stdout=log, stderr=log)
        run("cmake", "--build", "build", "--target", "llama-bench", cwd=folder, stdout=log, stderr=log)
    return program


def model(architecture):
    path = os.path.join(FOLDER, architecture + ".gguf")
    run(GATE, "generate", "--architecture", architecture, "--output", path, stdout=subprocess.DEVNULL)
    return path


def outcome(program, path, *more):
    """(outcome, reason) of a rehearsal; the verdict of the gate alone if the file is rejected before."""
    done = subprocess.run([GATE, "rehearse", "--format", "json", path, "--", program, *BENCH, *more], check=False,
                          capture_output=True)
    told = json.loads(done.stdout)["files"][0]
    return told["outcome"], told["reason"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--release", default="3.22.1")
    wish = parser.parse_args()
    for program in ("npm", "git", "cmake", "ninja", "clang++-19"):
        if shutil.which(program) is None:
            lacking(f"{program} is not installed")
    if not os.path.exists(GATE):
        lacking("build/release/ggufgate is missing")
    program = built(wish.release)
    cut = os.path.join(TOP, "corpus/invalid/damage-cut-short.gguf")
    tries = [(model(architecture), (), "runs") for architecture in ARCHITECTURES]
    tries += [(model("llama"), ("-ctk", "q8_0", "-fa", "0"), "runs"), (model("llama"), ("--no-such-option",), "refuses"),
              (cut, (), "not-rehearsed")]
    wrong = 0
    for path, more, wanted in tries:
        got, reason = outcome(program, path, *more)
        wrong += got != wanted
        print(f"{os.path.basename(path):<24} {' '.join(more):<18} {got}" + ("" if got == wanted else f", not {wanted}: {reason}"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
