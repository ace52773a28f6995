#!/usr/bin/env python3
"""Holds a JSON document on standard input against a JSON schema of any draft.

usage: validate_json.py SCHEMA [--lines DEFINITION] < DOCUMENT

  --lines DEFINITION   each line is a document, and the schema is that definition of SCHEMA ($defs)

exit code: 0 it fits, 1 it does not, 77 the package jsonschema is missing
"""

import json
import re
import sys

try:
    import jsonschema
except ImportError:
    print("the Python package jsonschema is missing")
    sys.exit(77)


def no_constants(word):
    raise ValueError(f"{word} is not JSON")


def pairs_once(pairs):
    """An object of these pairs; json.loads would keep the last of two with one name."""
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError(f"a name occurs twice among {names}")
    return dict(pairs)


# Source: RFC 3986, 4.1 and 4.2: a scheme, or no colon before the first slash.
URI_REFERENCE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|(?![^/?#]*:))"
                           r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#\[\]-]|%[0-9A-Fa-f]{2})*")

formats = jsonschema.FormatChecker(formats=())


@formats.checks("uri-reference")
def is_uri_reference(text):
    return not isinstance(text, str) or URI_REFERENCE.fullmatch(text) is not None


@formats.checks("uri")
def is_uri(text):
    return is_uri_reference(text) and (not isinstance(text, str) or ":" in text.split("/")[0])


def problems_of(text, validator):
    """The problems of one document, one line each."""
    try:
        document = json.loads(text, parse_constant=no_constants, object_pairs_hook=pairs_once)
    except ValueError as error:
        return [f"not JSON: {error}"]
    return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    draft = jsonschema.validators.validator_for(schema)
    draft.check_schema(schema)
    try:
        documents = [sys.stdin.buffer.read().decode("utf-8")]
    except ValueError as error:
        print(f"not JSON: {error}")
        return 1
    if "--lines" in sys.argv:
        definition = sys.argv[sys.argv.index("--lines") + 1]
        schema = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": f"#/$defs/{definition}"}
        documents = documents[0].split("\n")
        if documents.pop():
            print("the last line has no end")
            return 1
    validator = draft(schema, format_checker=formats)
    problems = [problem for text in documents for problem in problems_of(text, validator)]
    for problem in problems[:10]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
