#!/usr/bin/env python3
"""Holds a JSON document on standard input against a JSON schema.

usage: validate_json.py SCHEMA < DOCUMENT

exit code: 0 it fits, 1 it does not, 77 the package jsonschema is missing
"""

import json
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


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    try:
        document = json.loads(sys.stdin.buffer.read().decode("utf-8"), parse_constant=no_constants,
                              object_pairs_hook=pairs_once)
    except ValueError as error:
        print(f"not JSON: {error}")
        return 1
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(document))
    for error in errors[:10]:
        print(f"{error.json_path}: {error.message[:300]}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
