"""Full disks, limits on the size of files, closed standard descriptors."""

import itertools
import os
import subprocess

import oracle

_CLOSED = {0: "<&-", 1: ">&-", 2: "2>&-"}


def _record(tally, kind, family, usual, outcome, wrong):
    tally.add(kind, outcome, usual, wrong and f"{family.name}: {kind}: {wrong}")


def _closed(places, family, usual, tally):
    is_run = family.name.startswith("run")  # standard output belongs to the loader, the report goes to standard error
    prints = bool(usual.out) and not is_run
    for count in (1, 2, 3):
        for which in itertools.combinations((0, 1, 2), count):
            if is_run and 1 in which:
                continue
            shell = "exec \"$@\" " + " ".join(_CLOSED[number] for number in which)
            with places.one() as place:
                outcome = place.run(family, program=["sh", "-c", shell, "sh", place.program,
                                                     *family.arguments])
            needed = 1 in which and prints or 0 in which and family.stdin != "none" \
                or 2 in which and is_run
            if needed:
                wrong = oracle.judge(family, usual, outcome, False, may_be_silent=2 in which)
            elif outcome.said(words=2 not in which) != usual.said(words=2 not in which):
                wrong = "another ending, though nothing of it is needed"
            else:
                wrong = None
            _record(tally, "closed " + ", ".join(map(str, which)), family, usual, outcome, wrong)


def _full_device(places, family, usual, tally):
    if not usual.out or family.name.startswith("run"):
        return
    with places.one() as place:
        outcome = place.run(family, program=["sh", "-c", "exec \"$@\" > /dev/full", "sh",
                                             place.program, *family.arguments])
    _record(tally, "standard output is full", family, usual, outcome,
            oracle.judge(family, usual, outcome, False))


def _limited_files(places, family, usual, tally):
    if not family.output:
        return
    for most in (0, 1, 100):
        with places.one() as place:
            # Through a pipe, which has no size.
            outcome = place.run(family, program=["sh", "-c", "exec 2>&1; exec \"$@\"", "sh", "prlimit",
                                                 f"--fsize={most}", place.program, *family.arguments])
        outcome.error, outcome.out = outcome.out, b""
        _record(tally, "files may not grow", family, usual, outcome,
                oracle.judge(family, usual, outcome, False))


def _can_mount():
    return subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0 and os.geteuid() == 0


def _full_disk(places, family, usual, tally):
    if not family.output or not _can_mount():
        return
    # Only one page for the folder's files. After the command, the shell prints the contents.
    shell = ("mkdir full && mount -t tmpfs -o size=4k none full && cp second.gguf /dev/null; cd full && "
             "dd if=/dev/zero of=filler bs=4096 count=1 status=none; "
             "\"$@\"; code=$?; rm -f filler; ls -A 1>&2 | sed s/^/LEFT:/ 1>&2; exit $code")
    arguments = [f"../{word}" if word.endswith((".gguf", ".json")) and word != family.output else word
                 for word in family.arguments]
    with places.one() as place:
        outcome = place.run(family, program=["unshare", "-m", "sh", "-c", shell, "sh", place.program,
                                             *arguments])
    outcome.made.pop("full", None)
    left = b"\n" + outcome.error
    wrong = oracle.judge(family, usual, outcome, False)
    names = [word for word in (b"\n" + family.output.encode(), b"\n.ggufgate") if word + b"\n" in left]
    if names:
        wrong = f"left behind on the full disk: {names}"
    _record(tally, "the disk is full", family, usual, outcome, wrong)


def run(places, chosen, tally, stride=1, offset=0):
    for family in chosen[offset::max(1, stride)]:
        if family.base:
            continue
        with places.one() as place:
            usual = place.run(family)
        for part in (_closed, _full_device, _limited_files, _full_disk):
            part(places, family, usual, tally)
