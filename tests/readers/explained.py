"""Which kinds of difference a finding of the gate names. A finding names a difference where it stands at the same key,
element or tensor. Each line was reviewed: who reads the finding must learn from it what will differ.
"""

from asking import unescaped

# rule -> kinds of compare.py
EXPLAINED = {
    # Bytes that are not UTF-8 become U+FFFD where a reader decodes them (TextDecoder, Buffer.toString).
    "string-utf8": {"value", "tensor-name"},
}

# Of rules that are being written. Until one is there no finding has it, and its line explains nothing.
AWAITED = {
    "string-nul": {"value"},  # a reader in C ends the text there
}


def explains(finding, difference):
    kinds = {**AWAITED, **EXPLAINED}.get(finding["rule"], ())
    return difference.kind in kinds and unescaped(finding["path"]) in difference.places


def rules(findings, difference):
    """The rules whose findings name a difference."""
    return {finding["rule"] for finding in findings if explains(finding, difference)}
