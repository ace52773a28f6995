"""Checks if a GGUF file is safe to load, and if not, which byte is wrong.

    import ggufgate

    report = ggufgate.check("model.gguf")
    if not report.accepted:
        for finding in report.findings:
            print(finding)

    with ggufgate.open("model.gguf") as file:  # raises NotAcceptedError for a rejected file
        print(file.metadata["general.architecture"])
        weights = file.tensors["token_embd.weight"].dequantize()

    for result in ggufgate.scan(["https://models.example/a.gguf", "b.gguf"]):  # by ranges, one verdict per file
        print(result.to_json())

Only functions that return NumPy arrays need NumPy. The check runs in this process; check(…, confined=True) runs it
in a confined process.
"""

from typing import TYPE_CHECKING, Any

from ._check import Policy, check
from ._errors import ClosedError, FileReadError, GgufgateError, PolicyError, UnsupportedError
from ._file import File, Metadata, Tensor, Tensors, open  # noqa: A004
from ._library import lib as _lib
from ._reader import Reader
from ._report import Cause, Finding, NotAcceptedError, Report, Severity, Verdict
from ._values import Array

if TYPE_CHECKING:
    from ._scan import Result, scan

__version__: str = _lib.version().decode()


def __getattr__(name: str) -> Any:
    # The modules for web servers load slowly, so they are loaded at first use.
    if name in ("Result", "scan"):
        from . import _scan
        return getattr(_scan, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def can_confine() -> bool:
    """Whether check(…, confined=True) works in this build."""
    return bool(_lib.can_confine())


__all__ = [
    "Array", "Cause", "ClosedError", "File", "FileReadError", "Finding", "GgufgateError", "Metadata",
    "NotAcceptedError", "Policy", "PolicyError", "Reader", "Report", "Result", "Severity", "Tensor", "Tensors",
    "UnsupportedError", "Verdict", "can_confine", "check", "open", "scan",
]
