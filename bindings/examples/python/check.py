#!/usr/bin/env python3
"""check.py FILE...: the verdict on each file, with ctypes only. bindings/python has a package."""

import ctypes
import json
import sys

try:
    library = ctypes.CDLL("libggufgate.so.0")
except OSError as error:
    print(f"check.py: cannot load the library: {error}; docs/embedding.md tells how to install it", file=sys.stderr)
    sys.exit(2)
for name in ("text_chars", "status_text"):
    getattr(library, "ggufgate_" + name).restype = ctypes.c_char_p
NULL, byref = None, ctypes.byref


def check(path):
    """The report on a file, as in `ggufgate check --format json`."""
    report, text = ctypes.c_void_p(), ctypes.c_void_p()
    status = library.ggufgate_check_path(path.encode(), NULL, byref(report))
    if status == 0:
        status = library.ggufgate_report_json(report, byref(text))
    if status != 0:
        raise RuntimeError(library.ggufgate_status_text(status).decode())
    try:
        return json.loads(library.ggufgate_text_chars(text))["files"][0]
    finally:
        library.ggufgate_text_free(text)
        library.ggufgate_report_free(report)


accepted = len(sys.argv) > 1
for argument in sys.argv[1:]:
    judged = check(argument)
    accepted = accepted and judged["verdict"] == "accept"
    print(judged["verdict"], judged["path"])
    for finding in judged["findings"]:
        print(f"  {finding['offset']:#x} {finding['rule']} {finding['path']}: {finding['message']}")
sys.exit(0 if accepted else 1)
