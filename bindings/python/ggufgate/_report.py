"""Verdicts, findings and reports."""

from __future__ import annotations

import ctypes
import enum
import json as _json
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Tuple, Union

from . import _library
from ._errors import GgufgateError, require
from ._library import lib


class Verdict(enum.Enum):
    """The answer. Only ACCEPT means: load it."""

    ACCEPT = "accept"
    REJECT = "reject"  # a fact about the bytes speaks against loading
    UNDECIDED = "undecided"  # the machine failed; do not load it either


class Severity(enum.IntEnum):
    """How much a finding weighs."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Cause:
    """What happened to a file, where its bytes show it."""

    id: str
    message: str
    advice: str


@dataclass(frozen=True)
class Finding:
    """One breach of one rule. All text is escaped: safe for a terminal or a log."""

    rule: str  # its stable name, as in docs/rules.md
    severity: Severity
    offset: int  # of the byte that is wrong
    length: int  # bytes from there on that it is about
    place: str  # the record: "tokenizer.ggml.tokens[431]"
    message: str  # what was found, and what is allowed
    observed: Union[int, str, None] = None
    allowed: Union[int, str, None] = None
    suppressed: Optional[str] = None  # the policy's reason to let it pass
    cause: Optional[Cause] = None

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return f"{self.offset:#x} {self.severity.word}[{self.rule}] {place}{self.message}"


@dataclass(frozen=True)
class Report:
    """The verdict on one file and all that led to it."""

    path: str  # escaped; "" for what has no name
    verdict: Verdict
    problem: str  # why it is undecided; else ""
    findings: Tuple[Finding, ...]
    size: int  # of the file, in bytes
    sha256: Optional[str]  # where it was asked for
    json: str = field(repr=False)  # what `ggufgate check --format json` prints

    @property
    def accepted(self) -> bool:
        """Whether the file may be loaded."""
        return self.verdict is Verdict.ACCEPT

    def to_dict(self) -> Dict[str, Any]:
        """The report on this file as the JSON has it: docs/formats.md."""
        return _json.loads(self.json)["files"][0]


_VERDICTS = (Verdict.ACCEPT, Verdict.REJECT, Verdict.UNDECIDED)


class NotAcceptedError(GgufgateError):
    """A file was judged and not accepted, so that it was not opened.

    `report` says why.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        errors = [f for f in report.findings if f.suppressed is None]
        why = report.problem or (str(errors[0]) if errors else report.verdict.value)
        super().__init__(f"{report.path or 'the file'}: {report.verdict.value}: {why}")


def _fact(fact: _library.Fact) -> Union[int, str, None]:
    return (None, fact.number, fact.text.decode("utf-8"))[fact.kind]


def _finding(report: ctypes.c_void_p, index: int) -> Finding:
    found = _library.Finding(size=ctypes.sizeof(_library.Finding))
    require(lib.report_finding(report, index, found))
    cause = None
    if found.cause is not None:
        cause = Cause(found.cause.decode(), found.cause_message.decode("utf-8"), found.advice.decode("utf-8"))
    return Finding(
        rule=found.rule.decode(),
        severity=Severity(found.severity),
        offset=found.offset,
        length=found.length,
        place=found.place.decode("utf-8"),
        message=found.message.decode("utf-8"),
        observed=_fact(found.observed),
        allowed=_fact(found.allowed),
        suppressed=None if found.suppressed is None else found.suppressed.decode("utf-8"),
        cause=cause,
    )


def take_report(report: ctypes.c_void_p) -> Report:
    """The report of a handle, which is freed."""
    try:
        text = ctypes.c_void_p()
        require(lib.report_json(report, text))
        json = _library.take_text(text)
        return Report(
            path=_json.loads(json)["files"][0]["path"],
            verdict=_VERDICTS[lib.report_verdict(report)],
            problem=lib.report_problem(report).decode("utf-8"),
            findings=tuple(_finding(report, i) for i in range(lib.report_finding_count(report))),
            size=lib.report_file_size(report),
            sha256=lib.report_sha256(report).decode() or None,
            json=json,
        )
    finally:
        lib.report_free(report)
