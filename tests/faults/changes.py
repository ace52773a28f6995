"""The file shrinks, grows, is replaced or written to, at every call that reads it."""

from concurrent.futures import ThreadPoolExecutor

import oracle

# Through a shared mapping, which changes no time stamp on a file system in memory.
_MAPPED = ("python3 -c \"import mmap; f = open('model.gguf', 'r+b'); m = mmap.mmap(f.fileno(), 0);"
           " m[-8:] = b'changed!'\"")
CHANGES = {
    "shrinks": "truncate -s 4000 model.gguf",
    "grows": "printf more >> model.gguf",
    "is replaced": "cp second.gguf new && mv new model.gguf",
    "is removed": "rm -f model.gguf",
    "is written to": "printf '\\377' | dd of=model.gguf bs=1 seek=24 conv=notrunc status=none",
}
FAMILIES = {"check plain": "0.2", "check data-full": "0.2", "check sha256": "0.2", "inspect": "0.1",
            "dequantize": "0.1"}
CALLS = ["openat", "fstat", "pread64", "lseek", "close", "write", "exit_group"]


def _run_one(places, tally, usual, after, family, call, nth, what, command):
    process = FAMILIES[family.name]
    with places.one() as place:
        outcome = place.run(family, [f"{process} {call} {nth} 1 run={command}"])
    if not outcome.faults:
        return
    for name in ("model.gguf", "new"):
        outcome.made.pop(name, None)
    if outcome.said() in (usual.said(), after.said()):
        wrong = None  # too late to matter, or before the file was opened
    elif outcome.code == 0:
        wrong = "exit code 0, but neither what is said of the old file nor of the new"
    else:
        wrong = oracle.judge(family, usual, outcome, True)
        if wrong == "exit code 1" and outcome.code == after.code:
            wrong = None
    problem = wrong and f"{family.name}: the file {what} at {call} number {nth}: {wrong}"
    tally.add(f"the file {what}", outcome, usual, problem)


def run(places, chosen, tally, stride=1, offset=0):
    work = []
    for family in (one for one in chosen if one.name in FAMILIES):
        changes = dict(CHANGES)
        if family.name == "check sha256":
            changes["is written to by a mapping"] = _MAPPED
        with places.one() as place:
            usual = place.run(family)
        for what, command in changes.items():
            with places.one() as place:
                after = place.run(family, [f"0 fcntl 1 1 run={command}"])
            for name in ("model.gguf", "new"):
                after.made.pop(name, None)
            for call in CALLS:
                count = usual.calls.get((FAMILIES[family.name], call), 0)
                work += [(usual, after, family, call, nth, what, command)
                         for nth in range(1, count + 1)]
    with ThreadPoolExecutor(places.count) as pool:
        for done in [pool.submit(_run_one, places, tally, *one) for one in work[offset::stride]]:
            done.result()
