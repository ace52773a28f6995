"""A Debian 12 with only the packages of minbase, and a clone of this tree in it."""

import os
import shutil
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 3600  # for one command
INSIDE = ("env", "-i", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
          "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "bash", "-euo", "pipefail", "-c", "cd /ggufgate\n")


class CannotBeTried(Exception):
    pass


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def need():
    if os.geteuid() != 0:
        raise CannotBeTried("only root can make a clean root")
    for tool in ("mmdebstrap", "unshare", "git", "chroot"):
        if not shutil.which(tool):
            raise CannotBeTried(f"{tool} is not installed")


def mirror():
    """The mirror of Debian 12 that this machine has; none: mmdebstrap takes its own."""
    found = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian",
         "Codename: bookworm"], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return found.stdout.split("\n")[:1] if found.stdout else []


def make_root(root):
    try:
        run("mmdebstrap", "--quiet", "--dpkgopt=force-unsafe-io", "--variant=minbase", "bookworm", root, *mirror())
    except subprocess.CalledProcessError as error:
        raise CannotBeTried("mmdebstrap could not make a root") from error
    # `apt install` asks for confirmation; a user would say yes.
    with open(os.path.join(root, "etc/apt/apt.conf.d/90yes"), "w", encoding="utf-8") as file:
        file.write('APT::Get::Assume-Yes "true";\n')


def put_tree(root):
    """The clone, with the uncommitted files of this tree; where it lies."""
    tree = os.path.join(root, "ggufgate")
    if not os.path.isdir(tree):
        run("git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--depth", "1",
            "file://" + TOP, tree)
    listed = run("git", "-C", TOP, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                 stdout=subprocess.PIPE).stdout.decode().split("\0")
    for name in filter(None, listed):
        source, copy = os.path.join(TOP, name), os.path.join(tree, name)
        if not os.path.lexists(source):
            if os.path.lexists(copy):
                os.unlink(copy)
        elif not same(source, copy):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy(source, copy, follow_symlinks=False)
    return tree


def same(source, copy):
    if not os.path.exists(copy) or os.path.getsize(source) != os.path.getsize(copy):
        return False
    with open(source, "rb") as one, open(copy, "rb") as other:
        return one.read() == other.read()


def inside(root, script, log):
    """Runs a script in the root. Returns its exit code and output."""
    began = log.tell()
    # As every machine has them: processes, and terminals for the tests that need one.
    mounted = ('mount -t proc proc "$0/proc" && mkdir -p "$0/dev/pts" && '
               'mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" && exec chroot "$0" "$@"')
    try:
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", mounted, root, *INSIDE[:-1],
             INSIDE[-1] + script], check=False, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=SECONDS)
        code = done.returncode
    except subprocess.TimeoutExpired:
        code = f"none after {SECONDS} s"
    log.flush()
    with open(log.name, encoding="utf-8", errors="replace") as file:
        return code, file.read()[began:]
