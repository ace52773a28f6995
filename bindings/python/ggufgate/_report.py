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
    """The verdict. Load a file only after ACCEPT."""

    ACCEPT = "accept"
    REJECT = "reject"  # the file breaks a rule
    UNDECIDED = "undecided"  # it could not be checked; do not load it either


class Severity(enum.IntEnum):
    """The severity of a finding."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Cause:
    """The cause of a fault, if the bytes show it."""

    id: str
    message: str
    advice: str


@dataclass(frozen=True)
class Finding:
    """One violation of one rule. All text is escaped: safe for a terminal or a log."""

    rule: str  # slug of the rule, listed in docs/rules.md
    severity: Severity
    offset: int  # file offset of the wrong byte
    length: int  # number of bytes concerned
    place: str  # the record: "tokenizer.ggml.tokens[431]"
    message: str  # the value and the limit
    observed: Union[int, str, None] = None
    allowed: Union[int, str, None] = None
    suppressed: Optional[str] = None  # the reason in the policy
    cause: Optional[Cause] = None

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return f"{self.offset:#x} {self.severity.word}[{self.rule}] {place}{self.message}"


@dataclass(frozen=True)
class Report:
    """The verdict on one file, with its findings."""

    path: str  # escaped; "" if the source has no name
    verdict: Verdict
    problem: str  # the reason for UNDECIDED; otherwise ""
    findings: Tuple[Finding, ...]
    size: int  # of the file, in bytes
    sha256: Optional[str]  # if it was requested
    json: str = field(repr=False)  # as in `ggufgate check --format json`

    @property
    def accepted(self) -> bool:
        """Whether the file may be loaded."""
        return self.verdict is Verdict.ACCEPT

    def to_dict(self) -> Dict[str, Any]:
        """The report on this file as in JSON: docs/formats.md."""
        return _json.loads(self.json)["files"][0]


_VERDICTS = (Verdict.ACCEPT, Verdict.REJECT, Verdict.UNDECIDED)


class NotAcceptedError(GgufgateError):
    """A file was not accepted, so it was not opened.

    `report` has the reason.
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
    """The report of a handle; frees the handle."""
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
