#!/usr/bin/env python3
"""Rehearses models with builds of llama.cpp for 64-bit ARM, in QEMU's user mode and without the sandbox.

usage: emulated.py [--release VERSION]...    versions of the npm packages @node-llama-cpp/linux-{x64,arm64}

The driver is that of ggufgate-rehearse, compiled for 64-bit ARM. Each model must end there as `ggufgate rehearse` says
of the build of the same release for x86-64. Each release must run most models; old ones refuse some or crash. Needs
build/release, build/arm64-root (packaging/arm64-root), qemu-user-static and npm. build/emulated keeps the packages.

Exit code: 0 no difference, 1 a difference, 3 something is missing and nothing was tried.
"""

import argparse
import glob
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDER = os.path.join(TOP, "build/emulated")
ROOT = os.path.join(TOP, "build/arm64-root")
BUILD = os.path.join(TOP, "build/release-arm64")
GATE = os.path.join(TOP, "build/release/ggufgate")
QEMU = "qemu-aarch64-static"

# b7698, b8121, b8179, b8390, b10068, b10361, v0.4.0 and v0.5.0 of llama.cpp.
RELEASES = ("3.15.0", "3.16.2", "3.17.1", "3.18.1", "3.19.1", "3.20.0", "3.21.1", "3.22.1")
ARCHITECTURES = ("llama", "qwen2", "gemma3", "mamba", "bert", "t5", "falcon", "qwen3moe")
LEAST_RUNS = 4  # of these, with each release
ZERO_BYTES = 32 << 20    # kZeroBytes of src/rehearse/driver_record.h
RECORD_BYTES = 256       # a DriverRecord: nonce, kind, stage, text
KINDS = ("enters", "version", "note", "refused", "cannot", "finished")
ENDS = {"refused": "refuses", "cannot": "not-rehearsed", "finished": "runs"}
SECONDS = 300


def lacking(what):
    print(f"emulated: {what}; nothing was tried", file=sys.stderr)
    sys.exit(3)


def run(*words, **options):
    return subprocess.run(words, check=True, **options)


def replaced_functions():
    with open(os.path.join(TOP, "src/CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"foreach\(function IN ITEMS (mmap [^)]*)\)", file.read())[1].split()


def make_driver():
    """The path of a driver without its sandbox, for 64-bit ARM."""
    run("cmake", "--preset", "release-arm64", cwd=TOP, stdout=subprocess.DEVNULL)
    run("cmake", "--build", BUILD, "--target", "ggufgate_rehearse_driver", stdout=subprocess.DEVNULL)
    path = os.path.join(FOLDER, "driver")
    exported = [f"-Wl,--export-dynamic-symbol={name}" for name in replaced_functions()]
    archives = glob.glob(os.path.join(ROOT, "usr/lib/aarch64-linux-gnu/libabsl_*.a"))
    # Of two definitions of ConfineDriver, the linker takes the first.
    run("clang++-19", "--target=aarch64-linux-gnu", f"--sysroot={ROOT}", "-fuse-ld=lld", "-std=c++20", "-O1", "-I",
        os.path.join(TOP, "src"), os.path.join(TOP, "tests/rehearse/unconfined_driver.cc"),
        os.path.join(TOP, "src/rehearse/driver/main.cc"), os.path.join(BUILD, "src/libggufgate_rehearse_driver.a"),
        os.path.join(BUILD, "src/libggufgate_bytes.a"), "-Wl,-z,muldefs", *exported, "-Wl,--start-group", *archives,
        "-Wl,--end-group", "-ldl", "-o", path)
    return path


def library_of(package, release):
    """The path of libllama in a release's package, which is fetched unless it is there."""
    folder = os.path.join(FOLDER, package, release)
    if not os.path.isdir(folder):
        part = folder + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        done = subprocess.run(["npm", "pack", "--silent", f"@node-llama-cpp/{package}@{release}"], cwd=part, check=False,
                              capture_output=True)
        archives = glob.glob(os.path.join(part, "*.tgz"))
        if done.returncode != 0 or not archives:
            lacking(f"@node-llama-cpp/{package} {release} could not be downloaded")
        run("tar", "-xzf", archives[0], "-C", part)
        os.rename(part, folder)
    return min(glob.glob(os.path.join(folder, f"package/bins/{package}/libllama.*.so*")), key=len)


def models():
    """(name, path) of the models: a tiny one of each architecture."""
    for architecture in ARCHITECTURES:
        path = os.path.join(FOLDER, architecture + ".gguf")
        run(GATE, "generate", "--architecture", architecture, "--output", path, stdout=subprocess.DEVNULL)
        yield architecture, path


def front_bytes(path):
    done = run(GATE, "inspect", "--format", "json", path, capture_output=True, text=True)
    return json.loads(done.stdout)["data_begin"]


def stages():
    with open(os.path.join(TOP, "src/rehearse/stages.def"), encoding="utf-8") as file:
        return re.findall(r'^STAGE\(\w+, "(\w+)"\)', file.read(), flags=re.MULTILINE)


def records_in(told, nonce):
    """(kind, stage, text) of each record of the driver."""
    for at in range(0, len(told), RECORD_BYTES):
        record = told[at:at + RECORD_BYTES]
        assert len(record) == RECORD_BYTES and record.startswith(nonce), "a record is not the driver's"
        yield KINDS[record[16]], stages()[record[17]], record[18:].rstrip(b"\0").decode("utf-8", "replace")


def on_this_machine(library, path):
    """(outcome, stage) of a rehearsal with the build for x86-64."""
    done = subprocess.run([GATE, "rehearse", "--format", "json", "--loader", library, path], check=False, capture_output=True)
    told = json.loads(done.stdout)["files"][0]
    return told["outcome"], told["stage"]


def keep_low_numbers():
    """Opens descriptors, so that all later ones are above those of the driver."""
    for _ in range(6):
        os.open(os.devnull, os.O_RDONLY)


def rehearse(driver, library, path, front, seconds=SECONDS, repacks=False):
    """((outcome, stage), last words) of one rehearsal in QEMU. Bytes of the file behind `front` are zeros there."""
    nonce = os.urandom(16)
    nonce_from, nonce_to = os.pipe()
    os.write(nonce_to, nonce)
    os.close(nonce_to)
    model, zeros = os.open(path, os.O_RDONLY), os.memfd_create("zeros")
    os.ftruncate(zeros, ZERO_BYTES)
    with tempfile.TemporaryFile(dir=FOLDER) as report, tempfile.TemporaryFile(dir=FOLDER) as words:
        moves = [(os.POSIX_SPAWN_DUP2, each, number) for each, number in (
            (nonce_from, 0), (words.fileno(), 1), (words.fileno(), 2), (model, 3), (report.fileno(), 4), (zeros, 5))]
        # Above the numbers that they are moved to, so that none overwrites another.
        assert min(each for _, each, _ in moves) > 5
        process = os.posix_spawnp(QEMU, [QEMU, "-L", ROOT, driver, library, "done", str(front), "8", str(int(repacks)), str(seconds), "0"],
                                  {"GGML_NO_BACKTRACE": "1", "PATH": os.environ["PATH"]}, file_actions=moves)
        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds + 1))  # the sandbox would set it
        status = os.waitpid(process, 0)[1]
        report.seek(0)
        told = list(records_in(report.read(), nonce))
        words.seek(0)
        last = words.read()[-300:].decode("utf-8", "replace").strip()
    for each in (nonce_from, model, zeros):
        os.close(each)
    kind, stage, text = told[-1] if told else ("cannot", "open", "")
    if os.WIFSIGNALED(status):
        return ("hangs" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "crashes", stage), last
    return (ENDS.get(kind, kind), "done" if kind == "finished" else stage), text or last


def compare(driver, release):
    """The number of differences of one release."""
    here, there, wrong, ran = library_of("linux-x64", release), library_of("linux-arm64", release), 0, 0
    for name, path in models():
        wanted = on_this_machine(here, path)
        got, last = rehearse(driver, there, path, front_bytes(path))
        ran += got[0] == "runs"
        print(f"{release:<8} {os.path.basename(there):<20} {name:<10} {' '.join(got)}", flush=True)
        if got != wanted:
            wrong += 1
            print(f"  x86-64: {' '.join(wanted)}; here: {last}")
    if ran < LEAST_RUNS:
        print(f"  only {ran} models ran")
    return wrong + (ran < LEAST_RUNS)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--release", action="append")
    wish = parser.parse_args()
    for program in (QEMU, "npm", "clang++-19"):
        if shutil.which(program) is None:
            lacking(f"{program} is not installed")
    for path in (GATE, ROOT):
        if not os.path.exists(path):
            lacking(f"{os.path.relpath(path, TOP)} is missing")
    os.makedirs(FOLDER, exist_ok=True)
    keep_low_numbers()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    driver = make_driver()
    return 1 if sum(compare(driver, release) for release in wish.release or RELEASES) else 0


if __name__ == "__main__":
    sys.exit(main())
