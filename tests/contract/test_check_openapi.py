#!/usr/bin/env python3
"""Shows that check_openapi.py finds each defect, by making it in a good document."""
import copy
import json
import unittest
from pathlib import Path

import check_openapi

GOOD = json.loads((Path(__file__).parent.parent / "data" / "openapi_good.json").read_text())
del GOOD["jsonSchemaDialect"]


def put(document, path, value):
    """Set the member at `path`, names between slashes in which ~1 is a slash; None removes it."""
    steps = [step.replace("~1", "/") for step in path.split("/")]
    for step in steps[:-1]:
        document = document[int(step) if isinstance(document, list) else step]
    if value is None:
        del document[steps[-1]]
    else:
        document[steps[-1]] = value


ECHO = "paths/~1tools~1echo/post/"
INPUT = "components/schemas/EchoInput/properties/"

# What is wrong, the member that is set or (None) removed, what the checker says.
DEFECTS = [
    ("nullable", INPUT + "upper/nullable", True, "'nullable' is not of OpenAPI 3.1"),
    ("type typo", INPUT + "suffix/type", ["string", "nul"], "no JSON Schema"),
    ("dangling reference", INPUT + "upper/$ref", "#/components/schemas/None", "leads nowhere"),
    ("operationId twice", ECHO + "operationId", "health", "operationId"),
    ("no operationId", ECHO + "operationId", None, "operationId"),
    ("undeclared security", ECHO + "security", [{"OAuth": []}], "'OAuth' is not declared"),
    ("no version", "info/version", None, "no 'version'"),
    ("no response description", ECHO + "responses/200/description", None, "no description"),
    ("path without slash", "paths/tools", {}, "does not begin with a slash"),
    ("undeclared path parameter", "paths/~1x~1{y}",
     {"get": {"operationId": "x", "responses": {"200": {"description": "x"}}}}, "path parameters"),
    ("example that does not fit",
     ECHO + "requestBody/content/application~1json/examples/basic/value", {"text": 1},
     "does not fit its schema"),
    ("default that does not fit", INPUT + "repeat/default", 11, "does not fit its schema"),
    ("schema example that does not fit", INPUT + "text/examples", [""], "does not fit its schema"),
    ("exclusiveMinimum as a switch", INPUT + "repeat/exclusiveMinimum", True, "no JSON Schema"),
    ("required and not declared", "components/schemas/EchoInput/required", ["text", "more"],
     "'more' is required and no property"),
    ("unknown root member", "routes", {}, "is not of an OpenAPI document"),
    ("jsonSchemaDialect", "jsonSchemaDialect", "https://spec.openapis.org/oas/3.1/dialect/base",
     "not wanted here"),
    ("status that is none", ECHO + "responses/20", {"description": "x"}, "'20' is no status"),
    ("parameter without schema", "paths/~1tools/get/parameters/0/schema", None, "no schema"),
    ("license with both", "info/license/url", "https://example.com/", "both 'identifier' and 'url'"),
    ("enum that is no array", INPUT + "upper/enum", "true", "no JSON Schema"),
    ("broken pattern", INPUT + "text/pattern", "[", "pattern does not compile"),
    ("component name", "components/schemas/a b", {}, "other characters"),
    ("OpenAPI 3.0", "openapi", "3.0.3", "is not 3.1"),
    ("API key without a place", "components/securitySchemes/ApiKey/in", None, "no 'in'"),
    ("required as a switch", INPUT + "upper/required", True, "no JSON Schema"),
    ("empty enum", INPUT + "upper/enum", [], "the enum is empty"),
    ("unused component", "components/schemas/Unused", {"type": "string"}, "is not used"),
    ("undeclared tag", ECHO + "tags", ["other"], "'other' is not declared"),
    ("tag twice", "tags", [{"name": "tools"}, {"name": "tools"}, {"name": "ops"}], "there twice"),
    ("media type without schema", ECHO + "requestBody/content/text~1plain", {}, "no schema"),
]


class Checks(unittest.TestCase):
    def test_a_good_document_has_no_defects(self):
        self.assertEqual(check_openapi.Checker(GOOD).check(), [])

    def test_each_defect_is_found(self):
        for name, path, value, expected in DEFECTS:
            with self.subTest(name):
                document = copy.deepcopy(GOOD)
                put(document, path, value)
                self.assertIn(expected, "\n".join(check_openapi.Checker(document).check()))


if __name__ == "__main__":
    unittest.main()
