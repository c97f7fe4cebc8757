#!/usr/bin/env python3
"""Holds recorded HTTP exchanges against an OpenAPI document and names each that does not fit.

usage: validate_responses.py DOCUMENT EXCHANGES...

A line of EXCHANGES is one JSON object:
  method, path   as sent; the path may have a query
  status         of the answer
  headers        of the answer: an object, or an array of [name, value]
  body           of the answer, a string; null or "" when there was none

The answer must have a declared status, the declared media type, every required header, and a body
that fits its schema. A path or a method that the document does not know must be refused with a
problem document. Closes with "N passed, N failed"; fails when one failed or there were none.
"""
import json
import re
import sys
import warnings

warnings.filterwarnings("ignore", category=DeprecationWarning)
try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
PROBLEM = "application/problem+json"


class Contract:
    def __init__(self, document):
        self.document = document
        self.resolver = jsonschema.RefResolver.from_schema(document)
        self.templates = [(self.pattern(path), path) for path in document["paths"] if "{" in path]

    @staticmethod
    def pattern(path):
        parts = re.split(r"\{[^}]*\}", path)
        return re.compile("[^/]+".join(re.escape(part) for part in parts))

    def follow(self, part):
        while "$ref" in part:
            _, part = self.resolver.resolve(part["$ref"])
        return part

    def path_item(self, path):
        """What the document says of a path; a concrete one goes before a template."""
        path = path.split("?", 1)[0]
        if len(path) > 1:
            path = path.rstrip("/") or "/"
        if path in self.document["paths"]:
            return self.document["paths"][path]
        for pattern, name in self.templates:
            if pattern.fullmatch(path):
                return self.document["paths"][name]
        return None

    def schema_errors(self, schema, value):
        validator = jsonschema.Draft202012Validator(schema, resolver=self.resolver)
        for error in validator.iter_errors(value):
            yield "%s: %s" % (error.json_path, error.message[:300])


class Answer:
    def __init__(self, exchange):
        headers = exchange["headers"]
        pairs = headers.items() if isinstance(headers, dict) else headers
        self.headers = {name.lower(): value for name, value in pairs}
        self.status = str(exchange["status"])
        self.body = exchange.get("body") or ""
        self.media_type = self.headers.get("content-type", "").split(";")[0].strip().lower()


def header_value(schema, text):
    if schema.get("type") == "integer" and re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    return text


def judge_headers(contract, declared, answer):
    for name, header in declared.items():
        header = contract.follow(header)
        value = answer.headers.get(name.lower())
        if value is None:
            if header.get("required"):
                yield "the header %s is missing" % name
            continue
        schema = contract.follow(header["schema"])
        for error in contract.schema_errors(schema, header_value(schema, value)):
            yield "header %s: %s" % (name, error)


def judge_body(contract, content, answer, is_head):
    if not content:
        if answer.body:
            yield "there is a body, and none is declared"
        return
    if answer.media_type not in content:
        yield "the media type is '%s', declared are: %s" % (answer.media_type, ", ".join(content))
        return
    if is_head:
        if answer.body:
            yield "the answer to HEAD has a body"
        return
    try:
        value = json.loads(answer.body)
    except ValueError as error:
        yield "the body is no JSON: %s" % error
        return
    yield from contract.schema_errors(content[answer.media_type].get("schema", {}), value)


def judge_response(contract, response, answer, is_head):
    response = contract.follow(response)
    yield from judge_headers(contract, response.get("headers", {}), answer)
    yield from judge_body(contract, response.get("content", {}), answer, is_head)


def judge_problem(contract, answer, is_head):
    """An answer to what no operation covers."""
    if int(answer.status) < 400:
        yield "no operation covers this, and the status is %s" % answer.status
        return
    components = contract.document.get("components", {})
    response = components.get("responses", {}).get("Problem" + answer.status)
    if response is None:
        response = {"content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    yield from judge_response(contract, response, answer, is_head)


def judge_options(contract, item, answer):
    """OPTIONS is answered wherever there is a path, with what the path has."""
    if int(answer.status) >= 400:
        yield from judge_problem(contract, answer, False)
        return
    if answer.body:
        yield "the answer to OPTIONS has a body"
    if answer.status not in ("200", "204"):
        yield "the status is %s" % answer.status
    if "access-control-allow-methods" in answer.headers:
        return  # a preflight, which the middleware answers for every path
    allowed = {name.strip().lower() for name in answer.headers.get("allow", "").split(",")}
    for method in METHODS:
        if method in (item or {}) and method not in allowed:
            yield "Allow is '%s', without %s" % (answer.headers.get("allow"), method)


def judge(contract, exchange):
    answer = Answer(exchange)
    method = exchange["method"].lower()
    is_head = method == "head"
    item = contract.path_item(exchange["path"])
    if method == "options":
        yield from judge_options(contract, item, answer)
        return
    operation = (item or {}).get("get" if is_head else method)
    if method not in METHODS or operation is None:
        yield from judge_problem(contract, answer, is_head)
        if item is not None and int(answer.status) == 404:
            yield "the path is declared, and the answer says there is nothing"
        return
    response = operation["responses"].get(answer.status, operation["responses"].get("default"))
    if response is None:
        yield "the status %s is not declared" % answer.status
        return
    yield from judge_response(contract, response, answer, is_head)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        contract = Contract(json.load(file))
    passed = failed = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
        for number, line in lines:
            exchange = json.loads(line)
            wrong = list(judge(contract, exchange))
            for reason in wrong:
                print("%s:%d: %s %s -> %s: %s" % (name, number, exchange["method"],
                                                  exchange["path"], exchange["status"], reason))
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
