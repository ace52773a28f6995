"""The work corpus of a target: files named by their SHA-1, like those of libFuzzer."""

import hashlib
import os
import shutil

MOST_SEED_FILES = 100_000


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha1(file.read(), usedforsecurity=False).hexdigest()


def add_file(path, folder):
    """Returns whether the file is new."""
    try:
        name = os.path.join(folder, digest_of(path))
        if os.path.exists(name):
            return False
        part = folder + ".part"  # next to the corpus, where no engine reads it
        shutil.copyfile(path, part)
        os.rename(part, name)
    except FileNotFoundError:  # an engine removed it just now
        return False
    return True


def files_in(path):
    """Regular files below a path, or the path itself, without links."""
    if os.path.isfile(path) and not os.path.islink(path):
        yield path
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            whole = os.path.join(folder, name)
            if os.path.isfile(whole) and not os.path.islink(whole):
                yield whole


def seed(target, folder):
    """Copies the target's seeds into its work corpus, except those above its maximum input size, which an engine would
    truncate. Returns the numbers of copied and skipped files."""
    os.makedirs(folder, exist_ok=True)
    taken = left_out = 0
    for path in target.seeds:
        for count, file in enumerate(files_in(path)):
            if count >= MOST_SEED_FILES or not 0 < os.path.getsize(file) <= target.most_bytes:
                left_out += 1
            else:
                taken += add_file(file, folder)
    return taken, left_out


def snapshot(folder, to):
    """The files of a corpus under other names. The folder is never empty, because AFL++ rejects an empty one."""
    os.makedirs(to)
    for name in os.listdir(folder):
        try:
            os.link(os.path.join(folder, name), os.path.join(to, name))
        except FileNotFoundError:
            pass
    if not os.listdir(to):
        with open(os.path.join(to, "nothing"), "wb") as file:
            file.write(b"\n")


def size_of(folder):
    """The number of files and of bytes."""
    sizes = [os.path.getsize(path) for path in files_in(folder)]
    return len(sizes), sum(sizes)


def replace(folder, by):
    """Replaces `folder` by `by`. If a campaign is killed between the two renames, both exist, and `recover` completes
    the replacement."""
    old = folder + ".old"
    shutil.rmtree(old, ignore_errors=True)
    os.rename(folder, old)
    os.rename(by, folder)
    shutil.rmtree(old, ignore_errors=True)


def recover(folder):
    old = folder + ".old"
    if os.path.isdir(old):
        if os.path.isdir(folder):
            shutil.rmtree(old)
        else:
            os.rename(old, folder)
    shutil.rmtree(folder + ".new", ignore_errors=True)
