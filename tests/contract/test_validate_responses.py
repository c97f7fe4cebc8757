#!/usr/bin/env python3
"""Shows that validate_responses.py accepts what fits and names what does not."""
import copy
import io
import json
import sys
import tempfile
import unittest
from contextlib import redirect_stdout

import validate_responses

DOCUMENT = {
    "openapi": "3.1.0",
    "paths": {
        "/things": {"get": {"responses": {
            "200": {
                "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}},
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
            },
            "304": {},
            "503": {"$ref": "#/components/responses/Problem503"},
        }}},
        "/things/{name}": {"post": {"responses": {"200": {
            "content": {"application/json": {"schema": {"type": "array"}}},
        }}}},
        "/things/one": {"post": {"responses": {"200": {
            "content": {"application/json": {"schema": {"type": "string"}}},
        }}}},
    },
    "components": {
        "schemas": {
            "Thing": {"type": "object", "required": ["n"], "additionalProperties": False,
                      "properties": {"n": {"$ref": "#/components/schemas/Count"}}},
            "Count": {"type": "integer", "minimum": 0},
            "Problem": {"type": "object", "required": ["code"]},
        },
        "headers": {"RequestId": {"required": True, "schema": {"type": "string", "minLength": 2}}},
        "responses": {"Problem503": {
            "headers": {"Retry-After": {"required": True, "schema": {"type": "integer"}}},
            "content": {"application/problem+json": {
                "schema": {"$ref": "#/components/schemas/Problem"}}},
        }},
    },
}

GOOD = {"method": "GET", "path": "/things", "status": 200, "body": '{"n": 1}',
        "headers": {"Content-Type": "application/json; charset=utf-8", "x-request-id": "ab"}}
PROBLEM = {"method": "GET", "path": "/nowhere", "status": 404, "body": '{"code": "not_found"}',
           "headers": {"Content-Type": "application/problem+json"}}


def judged(base, **changes):
    exchange = copy.deepcopy(base)
    exchange.update(changes)
    return list(validate_responses.judge(validate_responses.Contract(DOCUMENT), exchange))


def with_headers(base, **changes):
    headers = {**base["headers"], **{name.replace("_", "-"): value for name, value in changes.items()}}
    return {name: value for name, value in headers.items() if value is not None}


class Accepts(unittest.TestCase):
    def check(self, base, **changes):
        self.assertEqual(judged(base, **changes), [])

    def test_what_is_declared(self):
        self.check(GOOD)
        self.check(GOOD, headers=[list(pair) for pair in GOOD["headers"].items()])
        self.check(GOOD, path="/things/?q=1")

    def test_an_answer_without_a_body(self):
        self.check(GOOD, method="HEAD", body="")
        self.check(GOOD, status=304, body=None, headers={})

    def test_a_refusal_of_what_is_not_declared(self):
        self.check(PROBLEM)
        self.check(PROBLEM, path="/things", method="DELETE", status=405)

    def test_a_problem_component_with_its_header(self):
        self.check(PROBLEM, path="/things", status=503, headers=with_headers(PROBLEM, Retry_After="1"))

    def test_a_concrete_path_before_a_template(self):
        self.check(GOOD, method="POST", path="/things/one", body='"text"')
        self.check(GOOD, method="POST", path="/things/two", body="[]")

    def test_options(self):
        self.check(GOOD, method="OPTIONS", status=204, body="", headers={"Allow": "GET, HEAD"})


class Names(unittest.TestCase):
    def check(self, base, reason, **changes):
        self.assertIn(reason, "\n".join(judged(base, **changes)))

    def test_an_undeclared_status(self):
        self.check(GOOD, "status 201 is not declared", status=201)

    def test_another_media_type(self):
        self.check(GOOD, "media type is 'text/html'",
                   headers=with_headers(GOOD, Content_Type="text/html"))
        self.check(GOOD, "media type is ''", headers=with_headers(GOOD, Content_Type=None))

    def test_a_missing_or_wrong_header(self):
        self.check(GOOD, "X-Request-Id is missing", headers={"content-type": "application/json"})
        self.check(GOOD, "header X-Request-Id", headers=with_headers(GOOD, x_request_id="a"))
        self.check(PROBLEM, "Retry-After is missing", path="/things", status=503)
        self.check(PROBLEM, "header Retry-After", path="/things", status=503,
                   headers=with_headers(PROBLEM, Retry_After="soon"))

    def test_a_body_that_does_not_fit(self):
        self.check(GOOD, "no JSON", body="{")
        self.check(GOOD, "$.n", body='{"n": -1}')
        self.check(GOOD, "'n' is a required property", body="{}")
        self.check(GOOD, "unexpected", body='{"n": 1, "m": 2}')
        self.check(GOOD, "is not of type", method="POST", path="/things/one", body="[]")

    def test_a_body_where_none_belongs(self):
        self.check(GOOD, "HEAD has a body", method="HEAD")
        self.check(GOOD, "none is declared", status=304)

    def test_success_where_nothing_is_declared(self):
        self.check(GOOD, "no operation covers this", path="/nowhere")
        self.check(GOOD, "no operation covers this", method="DELETE")

    def test_a_refusal_that_is_no_problem_document(self):
        self.check(PROBLEM, "'code' is a required property", body="{}")
        self.check(PROBLEM, "media type", headers={"Content-Type": "text/html"})
        self.check(PROBLEM, "says there is nothing", path="/things", method="DELETE")

    def test_options_that_hide_a_method(self):
        self.check(GOOD, "without get", method="OPTIONS", status=204, body="",
                   headers={"Allow": "POST"})


class WholeRuns(unittest.TestCase):
    def run_main(self, exchanges):
        with tempfile.TemporaryDirectory() as folder:
            names = [folder + "/document.json", folder + "/exchanges.jsonl"]
            with open(names[0], "w", encoding="utf-8") as file:
                json.dump(DOCUMENT, file)
            with open(names[1], "w", encoding="utf-8") as file:
                file.writelines(json.dumps(exchange) + "\n" for exchange in exchanges)
            sys.argv = ["validate_responses.py", *names]
            out = io.StringIO()
            with redirect_stdout(out):
                code = validate_responses.main()
            return code, out.getvalue().splitlines()[-1]

    def test_counts(self):
        self.assertEqual(self.run_main([GOOD, PROBLEM]), (0, "2 passed, 0 failed"))
        self.assertEqual(self.run_main([GOOD, {**GOOD, "status": 201}]), (1, "1 passed, 1 failed"))

    def test_that_nothing_recorded_is_a_failure(self):
        self.assertEqual(self.run_main([]), (1, "0 passed, 0 failed"))


if __name__ == "__main__":
    unittest.main()
