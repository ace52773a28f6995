"""Makes an input smaller that still shows the same finding.

First with `ggufgate mutate --mode reduce`, which keeps the structure of a GGUF file; then by removing ranges of
bytes. Candidates are tried in batches, the smallest first. Each batch takes one process per crash: the programs take
many files and print the current one.
"""

import os
import shutil
import time

from campaigns.process import Child, environment

BATCH = 32


def minimise(path, dies_alike, reduce_command, folder, seconds):
    """Returns the bytes of the smallest input found, those of `path` if none is smaller.

    dies_alike(paths): the index of the first file that shows the same finding, or None.
    """
    deadline = time.monotonic() + seconds
    os.makedirs(folder)
    try:
        with open(path, "rb") as file:
            best = file.read()
        if reduce_command:
            best = _structurally(best, dies_alike, reduce_command, folder, deadline)
        return _by_stretches(best, dies_alike, folder, deadline)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _first(candidates, dies_alike, folder):
    """The first candidate that shows the finding, or None."""
    batch = os.path.join(folder, "batch")
    shutil.rmtree(batch, ignore_errors=True)
    os.makedirs(batch)
    paths = []
    for number, candidate in enumerate(candidates):
        paths.append(os.path.join(batch, f"{number:04}"))
        with open(paths[-1], "wb") as file:
            file.write(candidate)
    index = dies_alike(paths)
    return None if index is None else candidates[index]


def _structurally(best, dies_alike, command, folder, deadline):
    seed, in_vain = 0, 0
    while time.monotonic() < deadline and in_vain < 3:
        seed += 1
        smaller = _first(_reduced(best, command, folder, seed), dies_alike, folder)
        in_vain = 0 if smaller is not None else in_vain + 1
        best = smaller if smaller is not None else best
    return best


def _reduced(best, command, folder, seed):
    """Smaller mutants of `best`, the smallest first."""
    current, made = os.path.join(folder, "current"), os.path.join(folder, "made")
    with open(current, "wb") as file:
        file.write(best)
    shutil.rmtree(made, ignore_errors=True)
    child = Child([command, "mutate", current, "--mode", "reduce", "--count", str(BATCH), "--seed",
                   str(seed), "--output-dir", made], os.path.join(folder, "log"), environment())
    if not child.wait(10):
        child.end(0.0)
    if child.code != 0:
        return []
    mutants = set()
    for name in os.listdir(made):
        if name.endswith(".gguf"):
            with open(os.path.join(made, name), "rb") as file:
                mutants.add(file.read())
    return sorted((m for m in mutants if len(m) < len(best)), key=lambda m: (len(m), m))


def _by_stretches(best, dies_alike, folder, deadline):
    """Removes halves, then quarters, and so on (Zeller's ddmin, without the subsets)."""
    size = max(1, len(best) // 2)
    while time.monotonic() < deadline:
        places = list(range(0, len(best), size))
        shorter = None
        for i in range(0, len(places), BATCH):
            candidates = [best[:at] + best[at + size:] for at in places[i:i + BATCH]]
            candidates = [candidate for candidate in candidates if candidate]
            shorter = _first(candidates, dies_alike, folder) if candidates else None
            if shorter is not None or time.monotonic() > deadline:
                break
        if shorter is not None:
            best = shorter
            size = min(size, max(1, len(best) // 2))
        elif size == 1:
            break
        else:
            size //= 2
    return best
