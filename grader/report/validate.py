"""Validates reports against the schema: validate.py SCHEMA FILE... (each file one report, or one a line)."""
import json
import sys

import jsonschema


def reports(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        yield json.loads(text)
    except json.JSONDecodeError:
        for line in text.split("\n"):  # splitlines() would also split inside a string, at U+2028
            if line:
                yield json.loads(line)


schema_path, *paths = sys.argv[1:]
with open(schema_path, encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
wrong = 0
for path in paths:
    for report in reports(path):
        for error in validator.iter_errors(report):
            print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
            wrong += 1
if not paths:
    sys.exit("no report to validate")
sys.exit(wrong != 0)
