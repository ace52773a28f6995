"""The Debian packages: lintian, and a first verdict in a new root."""

import glob
import os
import shutil
import tempfile
import time
import unittest

from support import NOBODY, PACKAGES, TOP, Case, need, need_root

DEBS = os.path.join(PACKAGES, "deb")
USER = ("--userspec", f"{NOBODY}:{NOBODY}")


def deb(package):
    found = glob.glob(os.path.join(DEBS, f"{package}_*.deb"))
    if len(found) != 1:
        raise unittest.SkipTest(f"no package {package}: packaging/deb")
    return found[0]


class Lint(Case):
    def test_lintian_finds_nothing(self):
        need("lintian")
        packages = [deb(package) for package in ("ggufgate", "ggufgate-fetch", "ggufgate-rehearse", "libggufgate0",
                                                "libggufgate-dev")]
        said = self.ok("lintian", "--allow-root", "--fail-on", "error,warning", *packages)
        self.assertNotRegex(said, r"(?m)^[EW]: ")


class Depends(Case):
    """Dependencies of a package in Debian: a package that exists only in Debian 12 would prevent installation in
    Debian 13."""

    def needs(self, package):
        return {one.split()[0] for one in self.ok("dpkg-deb", "--field", deb(package), "Depends").split(",")}

    def test_the_program_and_the_library_need_the_c_library(self):
        for package in ("ggufgate", "libggufgate0"):
            with self.subTest(package=package):
                self.assertEqual(self.needs(package), {"libc6"})

    def test_what_one_builds_with_needs_abseil(self):
        self.assertIn("libabsl-dev", self.needs("libggufgate-dev"))


class CleanRoot(Case):
    """A Debian 12 with only the essential packages, made by mmdebstrap."""

    @classmethod
    def setUpClass(cls):
        need("mmdebstrap")
        need_root()
        deb("ggufgate")
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        os.chmod(cls.folder, 0o755)
        cls.root = os.path.join(cls.folder, "root")
        cls.began = time.monotonic()
        # From the sources of this system, whatever their names are.
        sources = []
        for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/debian.sources")]:
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    sources.append(file.read())
        done = cls().run_bootstrap("\n\n".join(sources))
        if done:
            raise unittest.SkipTest(f"mmdebstrap cannot make a root here:\n{done}")

    def runTest(self):
        """Never run: for an instance without a test."""

    def run_bootstrap(self, sources):
        from support import run
        done = run("mmdebstrap", "--quiet", "--mode=root", "--variant=essential",
                   "--dpkgopt=force-unsafe-io", "--dpkgopt=path-exclude=/usr/share/locale/*",
                   "bookworm", self.root, "-", stdin=None, input=sources)
        return done.stdout if done.returncode else ""

    def inside(self, *command, user=(), **options):
        return self.ok("chroot", *user, self.root, *command, **options)

    def test_first_verdict(self):
        shutil.copytree(os.path.join(TOP, "corpus"), os.path.join(self.root, "corpus"))
        shutil.copy(deb("ggufgate"), os.path.join(self.root, "ggufgate.deb"))
        self.inside("dpkg", "--install", "ggufgate.deb")
        good = self.inside("ggufgate", "check", "corpus/valid/sample-llama.gguf", user=USER)
        self.assertIn("ok ", good)
        self.way("deb, a new Debian included", self.began)
        self.inside("ggufgate", "check", "corpus/invalid/damage-cut-short.gguf", user=USER, code=1)
        self.inside("dpkg", "--purge", "ggufgate")
        self.assertFalse(os.path.exists(os.path.join(self.root, "usr/share/man/man1/ggufgate.1.gz")))


class Develop(Case):
    """The development files, unpacked next to this system's headers."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for package in ("libggufgate0", "libggufgate-dev"):
            self.ok("dpkg-deb", "--extract", deb(package), self.folder.name)

    def test_c_by_pkg_config(self):
        need("gcc-12", "pkg-config")
        source = os.path.join(self.folder.name, "version.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include <ggufgate/ggufgate.h>\n#include <stdio.h>\n'
                       'int main(void) { return puts(ggufgate_version()) < 0; }\n')
        root = self.folder.name
        flags = self.ok("pkg-config", "--cflags", "--libs", "ggufgate", env=dict(
            os.environ, PKG_CONFIG_SYSROOT_DIR=root, PKG_CONFIG_LIBDIR=glob.glob(root + "/usr/lib/*/pkgconfig")[0],
            PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1", PKG_CONFIG_ALLOW_SYSTEM_LIBS="1")).split()
        program = os.path.join(root, "version")
        self.ok("gcc-12", source, "-o", program, *flags)
        said = self.ok(program, env={"LD_LIBRARY_PATH": root + "/usr/lib"})
        self.assertRegex(said, r"^\d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
