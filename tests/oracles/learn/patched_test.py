"""A patched library, with one more assertion than the release: the learner finds the condition.

usage: patched_test.py BUILD, the folder of ask-llama, learn-llama and judge-models. Exit code 77: the reference or a
compiler is missing.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import fit
import main as learning
import release

ADDED = "first-key-value-heads-equal"  # llama must have as many key-value heads as heads


def patched(folder, real, compiler):
    """Fills a folder with links to the real libraries and with libllama.so, which loads models through the real one."""
    for name in os.listdir(os.path.dirname(real)):
        os.symlink(os.path.join(os.path.dirname(real), name), os.path.join(folder, name))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", os.path.join(folder, "libllama.so"),
                    os.path.join(HERE, "patched_llama.c"),
                    "-I", os.path.join(learning.ROOT, "build/reference-headers/package"),
                    os.path.join(folder, os.path.basename(real)), "-Wl,-rpath," + folder], check=True)


def conditions(build, folder):
    """The conditions of llama that changes of single keys show."""
    os.environ["GGUFGATE_LLAMA"] = folder
    lab = learning.Lab(build)
    forms = learning.forms_of(lab.learner, lab.runner, "llama")[:1]
    types = learning.key_types(lab.runner, forms[0][1])
    seen, _ = learning.sweep_keys(lab, "llama", forms, types)
    lab.close()
    return set(fit.conditions(seen, fit.condition_slugs(learning.CONDITIONS))[0])


def main():
    compiler = shutil.which("cc") or shutil.which("clang-19")
    reference = os.path.join(learning.ROOT, "build/reference/package/bins/linux-x64")
    if compiler is None or not os.path.isdir(reference):
        return 77
    real = release.library_in(reference)
    with tempfile.TemporaryDirectory() as folder:
        patched(folder, real, compiler)
        plain, more = conditions(sys.argv[1], reference), conditions(sys.argv[1], folder)
    print("only with the patch:", sorted(more - plain), "only without:", sorted(plain - more))
    return 0 if f"condition {ADDED} aborts load" in more - plain else 1


if __name__ == "__main__":
    programs = [os.path.join(sys.argv[1], "oracles", name) for name in ("ask-llama", "learn-llama", "judge-models")]
    sys.exit(main() if all(map(os.path.exists, programs)) else 77)
