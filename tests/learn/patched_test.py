"""A patched library, with one more assertion than the release: the learner finds the condition, and the gate rejects by it.

usage: patched_test.py BUILD, the folder of ask-llama, learn-llama and judge-models. Exit code 77: the reference or a
compiler is missing.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../src/learn"))

import fit
import main as learning
import release
import table
from gguf_file import Value

ADDED = "first-key-value-heads-equal"  # llama must have as many key-value heads as heads


def patched(folder, real, compiler):
    """Fills a folder with links to the real libraries and with libllama.so, which loads models through the real one."""
    for name in os.listdir(os.path.dirname(real)):
        os.symlink(os.path.join(os.path.dirname(real), name), os.path.join(folder, name))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", os.path.join(folder, "libllama.so"),
                    os.path.join(HERE, "patched_llama.c"),
                    "-I", os.path.join(learning.ROOT, "build/reference-headers/package"),
                    os.path.join(folder, os.path.basename(real)), "-Wl,-rpath," + folder], check=True)


def learned(build, folder):
    """The conditions of llama that changes of single keys show, and a model with fewer key-value heads than heads."""
    os.environ["GGUFGATE_LLAMA"] = folder
    lab = learning.Lab(build)
    forms = learning.forms_of(lab.learner, lab.runner, "llama")[:1]
    types = learning.key_types(lab.runner, forms[0][1])
    seen, _ = learning.sweep_keys(lab, "llama", forms, types)
    grouped = lab.follow(forms[0][1].model.with_key("llama.attention.head_count_kv", Value("u32", 1)))
    lab.close()
    return set(fit.conditions(seen, fit.condition_slugs(learning.CONDITIONS))[0]), grouped


def verdict(build, folder, lines, model):
    """The exit code of the gate for a model, by the contracts of the release with more lines for llama."""
    text = table.read(learning.TABLE)
    text = text.replace(f"\nrelease {table.release_of(text)}\n", "\nrelease a patched build\n", 1)
    block = text.index("\narchitecture llama ")
    place = text.index("\ncondition ", block) + 1
    contracts, path = os.path.join(folder, "contracts"), os.path.join(folder, "model.gguf")
    with open(contracts, "w", encoding="utf-8") as file:
        file.write(text[:place] + "".join(line + "\n" for line in lines) + text[place:])
    with open(path, "wb") as file:
        file.write(model.bytes())
    done = subprocess.run([os.path.join(build, "ggufgate"), "check", "--contracts", contracts, path], check=False,
                          capture_output=True, text=True)
    print(done.stdout, done.stderr)
    return done.returncode


def main():
    compiler = shutil.which("cc") or shutil.which("clang-19")
    reference = os.path.join(learning.ROOT, "build/reference/package/bins/linux-x64")
    if compiler is None or not os.path.isdir(reference):
        return 77
    real = release.library_in(reference)
    with tempfile.TemporaryDirectory() as folder:
        patched(folder, real, compiler)
        (plain, grouped), (more, _) = learned(sys.argv[1], reference), learned(sys.argv[1], folder)
        new = sorted(more - plain)
        print("only with the patch:", new, "only without:", sorted(plain - more))
        verdicts = [verdict(sys.argv[1], folder, lines, grouped) for lines in ([], new)]
    return 0 if f"condition {ADDED} aborts load" in new and verdicts == [0, 1] else 1


if __name__ == "__main__":
    programs = [os.path.join(sys.argv[1], name)
                for name in ("oracles/ask-llama", "oracles/learn-llama", "oracles/judge-models", "ggufgate")]
    sys.exit(main() if all(map(os.path.exists, programs)) else 77)
