"""The release archive: its contents, that it has no dependencies, and that it is reproducible."""

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tarfile
import tempfile
import time
import unittest

from support import BUILD, NOBODY, PACKAGES, TOP, Case, archive, need, need_root, run

sys.path.insert(0, os.path.join(TOP, "packaging"))
import documents  # noqa: E402
import linked  # noqa: E402

SCHEMAS = os.path.join(TOP, "build/schemas/cyclonedx/package/res/schema")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def relative_links(name, text):
    """The targets of a document's links in the archive."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return [os.path.normpath(os.path.join(os.path.dirname(name), link.split("#")[0]))
            for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:|#", link)]


class Contents(Case):
    def setUp(self):
        self.name = os.path.basename(archive())[:-len(".tar.gz")]
        with tarfile.open(archive()) as tar:
            self.members = {member.name[len(self.name) + 1:]: member for member in tar.getmembers()}

    def test_is_whole(self):
        wanted = {"bin/ggufgate", "LICENSE", "README.md", "CHANGELOG.md", "sbom.cdx.json", "build-info.json",
                  "share/man/man1/ggufgate.1", "share/bash-completion/completions/ggufgate",
                  "share/zsh/site-functions/_ggufgate", "share/fish/completions/ggufgate.fish"}
        self.assertEqual(wanted - set(self.members), set())
        for name, member in self.members.items():
            self.assertEqual((member.uid, member.gid), (0, 0), name)
            self.assertIn(member.mode, (0o755, 0o644), name)
            self.assertFalse(member.issym() or member.islnk(), name)

    def test_relative_links_lead_somewhere(self):
        folders = {os.path.dirname(name) for name in self.members}
        checked = {}
        with tarfile.open(archive()) as tar:
            for name in self.members:
                if name.endswith(".md"):
                    text = tar.extractfile(f"{self.name}/{name}").read().decode()
                    checked[name] = relative_links(name, text)
                    for target in checked[name]:
                        self.assertTrue(target in self.members or target in folders, f"{name}: {target}")
        self.assertGreater(len(checked["README.md"]), 20)
        self.assertIn("docs/install.md", checked)

    def test_sums_are_right(self):
        self.ok("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=PACKAGES)

    def test_bill_names_what_is_linked(self):
        with open(os.path.join(PACKAGES, self.name + ".sbom.cdx.json"), encoding="utf-8") as file:
            bill = json.load(file)
        names = {one["name"] for one in bill["components"]}
        self.assertLessEqual({"abseil", "openssl", "glibc", "gcc-12"}, names)
        for one in bill["components"]:
            self.assertIn(f"licences/{one['name']}/copyright", self.members)
        self.assertEqual(bill["metadata"]["component"]["hashes"][0]["content"],
                         digest(os.path.join(BUILD, "ggufgate-static")))

    def test_bill_fits_its_schema(self):
        if not os.path.isdir(SCHEMAS):
            self.skipTest("scripts/fetch-reference fetches the schema")
        import jsonschema  # from Debian
        store = {}
        for name in os.listdir(SCHEMAS):
            if name.endswith(".json"):
                with open(os.path.join(SCHEMAS, name), encoding="utf-8") as file:
                    schema = json.load(file)
                # Others refer to each schema without SNAPSHOT in its name.
                store["http://cyclonedx.org/schema/" + name.replace(".SNAPSHOT", "")] = schema
                store["http://cyclonedx.org/schema/" + name] = schema
        schema = store["http://cyclonedx.org/schema/bom-1.6.schema.json"]
        validator = jsonschema.Draft7Validator(
            schema, resolver=jsonschema.RefResolver(schema["$id"], schema, store=store))
        with open(os.path.join(PACKAGES, self.name + ".sbom.cdx.json"), encoding="utf-8") as file:
            bill = json.load(file)
        self.assertEqual([error.message for error in validator.iter_errors(bill)], [])
        bill["components"][0]["type"] = "lybrary"
        self.assertFalse(validator.is_valid(bill))


class Alone(Case):
    """The program in an empty root."""

    def test_needs_nothing_of_the_system(self):
        need("readelf")
        said = self.ok("readelf", "--wide", "--dynamic", "--segments", "--notes", os.path.join(BUILD, "ggufgate-static"))
        self.assertNotIn("NEEDED", said)
        self.assertNotIn("INTERP", said)
        self.assertIn("Entry point", said)
        self.assertRegex(said, "DYN")
        self.assertIn("GNU_RELRO", said)
        self.assertNotIn("RWE", said)
        self.assertIn("SHSTK", said)

    def test_is_stripped(self):
        self.assertNotIn(".symtab", self.ok("readelf", "--wide", "--sections", os.path.join(BUILD, "ggufgate-static")))

    def test_judges_in_an_empty_root_as_nobody(self):
        need_root()
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as root:
            os.chmod(root, 0o755)
            os.mkdir(os.path.join(root, "dev"))  # every container has it
            os.mknod(os.path.join(root, "dev/null"), 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            self.ok("tar", "-xzf", archive(), "-C", root, "--strip-components", 1)
            shutil.copytree(os.path.join(TOP, "corpus"), os.path.join(root, "corpus"))
            self.judges("chroot", f"--userspec={NOBODY}:{NOBODY}", root, "/bin/ggufgate",
                        good="corpus/valid/sample-llama.gguf", bad="corpus/invalid/damage-cut-short.gguf")
        self.way("archive", began)


class Again(Case):
    """Two builds give the same bytes."""

    def test_packing(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, TZ="Pacific/Auckland", LC_ALL="C")
            self.ok(os.path.join(TOP, "packaging/release"), "--no-build", "--output", folder,
                    cwd="/", umask=0o077, env=environment)
            for name in os.listdir(folder):
                if name != "SHA256SUMS":
                    self.assertEqual(digest(os.path.join(folder, name)), digest(os.path.join(PACKAGES, name)), name)

    def test_linking_in_another_folder(self):
        command = self.ok("ninja", "-C", BUILD, "-t", "commands", "ggufgate-static").splitlines()[-1]
        with tempfile.TemporaryDirectory() as folder:
            for name in ("src", "CMakeFiles"):
                os.symlink(os.path.join(BUILD, name), os.path.join(folder, name))
            command = re.sub(r"-Map=\S+", "-Map=/dev/null", command)
            self.ok("bash", "-c", command, cwd=folder)
            self.assertEqual(digest(os.path.join(folder, "ggufgate-static")),
                             digest(os.path.join(BUILD, "ggufgate-static")))

    def test_no_path_of_this_machine_is_inside(self):
        with open(os.path.join(BUILD, "ggufgate-static"), "rb") as file:
            self.assertNotIn(os.path.dirname(BUILD).encode(), file.read())


class Documents(Case):
    """Links out of the archive become addresses, or text."""

    SHIPPED = {"README.md", "docs/a.md", "docs/schema/x.json"}

    def relinked(self, text, path="README.md", url=""):
        return documents.relink(path, text, self.SHIPPED, url)

    def test_what_is_shipped_stays_linked(self):
        for text in ("[a](docs/a.md)", "[a](docs/a.md#b)", "[a](docs)", "[a](#b)", "[a](https://example.org/x)"):
            self.assertEqual(self.relinked(text), text)
        for text in ("[a](a.md)", "[a](../README.md)", "[a](schema/x.json)"):
            self.assertEqual(self.relinked(text, "docs/a.md"), text)

    def test_what_is_not_becomes_text(self):
        self.assertEqual(self.relinked("see [`fuzz`](fuzz/README.md)."), "see `fuzz`.")
        self.assertEqual(self.relinked("[x](../fuzz/b.md#c)", "docs/a.md"), "x")
        self.assertEqual(self.relinked("```\n[x](gone.md)\n```"), "```\n[x](gone.md)\n```")

    def test_or_an_address_where_one_is_known(self):
        url = "https://example.org/blob/v1/"
        self.assertEqual(self.relinked("[x](../fuzz/b.md#c)", "docs/a.md", url),
                         "[x](https://example.org/blob/v1/fuzz/b.md#c)")


class Licences(Case):
    def test_an_unknown_part_is_an_error(self):
        self.assertNotIn("zlib", linked.LICENCES)
        with self.assertRaises(KeyError):
            linked.LICENCES["zlib"]


class Arm(Case):
    """The program for 64-bit ARM under QEMU, which lacks seccomp: there it says so and checks nothing."""

    def setUp(self):
        need("qemu-aarch64-static")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.ok("tar", "-xzf", archive("aarch64"), "-C", self.folder.name, "--strip-components", 1)
        self.program = ("qemu-aarch64-static", os.path.join(self.folder.name, "bin/ggufgate"))

    def test_says_what_the_other_says(self):
        for words in (("rules", "--format", "json"), ("explain", "magic"), ("check", "--help")):
            self.assertEqual(self.ok(*self.program, *words), self.ok(os.path.join(BUILD, "ggufgate"), *words))

    def test_makes_the_same_model(self):
        models = [os.path.join(self.folder.name, name) for name in ("arm.gguf", "x86.gguf")]
        for program, model in zip((self.program, (os.path.join(BUILD, "ggufgate"),)), models):
            self.ok(*program, "generate", "--architecture", "qwen3", "--output", model)
        self.assertEqual(digest(models[0]), digest(models[1]))

    def test_is_undecided_where_nothing_can_be_confined(self):
        said = run(*self.program, "check", os.path.join(TOP, "corpus/valid/minimal.gguf"))
        self.assertEqual(said.returncode, 2, said.stdout)
        self.assertIn("confine", said.stdout)


if __name__ == "__main__":
    unittest.main()
