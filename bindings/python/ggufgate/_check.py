"""Policies, options and checks."""

from __future__ import annotations

import ctypes
import difflib
import os
from typing import Any, Optional, Tuple, Union

from . import _library
from ._errors import BAD_POLICY, NOT_FOUND, PolicyError, require
from ._library import lib
from ._reader import ReaderPlace, reader_of
from ._report import Report, Severity, take_report

Source = Union[str, "os.PathLike[str]", int, bytes, bytearray, memoryview, Any]

_DATA = {None: 0, "none": 1, "scales": 2, "full": 3}
_FAIL_ON = {None: 0, "note": 1, "warning": 2, "error": 3}
_SECOND_OPINION = {"small": 0, "always": 1, "never": 2}
_PROFILES = ("gate", "llama.cpp", "spec", "diffusion")


class Policy:
    """A policy: docs/policy.md. Checks in any threads may share it."""

    def __init__(self, toml: str = 'schema = "ggufgate.policy/1"\n', *, profile: Optional[str] = None,
                 name: Optional[str] = None) -> None:
        """Parses the text of a policy file. `profile` overrides the profile of the text, `name` is for reports.

        Raises PolicyError, which lists all errors.
        """
        if not isinstance(toml, str):
            raise TypeError(f"the text of a policy is a str, not {_kind(toml)}; Policy.from_file reads a file")
        text = toml.encode("utf-8")
        problems, policy = ctypes.c_void_p(), ctypes.c_void_p()
        status = lib.policy_parse(text, len(text), _bytes(profile), _bytes(name), problems, policy)
        if status == BAD_POLICY:
            raise PolicyError(_library.take_text(problems).splitlines())
        if status == NOT_FOUND:
            raise PolicyError([f"there is no profile {profile!r}; must be one of {', '.join(map(repr, _PROFILES))}"])
        require(status)
        self._handle = policy
        self._made_of = (toml, profile, name)

    def __reduce__(self) -> Any:  # for other processes
        return _policy_of, self._made_of

    @classmethod
    def from_file(cls, path: Union[str, "os.PathLike[str]"], *, profile: Optional[str] = None) -> Policy:
        """Reads a policy file."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), profile=profile, name=str(path) if isinstance(path, int) else os.fspath(path))

    def __del__(self) -> None:
        if handle := getattr(self, "_handle", None):
            lib.policy_free(handle)


def _policy_of(toml: str, profile: Optional[str], name: Optional[str]) -> Policy:
    return Policy(toml, profile=profile, name=name)


def _kind(value: Any) -> str:
    return f"a value of type {type(value).__name__}"


def _bytes(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else os.fsencode(text)


def policy_for(policy: Optional[Policy], profile: Optional[str]) -> Optional[Policy]:
    """The policy for the options `policy` and `profile`."""
    if policy is not None and not isinstance(policy, Policy):
        raise TypeError(f"policy is {_kind(policy)}, not a ggufgate.Policy: use Policy.from_file(path), or Policy(text)")
    if policy is not None and profile is not None:
        raise ValueError("policy and profile exclude each other: use Policy(text, profile=...)")
    return Policy(profile=profile) if profile is not None else policy


def refuse_unknown(function: str, options: Any, known: Any) -> None:
    """Rejects an unknown option, and suggests a similar one."""
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}"
            raise TypeError(f"{function}() has no option {name!r}; {hint}")


def _choice(name: str, value: Any, choices: dict) -> int:
    if isinstance(value, Severity):
        value = value.word
    if value not in choices:
        raise ValueError(f"{name} is {value!r}, not one of {', '.join(repr(c) for c in choices if c)}")
    return choices[value]


class Wanted:
    """Options for the library, and the objects that they point to."""

    def __init__(self, *, policy: Optional[Policy] = None, profile: Optional[str] = None, data: Optional[str] = None,
                 fail_on: Union[str, Severity, None] = None, jobs: int = 1, sha256: bool = False,
                 name: Optional[str] = None, second_opinion: str = "small", timeout: Optional[float] = None,
                 even_if_rejected: bool = False) -> None:
        self.policy = policy_for(policy, profile)
        options = _library.Options(size=ctypes.sizeof(_library.Options))
        if self.policy is not None:
            options.policy = self.policy._handle
        options.name = _bytes(name)
        options.data = _choice("data", data, _DATA)
        options.fail_on = _choice("fail_on", fail_on, _FAIL_ON)
        options.jobs = _between("jobs", jobs, 1024)
        options.sha256 = int(sha256)
        options.open_rejected = int(even_if_rejected)
        options.second_opinion = _choice("second_opinion", second_opinion, _SECOND_OPINION)
        if timeout is not None:
            options.timeout_ms = max(1, _between("timeout", round(timeout * 1000), 2**32 - 1))
        self.options = options


def _options_without(*names: str) -> Tuple[str, ...]:
    return tuple(name for name in Wanted.__init__.__kwdefaults__ if name not in names)


CHECK_OPTIONS = ("confined", *_options_without("even_if_rejected"))
OPEN_OPTIONS = _options_without("second_opinion", "timeout")


def _between(name: str, value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise ValueError(f"{name} is {value}, not between 0 and {most}")
    return value


class Memory:
    """Bytes of the caller without a copy, pinned for the lifetime of this object."""

    def __init__(self, source: Any) -> None:
        self.view = memoryview(source).cast("B")
        self.size = self.view.nbytes
        if self.view.readonly or self.size == 0:
            # ctypes takes addresses only of writable buffers, or of bytes.
            self.kept = source if isinstance(source, bytes) else self.view.tobytes()
            self.view = memoryview(self.kept)
            self.address = ctypes.cast(ctypes.c_char_p(self.kept), ctypes.c_void_p)
        else:
            self.kept = (ctypes.c_char * self.size).from_buffer(self.view)
            self.address = ctypes.c_void_p(ctypes.addressof(self.kept))


def place_of(source: Source) -> Tuple[str, Any]:
    """The kind of a source, and its argument for the library."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fsencode(source)
        if b"\0" in path:
            raise ValueError("embedded null byte")
        return "path", path
    if isinstance(source, int) and not isinstance(source, bool):
        # ctypes would truncate a larger number to another descriptor.
        return "descriptor", _between("the file descriptor", source, 2**31 - 1)
    if hasattr(source, "fileno"):
        try:
            return "descriptor", source.fileno()
        except OSError:  # an object of io or fsspec without a descriptor
            pass
    if isinstance(source, ReaderPlace):
        return "reader", source
    reader = reader_of(source)
    if reader is not None:
        return "reader", ReaderPlace(reader)
    try:
        return "memory", Memory(source)
    except TypeError:
        raise TypeError(f"cannot check {_kind(source)}: give a path, a file descriptor, an open file, "
                        "bytes or a ggufgate.Reader") from None


def check(source: Source, *, confined: bool = False, **options: Any) -> Report:
    """Checks a file and returns the report, for every verdict.

    `source` is a path, a descriptor or an object that has one, bytes, a Reader, or an object with seek and read,
    such as those of fsspec. If a file cannot be read, the report is undecided; there is no exception.

    Options, all optional:
      policy            a Policy; or `profile`: "gate", "llama.cpp", "spec", "diffusion"
      data              how much of the tensor data is checked: "none", "scales", "full"
      fail_on           "error", "warning", "note"
      jobs              threads that check tensor data
      sha256            whether the report has the SHA-256 of all bytes
      name              name of the file in the report
      confined          whether to check in confined processes, as the command does; requires a path, and starts
                        processes: see ggufgate_check_confined in ggufgate.h
      second_opinion    for a confined check: "small", "always", "never"
      timeout           for a confined check, in seconds: then the file is undecided

    Load the bytes that were checked: by the descriptor that was checked, from memory, or with ggufgate.open.
    """
    refuse_unknown("check", options, CHECK_OPTIONS)
    kind, place = place_of(source)
    asked = Wanted(**options)  # keeps the policy until the end of the call
    wanted = asked.options
    report = ctypes.c_void_p()
    if confined and kind != "path":
        raise ValueError(f"a confined check needs a path, not {_kind(source)}")
    if confined:
        require(lib.check_confined(place, wanted, report))
    elif kind == "path":
        require(lib.check_path(place, wanted, report))
    elif kind == "descriptor":
        require(lib.check_descriptor(place, wanted, report))
    elif kind == "reader":
        require(lib.check_reader(place.struct, wanted, report))
        told = take_report(report)
        place.done()
        return told
    else:
        require(lib.check_memory(place.address, place.size, wanted, report))
    return take_report(report)
