"""Facts about the release to learn from: its name, its library, the names of its architectures."""

import glob
import hashlib
import json
import os
import re

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXCEPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "without_form.txt")


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def shipped():
    """The release that the gate's own contracts describe."""
    return re.search(r'kContractRelease = "([^"]+)"', _read(os.path.join(ROOT, "src/format/contracts/contract.h")))[1]


def library_in(folder):
    """The path of libllama in a folder, by the same choice as tests/oracles/llama_cpp/library.cc."""
    names = [name for name in os.listdir(folder) if name.startswith("libllama.") and re.search(r"\.so(\.|$)", name)]
    if not names:
        raise ValueError(f"no libllama.so in {folder}")
    return os.path.join(folder, min(names, key=lambda name: (len(name), name)))


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def name_of(library):
    """The name of a release, from the metadata that its package has next to the library; otherwise from the contents
    of the library."""
    for path in glob.glob(os.path.join(os.path.dirname(library), "_nlcBuildMetadata.json")):
        built = json.loads(_read(path))["buildOptions"]["llamaCpp"]
        return f"{built['repo'].split('/')[-1]} {built['release']}"
    return "own build " + sha256(library)[:12]


def file_name(name):
    """ "llama.cpp v0.4.0" becomes llama_cpp_v0_4_0. """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def known_architectures():
    """The names that the gate knows."""
    return re.findall(r'GGUFGATE_ARCHITECTURE\("([^"]+)"', _read(os.path.join(ROOT, "src/format/architectures.def")))


def listed_architectures(headers):
    """The names in the release's list, if the folder has it."""
    path = os.path.join(headers or "", "llama-arch.cpp")
    return re.findall(r'\{\s*LLM_ARCH_\w+,\s*"([^"]+)"', _read(path)) if headers and os.path.exists(path) else []


def exceptions():
    """Architectures without a form that runs: name to reason."""
    lines = [line.split(":", 1) for line in _read(EXCEPTIONS).splitlines() if line and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, reason in lines}
