"""Bundles of fuzz targets, one that is sound and others with one fault each, for the self-test of
scripts/check-fuzz-bundle: every fault must be found, by the check that is meant for it."""

import os
import shutil
import subprocess
import tempfile
import zipfile

# Enough functions for a thousand calls of the run-time and a hundred edges.
BULK = """
#include <stddef.h>
#include <stdint.h>
#define FIVE(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4)
#define ONE(n) __attribute__((noinline)) static int f##n(const uint8_t* d, size_t s) { \\
  int a = 0; if (s > 0x##n % 7 && d[0x##n % 7] == 0x##n % 251) a++; \\
  if (s > 9 && d[8] == 3 && d[9] == 0x##n % 251) a += d[5]; return a; }
#define ALL(M) FIVE(M, a) FIVE(M, b) FIVE(M, c) FIVE(M, d) FIVE(M, e) FIVE(M, f) FIVE(M, a1) \\
  FIVE(M, b1) FIVE(M, c1) FIVE(M, d1) FIVE(M, e1) FIVE(M, f1) FIVE(M, a2) FIVE(M, b2) FIVE(M, c2) \\
  FIVE(M, d2) FIVE(M, e2) FIVE(M, f2) FIVE(M, a3) FIVE(M, b3) FIVE(M, c3) FIVE(M, d3) FIVE(M, e3) \\
  FIVE(M, f3) FIVE(M, a4) FIVE(M, b4) FIVE(M, c4) FIVE(M, d4) FIVE(M, e4) FIVE(M, f4)
ALL(ONE)
int target(const uint8_t* d, size_t s) {
  volatile int sum = 0;
#define CALL(n) sum += f##n(d, s);
  ALL(CALL)
  return 0;
}
"""
TARGET = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int LLVMFuzzerTestOneInput(const uint8_t* d, size_t s) { %s; return target(d, s); }
"""
OPTIONS = "[libfuzzer]\nmax_len = 64\ndict = fuzz_a.dict\n"


def compile_target(path, body="", flags=("-fsanitize=address,fuzzer",)):
    source = path + ".c"
    with open(source, "w", encoding="utf-8") as file:
        file.write(BULK + TARGET % body)
    subprocess.run(["clang-19", "-O1", "-w", *flags, source, "-o", path], check=True)
    os.remove(source)


def make_sound(folder):
    os.makedirs(folder)
    path = os.path.join(folder, "fuzz_a")
    compile_target(path)
    with zipfile.ZipFile(path + "_seed_corpus.zip", "w") as archive:
        archive.writestr("seed", b"GGUF")
    for ending, text in ((".dict", '"GGUF"\n'), (".options", OPTIONS)):
        with open(path + ending, "w", encoding="ascii") as file:
            file.write(text)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        file.write(text)


def plants(folder):
    """The faults: what is expected of the report, and what makes it so."""
    path = os.path.join(folder, "fuzz_a")

    def zip_of(name):
        with zipfile.ZipFile(path + "_seed_corpus.zip", "w") as archive:
            if name:
                archive.writestr(name, b"GGUF")

    def library():
        subprocess.run(["clang-19", "-shared", "-x", "c", "/dev/null", "-o",
                        os.path.join(folder, "libown.so")], check=True)
        compile_target(path, flags=("-fsanitize=address,fuzzer", "-Wl,--no-as-needed",
                                    "-L" + folder, "-lown"))

    def uninstrumented():
        compile_target(path + ".o", flags=("-fsanitize=address", "-c"))
        subprocess.run(["clang-19", "-fsanitize=address,fuzzer", path + ".o", "-o", path], check=True)
        os.remove(path + ".o")

    return (
        ("fuzz_a: edges: exit code", lambda: compile_target(path, "abort()")),
        ("fuzz_a: edges: exit code", lambda: compile_target(path, "exit(0)")),
        ("fuzz_a: runs: exit code", lambda: compile_target(path, "if (s > 3 && d[0] == 'G') abort()")),
        ("fuzz_a: edges: 0 edges", uninstrumented),
        ("fuzz_a: calls: 0 calls of asan", lambda: compile_target(path, flags=("-fsanitize=fuzzer",))),
        ("fuzz_a: libraries: needs libown.so", library),
        ("fuzz_a: libraries: looks for", lambda: compile_target(
            path, flags=("-fsanitize=address,fuzzer", "-Wl,-rpath,/opt"))),
        ("fuzz_a: seeds: fuzz_a_seed_corpus.zip is missing",
         lambda: os.remove(path + "_seed_corpus.zip")),
        ("fuzz_a: seeds: the archive of seeds is empty", lambda: zip_of("")),
        ("fuzz_a: seeds: a name in the archive", lambda: zip_of("../seed")),
        ("fuzz_a: seeds: File is not a zip file", lambda: write(folder, "fuzz_a_seed_corpus.zip", "x")),
        ("fuzz_a: words: fuzz_a.dict is missing", lambda: os.remove(path + ".dict")),
        ("fuzz_a: words: the dictionary is empty", lambda: write(folder, "fuzz_a.dict", "# x\n")),
        ("fuzz_a: max_len: fuzz_a.options is missing", lambda: os.remove(path + ".options")),
        ("fuzz_a: max_len: the options name", lambda: write(
            folder, "fuzz_a.options", OPTIONS.replace("fuzz_a", "fuzz_b"))),
        ("fuzz.a: name: a name has", lambda: os.rename(path, os.path.join(folder, "fuzz.a"))),
        ("a target wrote into its own folder", lambda: compile_target(
            path, "char n[4096]; n[readlink(\"/proc/self/exe\", n, 4000)] = 0;"
                  "strcat(n, \".log\"); fclose(fopen(n, \"w\"))",
            ("-fsanitize=address,fuzzer", "-include", "string.h"))),
        ("no fuzz targets", lambda: os.remove(path)),
    )


def self_test(check_out, parser):
    with tempfile.TemporaryDirectory() as top:
        sound = os.path.join(top, "sound")
        make_sound(sound)
        arguments = parser.parse_args(["--runs", "50", sound])
        problems = check_out(arguments)[1]
        assert problems == [], problems
        # Without its seeds' profile or with another sanitizer, it is no build for coverage.
        problems = check_out(parser.parse_args(["--sanitizer", "coverage", sound]))[1]
        assert any("calls of asan in a build for coverage" in problem for problem in problems), problems
        assert any("it writes no profile" in problem for problem in problems), problems
        covered = os.path.join(top, "covered")
        shutil.copytree(sound, covered)
        compile_target(os.path.join(covered, "fuzz_a"), flags=(
            "-fsanitize=fuzzer", "-fprofile-instr-generate", "-fcoverage-mapping"))
        problems = check_out(parser.parse_args(["--sanitizer", "coverage", covered]))[1]
        assert problems == [], problems
        count = len(plants(sound))
        for number in range(count):
            folder = os.path.join(top, "planted")
            shutil.copytree(sound, folder)
            expected, plant = plants(folder)[number]
            plant()
            problems = check_out(parser.parse_args(["--runs", "50", folder]))[1]
            assert any(problem.startswith(expected) for problem in problems), (expected, problems)
            shutil.rmtree(folder)
    print(f"check-fuzz-bundle: {count} planted faults found")
    return 0
