"""Builds the wheel: the package and libggufgate.so (PEP 517).

$GGUFGATE_LIBRARY or the setting "library" (pip --config-settings library=PATH) is the path of the library. Without
them, CMake builds it from the source tree of this folder.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SONAME = "libggufgate.so.0"
SUMMARY = "Is a GGUF file safe to load, and if not, which byte is wrong?"


def stop(sentence):
    """Stops the build with a message. Other exceptions would print a traceback."""
    raise SystemExit(f"ggufgate: {sentence}")


def version():
    """The version of the project; in a source distribution, from its PKG-INFO."""
    for path, pattern in ((os.path.join(TOP, "CMakeLists.txt"), r"project\(ggufgate VERSION ([\d.]+)"),
                          (os.path.join(HERE, "PKG-INFO"), r"\nVersion: ([\d.]+)")):
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                if match := re.search(pattern, file.read()):
                    return match[1]
    raise RuntimeError("there is no version in CMakeLists.txt of the project or in PKG-INFO")


def metadata():
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (f"Metadata-Version: 2.1\nName: ggufgate\nVersion: {version()}\nSummary: {SUMMARY}\n"
            "License: MIT\nRequires-Python: >=3.9\nProvides-Extra: numpy\n"
            'Requires-Dist: numpy; extra == "numpy"\n'
            f"Description-Content-Type: text/markdown\n\n{readme}")


def compilers():
    """Options to select the compiler of the release, if this system has no default C++ compiler. CMake does not search
    for compilers with a version in their names, and `scripts/setup --only build` installs only clang++-19."""
    if not shutil.which("cmake"):
        stop("cmake is missing: run scripts/setup --only build, or set GGUFGATE_LIBRARY")
    if "CXX" in os.environ or any(shutil.which(name) for name in ("c++", "g++", "clang++")):
        return []
    if not shutil.which("clang++-19"):
        stop("a C++ compiler is missing: run scripts/setup --only build, or set GGUFGATE_LIBRARY")
    return ["-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19"]


def build_library():
    """Builds the library in the tree and returns its path."""
    if not os.path.isfile(os.path.join(TOP, "src", "api", "c", "ggufgate.map")):
        stop(f"the sources of the library are not here: set GGUFGATE_LIBRARY to the path of a {SONAME}")
    folder = os.path.join(TOP, "build", "python")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DBUILD_TESTING=OFF",
               "-DGGUFGATE_PROGRAM=OFF", "-DGGUFGATE_STATIC=ON", "-DGGUFGATE_HARDENING=ON", "-DGGUFGATE_BATCHES=20"]
    options += compilers()
    if shutil.which("ninja"):
        options += ["-G", "Ninja"]
    subprocess.run(["cmake", "-S", TOP, "-B", folder, *options], check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", "--target", "ggufgate_shared"], check=True)
    return os.path.join(folder, SONAME)


def library(config_settings):
    """The path of the library."""
    named = (config_settings or {}).get("library") or os.environ.get("GGUFGATE_LIBRARY")
    if not named:
        return build_library()
    if not os.path.isfile(named):
        stop(f"there is no library {named}: GGUFGATE_LIBRARY must be the path of a {SONAME}; without it, "
             "the library is built")
    return named


def package_files():
    folder = os.path.join(HERE, "ggufgate")
    return sorted(name for name in os.listdir(folder) if name.endswith((".py", ".typed")))


class Wheel:
    """A zip file with constant timestamps, and the list of its contents."""

    def __init__(self, path):
        self.file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []
        self.time = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]

    def add(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, self.time)
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.file.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self, info):
        self.record.append(f"{info}/RECORD,,\n")
        listed = zipfile.ZipInfo(f"{info}/RECORD", self.time)
        listed.external_attr = 0o100644 << 16
        self.file.writestr(listed, "".join(self.record))
        self.file.close()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Returns the metadata that pip needs before it builds. Without this function it would build twice."""
    info = f"ggufgate-{version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, info), exist_ok=True)
    with open(os.path.join(metadata_directory, info, "METADATA"), "w", encoding="utf-8") as file:
        file.write(metadata())
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = f"ggufgate-{version()}.dist-info"
    name = f"ggufgate-{version()}-py3-none-{platform}.whl"
    # Write to a temporary folder, so that nobody can install an incomplete wheel.
    with tempfile.TemporaryDirectory(dir=wheel_directory) as folder:
        path = os.path.join(folder, name)
        wheel = Wheel(path)
        for file in package_files():
            wheel.add(f"ggufgate/{file}", read(os.path.join(HERE, "ggufgate", file)))
        wheel.add(f"ggufgate/_lib/{SONAME}", read(library(config_settings)), 0o755)
        wheel.add(f"{info}/METADATA", metadata().encode())
        wheel.add(f"{info}/WHEEL", ("Wheel-Version: 1.0\nGenerator: ggufgate\nRoot-Is-Purelib: false\n"
                                    f"Tag: py3-none-{platform}\n").encode())
        licence = next(path for path in (os.path.join(TOP, "LICENSE"), os.path.join(HERE, "LICENSE"))
                       if os.path.isfile(path))
        wheel.add(f"{info}/LICENSE", read(licence))
        wheel.close(info)
        os.replace(path, os.path.join(wheel_directory, name))
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The package without the sources of the library. To build it, set the path of a library."""
    base = f"ggufgate-{version()}"
    with tarfile.open(os.path.join(sdist_directory, f"{base}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name in ["pyproject.toml", "backend.py", "README.md", *(f"ggufgate/{f}" for f in package_files())]:
            tar.add(os.path.join(HERE, name), f"{base}/{name}")
        tar.add(os.path.join(TOP, "LICENSE"), f"{base}/LICENSE")
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(metadata())
            file.flush()
            tar.add(file.name, f"{base}/PKG-INFO")
    return f"{base}.tar.gz"
