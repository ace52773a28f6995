"""Exceptions."""

from __future__ import annotations

from ._library import lib

OK, BAD_ARGUMENT, OUT_OF_MEMORY, NOT_FOUND, OUT_OF_RANGE, WRONG_TYPE, NOT_ACCEPTED, BAD_POLICY, IO, UNSUPPORTED = range(10)


class GgufgateError(Exception):
    """Base class of the exceptions of this package."""


class PolicyError(GgufgateError):
    """A text is not a valid policy. `problems` lists all errors with line and column."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems) or "not a policy")


class FileReadError(GgufgateError, OSError):
    """The system could not read an open file, or the file has become shorter."""


class UnsupportedError(GgufgateError):
    """This build, or this kind of file or tensor, does not support the call."""


class ClosedError(GgufgateError, ValueError):
    """The file has been closed."""


def require(status: int) -> None:
    """Raises the exception for a status; returns for OK."""
    if status == OK:
        return
    text = lib.status_text(status).decode()
    if status == OUT_OF_MEMORY:
        raise MemoryError(text)
    if status == OUT_OF_RANGE:
        raise IndexError(text)
    if status == BAD_ARGUMENT:
        raise ValueError(text)
    if status == IO:
        raise FileReadError(text)
    if status == UNSUPPORTED:
        raise UnsupportedError(text)
    raise GgufgateError(text)
