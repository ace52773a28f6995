"""Builds the programs with planted bugs, and runs an engine on one of them until a crash, or runs its tests: for
fuzz/planted/kill."""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# More than any correct check needs: a file of 64 KiB needs less than 8 MiB, and milliseconds.
LIBFUZZER = ("-verbosity=0", "-timeout=30", "-malloc_limit_mb=128", "-rss_limit_mb=2048",
             "-detect_leaks=0", "-max_total_time=0")
# Messages about a fault, the most informative first; the group is the text for the report.
KILLERS = tuple(map(re.compile, (
    r"INVARIANT VIOLATED: (.*)",
    r"Assertion '(.*)' failed",
    r"terminate called after throwing an instance of '(.*)'",
    r"ERROR: AddressSanitizer: ([a-zA-Z-]+)",
    r"runtime error: (.*)",
    r"ERROR: libFuzzer: (.*)")))


FAILED_TEST = re.compile(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", flags=re.MULTILINE)


class CouldNot(Exception):
    """A failure of the machine, not of a bug: a build, a tool, a program that does not start."""


def killer_in(text):
    """The reason why a run ended, in a few words."""
    for pattern in KILLERS:
        if found := pattern.search(text):
            words = re.sub(r"0x[0-9a-f]+|\(.*", "", found[1])
            # A pipe or a control character would break the table.
            return re.sub(r"[^ -{}~]", "", words).strip()[:90]
    return ""


def build(preset, targets):
    if not (TOP / "build" / preset / "build.ninja").exists():
        run_quietly(["cmake", "--preset", preset])
    for begin in range(0, len(targets), 100):
        run_quietly(["cmake", "--build", "--preset", preset, "-j2", "--target",
                     *targets[begin:begin + 100]])


def run_quietly(command):
    done = subprocess.run(command, cwd=TOP, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise CouldNot(f"{' '.join(command[:5])} …\n{done.stdout[-2000:]}")


def clean_environment(**more):
    """The environment without variables that influence an engine or sanitizer."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("AFL_", "ASAN_", "UBSAN_", "GGUFGATE_MUTATOR_"))}
    return {**kept, "UBSAN_OPTIONS": "print_stacktrace=0", **more}


def copied(seeds, folder):
    os.mkdir(folder)
    for seed in seeds:
        shutil.copy(seed, folder)
    return folder


def run_libfuzzer(program, cap, seed, options, seeds=(), words=None):
    """Processor seconds and the killer; None for a survivor."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        log = os.path.join(folder, "log")
        options = [*options, f"-dict={words}"] if words else options
        command = [str(program), *LIBFUZZER, f"-seed={seed}", *options,
                   f"-artifact_prefix={folder}/", copied(seeds, os.path.join(folder, "corpus"))]
        with open(log, "wb") as out:
            child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                     stderr=subprocess.STDOUT, env=clean_environment())
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (2 * cap + 1, 2 * cap + 2))
            try:
                seconds, ended = wait_for(child, cap)
            finally:
                if child.returncode is None:
                    child.kill()
        text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
    killer = killer_in(text)
    if not killer and not ended:  # ended by another process, or did not start: unknown
        raise CouldNot(f"{program.name}: exit code {child.returncode}\n{text[-500:]}")
    return seconds, killer


def run_test(program, cap, wanted):
    """Processor seconds and the first test that failed; None if none did."""
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen([str(program), f"--gtest_filter={wanted}", "--gtest_brief=1"], cwd=TOP,
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                 env=clean_environment())
        seconds, ended = wait_for(child, cap)
        log.seek(0)
        text = log.read().decode(errors="replace")
    failed = FAILED_TEST.search(text)
    if ended or (child.returncode > 0) != (failed is not None):
        raise CouldNot(f"{program.name}: exit code {child.returncode}\n{text[-500:]}")
    if failed:
        return seconds, failed[1]
    if child.returncode < 0:
        return seconds, f"signal {-child.returncode}"
    if not re.search(r"^\[=+\] [1-9]\d* tests? ", text, flags=re.MULTILINE):
        raise CouldNot(f"{program.name}: {wanted} names no test")
    return seconds, ""


def seconds_of(pid):
    """The processor time of a child so far."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e9
    except (OSError, IndexError):
        return 0.0


def wait_for(child, cap):
    """The processor time of a child, and whether this code killed it: at the limit, or after a time in which any
    machine would have given it that much."""
    last = time.monotonic() + 20 * cap + 60
    ended = False
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid != 0:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime, ended
        if not ended and time.monotonic() > last:
            child.kill()
            raise CouldNot(f"{os.path.basename(child.args[0])}: too little of the processor")
        if not ended and seconds_of(child.pid) > cap:
            child.kill()
            ended = True
        time.sleep(0.02)


def run_afl(program, cap, seed, mutator, seeds=(), words=None):
    """Elapsed seconds and the first crash."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        seeds = seeds or [TOP / "corpus/valid/minimal.gguf"]
        copied(seeds, os.path.join(folder, "in"))
        more = {"AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1",
                "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_BENCH_UNTIL_CRASH": "1"}
        if mutator:
            more["AFL_CUSTOM_MUTATOR_LIBRARY"] = str(TOP / "build/release/ggufgate-afl-mutator.so")
        begin = time.monotonic()
        done = subprocess.run(
            ["afl-fuzz", "-i", "in", "-o", "out", "-s", str(seed), "-V", str(cap), "-t", "10000",
             *(("-x", str(words)) if words else ()), "--", str(program)],
            cwd=folder, env=clean_environment(**more), check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=10 * cap + 60)
        seconds = time.monotonic() - begin
        crashes = sorted(pathlib.Path(folder, "out/default/crashes").glob("id:*"))
        if not pathlib.Path(folder, "out/default/fuzzer_stats").exists():
            # The run does not start if the seed itself finds the bug: one_lie puts a lie into any file.
            killer = killer_on(program, seeds[0])
            if not killer:
                raise CouldNot(f"afl-fuzz: {done.stdout.decode(errors='replace')[-1500:]}")
            return seconds, killer
        return seconds, (killer_on(program, crashes[0]) or "crash") if crashes else ""


def killer_on(program, path):
    """The crash of a program that is given one file."""
    done = subprocess.run([str(program), str(path)], check=False, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=clean_environment())
    return killer_in(done.stdout.decode(errors="replace"))
