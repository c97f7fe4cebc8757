#!/usr/bin/env python3
"""Checks an OpenAPI 3.1 document offline and names each defect.

usage: check_openapi.py DOCUMENT...

Looks for what common validators find between them: structure, references, unused components,
operation ids, tags, security, path parameters, schemas, and examples and defaults that do not fit
their schemas. tests/contract/lint_openapi.sh asks other people's validators, where npm is at hand.
Closes with "N passed, N failed", a document each.
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
ROOT = {"openapi", "info", "servers", "paths", "webhooks", "components", "security", "tags",
        "externalDocs"}
KINDS = ("schemas", "responses", "parameters", "examples", "requestBodies", "headers",
         "securitySchemes", "links", "callbacks", "pathItems")
SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "dependentSchemas")
SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SCHEMA_PARTS = ("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then",
                "else")


class Checker:
    def __init__(self, document):
        self.document = document
        self.resolver = jsonschema.RefResolver.from_schema(document)
        self.defects = []
        self.used = set()
        self.schemas = []
        self.operation_ids = set()

    def say(self, where, what):
        self.defects.append("%s: %s" % (where or "/", what))

    # ---- references ----

    def follow(self, part, where):
        """What a reference leads to, by way of all references between."""
        seen = set()
        while isinstance(part, dict) and "$ref" in part:
            reference = part["$ref"]
            if reference in seen:
                self.say(where, "the reference %s leads in a circle" % reference)
                return {}
            seen.add(reference)
            try:
                _, part = self.resolver.resolve(reference)
            except jsonschema.exceptions.RefResolutionError:
                self.say(where, "the reference %s leads nowhere" % reference)
                return {}
        return part

    def note_references(self, part):
        if isinstance(part, dict):
            reference = part.get("$ref")
            if isinstance(reference, str):
                self.used.add("/".join(reference.split("/")[:4]))
            for value in part.values():
                self.note_references(value)
        elif isinstance(part, list):
            for value in part:
                self.note_references(value)

    # ---- schemas ----

    def schema(self, schema, where):
        """Collect every schema below this one, and look at each."""
        self.schemas.append((schema, where))
        if not isinstance(schema, dict):
            return
        self.follow(schema, where)
        if "nullable" in schema:
            self.say(where, "'nullable' is not of OpenAPI 3.1")
        properties = schema.get("properties")
        if isinstance(properties, dict) and isinstance(schema.get("required"), list):
            for name in schema["required"]:
                if name not in properties:
                    self.say(where, "'%s' is required and no property" % name)
        if schema.get("enum") == []:
            self.say(where, "the enum is empty")
        if isinstance(schema.get("pattern"), str):
            try:
                re.compile(schema["pattern"])
            except re.error as error:
                self.say(where, "the pattern does not compile: %s" % error)
        for keyword in SCHEMA_MAPS:
            for name, value in self.dict_of(schema, keyword).items():
                self.schema(value, "%s/%s/%s" % (where, keyword, name))
        for keyword in SCHEMA_LISTS:
            for index, value in enumerate(self.list_of(schema, keyword)):
                self.schema(value, "%s/%s/%d" % (where, keyword, index))
        for keyword in SCHEMA_PARTS:
            if keyword in schema:
                self.schema(schema[keyword], "%s/%s" % (where, keyword))

    @staticmethod
    def dict_of(part, key):
        value = part.get(key)
        return value if isinstance(value, dict) else {}

    @staticmethod
    def list_of(part, key):
        value = part.get(key)
        return value if isinstance(value, list) else []

    def check_schemas(self):
        broken = False
        for schema, where in self.schemas:
            try:
                jsonschema.Draft202012Validator.check_schema(schema)
            except jsonschema.SchemaError as error:
                broken = True
                self.say(where, "no JSON Schema: %s" % error.message[:200])
        if broken:
            return
        for schema, where in self.schemas:
            if isinstance(schema, dict):
                if "default" in schema:
                    self.fits(schema, schema["default"], where + "/default")
                for index, value in enumerate(self.list_of(schema, "examples")):
                    self.fits(schema, value, "%s/examples/%d" % (where, index))

    def fits(self, schema, value, where):
        validator = jsonschema.Draft202012Validator(
            schema, resolver=self.resolver, format_checker=jsonschema.FormatChecker())
        try:
            for error in validator.iter_errors(value):
                self.say(where, "does not fit its schema: %s" % error.message[:200])
        except (jsonschema.exceptions.RefResolutionError, re.error):
            pass  # has been said

    # ---- operations ----

    def content(self, content, where):
        for media_type, media in content.items():
            here = "%s/%s" % (where, media_type)
            if "schema" not in media:
                self.say(here, "no schema")
                continue
            self.schema(media["schema"], here + "/schema")
            values = [self.follow(example, here).get("value")
                      for example in self.dict_of(media, "examples").values()]
            if "example" in media:
                values.append(media["example"])
            self.later.extend((media["schema"], value, here + "/example") for value in values)

    def headers(self, headers, where):
        for name, header in headers.items():
            header = self.follow(header, where)
            if "schema" not in header:
                self.say("%s/%s" % (where, name), "no schema")

    def response(self, response, where):
        if "$ref" not in response:
            if not isinstance(response.get("description"), str):
                self.say(where, "no description")
            self.headers(self.dict_of(response, "headers"), where + "/headers")
            self.content(self.dict_of(response, "content"), where + "/content")
        else:
            self.follow(response, where)

    def parameter(self, parameter, where):
        if "$ref" in parameter:
            return
        for member in ("name", "in"):
            if not isinstance(parameter.get(member), str):
                self.say(where, "no '%s'" % member)
        if "schema" not in parameter and "content" not in parameter:
            self.say(where, "no schema")
            return
        if "schema" in parameter:
            self.schema(parameter["schema"], where + "/schema")
            if "example" in parameter:
                self.later.append((parameter["schema"], parameter["example"], where + "/example"))
        if parameter.get("in") == "path" and parameter.get("required") is not True:
            self.say(where, "a path parameter must be required")

    def security(self, security, where):
        schemes = self.dict_of(self.dict_of(self.document, "components"), "securitySchemes")
        for requirement in security:
            for name in requirement:
                self.used.add("#/components/securitySchemes/" + name)
                if name not in schemes:
                    self.say(where, "the security scheme '%s' is not declared" % name)

    def operation(self, operation, path, where):
        operation_id = operation.get("operationId")
        if not isinstance(operation_id, str) or operation_id in self.operation_ids:
            self.say(where, "the operationId %r is missing or not unique" % operation_id)
        self.operation_ids.add(operation_id)
        declared = {tag["name"] for tag in self.list_of(self.document, "tags")}
        for tag in self.list_of(operation, "tags"):
            if tag not in declared:
                self.say(where, "the tag '%s' is not declared" % tag)
        named = set()
        for index, parameter in enumerate(self.list_of(operation, "parameters")):
            self.parameter(parameter, "%s/parameters/%d" % (where, index))
            parameter = self.follow(parameter, where)
            if parameter.get("in") == "path":
                named.add(parameter.get("name"))
        if named != set(re.findall(r"\{([^}]*)\}", path)):
            self.say(where, "the path parameters are not those of the path")
        if "requestBody" in operation:
            body = self.follow(operation["requestBody"], where)
            self.content(self.dict_of(body, "content"), where + "/requestBody/content")
        if not operation.get("responses"):
            self.say(where, "no responses")
        for status, response in self.dict_of(operation, "responses").items():
            if not re.fullmatch(r"default|[1-5](XX|[0-9][0-9])", status):
                self.say(where, "'%s' is no status" % status)
            self.response(response, "%s/responses/%s" % (where, status))
        if "security" in operation:
            self.security(operation["security"], where)

    # ---- the whole ----

    def info(self):
        info = self.dict_of(self.document, "info")
        for member in ("title", "version"):
            if not isinstance(info.get(member), str):
                self.say("/info", "no '%s'" % member)
        if {"identifier", "url"} <= set(self.dict_of(info, "license")):
            self.say("/info/license", "has both 'identifier' and 'url'")

    def root(self):
        if not re.fullmatch(r"3\.1\.[0-9]+", str(self.document.get("openapi"))):
            self.say("/openapi", "is not 3.1")
        for member in self.document:
            if member not in ROOT and not member.startswith("x-"):
                self.say("/" + member, "is not of an OpenAPI document, or not wanted here")
        tags = [tag.get("name") for tag in self.list_of(self.document, "tags")]
        if len(tags) != len(set(tags)):
            self.say("/tags", "a name is there twice")
        for server in self.list_of(self.document, "servers"):
            if not server.get("url"):
                self.say("/servers", "a server without a URL")
        self.security(self.list_of(self.document, "security"), "/security")

    def components(self):
        components = self.dict_of(self.document, "components")
        for kind, members in components.items():
            if kind not in KINDS:
                self.say("/components/" + kind, "is no kind of component")
                continue
            for name in members:
                where = "/components/%s/%s" % (kind, name)
                if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
                    self.say(where, "the name has other characters than A-Z a-z 0-9 . _ -")
                if "#" + where not in self.used:
                    self.say(where, "is not used")
        for name, schema in self.dict_of(components, "schemas").items():
            self.schema(schema, "/components/schemas/" + name)
        for name, response in self.dict_of(components, "responses").items():
            self.response(response, "/components/responses/" + name)
        for name, parameter in self.dict_of(components, "parameters").items():
            self.parameter(parameter, "/components/parameters/" + name)
        for name, scheme in self.dict_of(components, "securitySchemes").items():
            wanted = {"apiKey": ("name", "in"), "http": ("scheme",)}.get(scheme.get("type"), ("type",))
            for member in wanted:
                if member not in scheme:
                    self.say("/components/securitySchemes/" + name, "no '%s'" % member)

    def check(self):
        self.later = []
        self.note_references(self.document)
        self.root()
        self.info()
        for path, item in self.dict_of(self.document, "paths").items():
            if not path.startswith("/"):
                self.say("/paths/" + path, "does not begin with a slash")
            for method in METHODS:
                if method in item:
                    self.operation(item[method], path, "/paths/%s/%s" % (path, method))
        self.components()
        self.check_schemas()
        if not self.defects:
            for schema, value, where in self.later:
                self.fits(schema, value, where)
        return self.defects


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    passed = failed = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            defects = Checker(json.load(file)).check()
        for defect in defects:
            print("%s: %s" % (name, defect))
        passed, failed = (passed, failed + 1) if defects else (passed + 1, failed)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
