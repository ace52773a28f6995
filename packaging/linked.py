"""The contents of the static program: the Debian packages of its archives and headers."""

import os
import re
import subprocess

# Licences of the source packages that we build with. An unknown package is an error.
LICENCES = {
    "abseil": "Apache-2.0",
    "cli11": "BSD-3-Clause",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "highway": "Apache-2.0",
    "linux": "GPL-2.0-only WITH Linux-syscall-note",
    "llvm-toolchain-19": "Apache-2.0 WITH LLVM-exception",
    "nlohmann-json3": "MIT",
    "openssl": "Apache-2.0",
}
OURS = ("src/CMakeFiles/", "CMakeFiles/ggufgate_static.dir/")
OTHERS = ("src/CMakeFiles/ggufgate_fetch", "src/CMakeFiles/ggufgate_rehearse_driver",
          "src/CMakeFiles/ggufgate_rehearser", "src/CMakeFiles/ggufgate_rehearsal_preload")  # programs of their own, which are not static


def archives(map_file):
    """Archives and start-up objects that the linker used."""
    with open(map_file, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = set(re.findall(r"^(/\S+\.a)\(", text, re.MULTILINE))
    return found | set(re.findall(r"^LOAD (/\S+\.o)$", text, re.MULTILINE))


def headers(build):
    """Third-party headers that our objects include, from the dependency notes of ninja."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    found, ours = set(), False
    for line in text.splitlines():
        if not line.startswith(" "):
            ours = line.startswith(OURS) and not line.startswith(OTHERS)
        elif ours:
            found.add(line.strip())
    return {os.path.normpath(path) for path in found if "/usr/" in path and path.startswith("/")}


class Installed:
    """Files of this system, as dpkg knows them."""

    def owners(self, paths):
        """Binary packages of the files."""
        paths = sorted({os.path.realpath(path) for path in paths})
        # A folder that was merged into /usr is known by its old name.
        paths += [path[len("/usr"):] for path in paths if path.startswith("/usr/lib/")]
        text = subprocess.run(["dpkg-query", "--search", *paths], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return {line.split(": /")[0].split(",")[0] for line in text.splitlines() if not line.startswith("diversion")}

    def describe(self, packages):
        """(package, source, version of the source) of each."""
        return subprocess.run(
            ["dpkg-query", "--show", "--showformat", "${Package}\t${source:Package}\t${source:Version}\n",
             *packages], check=True, text=True, stdout=subprocess.PIPE).stdout

    def copyright(self, package):
        return f"/usr/share/doc/{package}/copyright"


class Unpacked:
    """Files of build/arm64-root, as packaging/arm64-root noted them."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.owner, self.about = {}, {}
        with open(os.path.join(root, "files"), encoding="utf-8") as file:
            for line in file:
                package, path = line.rstrip("\n").split("\t")
                self.owner[path] = package
        with open(os.path.join(root, "packages"), encoding="utf-8") as file:
            for line in file:
                self.about[line.split("\t")[0]] = line

    def owners(self, paths):
        found = set()
        for path in paths:
            inside = os.path.realpath(path)
            if inside.startswith(self.root + "/"):
                found.add(self.owner[inside[len(self.root):]])
        return found

    def describe(self, packages):
        return "".join(self.about[package] for package in sorted(packages))

    def copyright(self, package):
        return f"{self.root}/usr/share/doc/{package}/copyright"


def linked(build, root=None):
    """For each source package: its version, its binary packages, its licence, where its copyright is."""
    system = Unpacked(root) if root else Installed()
    files = archives(os.path.join(build, "ggufgate-static.map")) | headers(build)
    found = {}
    for line in system.describe(sorted(system.owners(files))).splitlines():
        package, source, version = line.split("\t")
        entry = found.setdefault(source, {"version": version, "packages": [], "licence": LICENCES[source]})
        if package not in entry["packages"]:
            entry["packages"].append(package)
        if "copyright" not in entry and os.path.exists(system.copyright(package)):
            entry["copyright"] = system.copyright(package)
    return dict(sorted(found.items()))
