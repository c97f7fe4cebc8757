#!/usr/bin/env python3
"""Hold the sources to the rules that no compiler checks.

    check_sources.py ROOT

Prints one line a violation, `file:line: what is wrong`, and ends with 1 when there was one. The rules
are the tables at the top.
"""

import fnmatch
import re
import sys
from pathlib import Path

# Who may include what, by folder: an arrow only goes down.
MAY_INCLUDE = {
    "tools/core": ["tools/core"],
    "tools/guard": ["tools/core", "tools/guard"],
    "tools/base": ["tools/core", "tools/guard", "tools/base"],
    "tools/suites": ["tools/core", "tools/guard", "tools/base", "tools/suites"],
    "openapi": ["tools/core", "openapi"],
    "middleware": ["tools/core", "tools/guard", "middleware"],
    "server": ["tools", "openapi", "middleware", "server"],
    "tests": ["tools", "openapi", "middleware", "server", "tests"],
}

# Headers of other people's libraries, and the only product files that may include them. Tests may
# include any of them.
THIRD_PARTY = {
    "microhttpd.h": ["server/listener*.c", "server/listener_*.h"],
    "openssl/*": ["middleware/secret.c", "tools/suites/data/digest.c"],
    "pcre2.h": ["tools/core/pattern.c"],
    "yaml.h": ["server/yaml.c"],
    "curl/*": ["tools/base/http_engine*", "tools/base/outbound_url.c", "tools/guard/url_parse.c",
               "server/http_client.c"],
    "libxml/*": ["tools/suites/web/html.c"],
    "jansson.h": ["*"],  # json_t is our value type
    "cmocka.h": [],
    "link.h": ["tools/core/plugin.c"],
    "zlib.h": [],
}

# What C, POSIX and Linux bring. Every other header in angle brackets must have a row above.
SYSTEM = """
    assert ctype errno fenv float inttypes limits locale malloc math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string time
    dirent dlfcn fcntl fnmatch glob iconv netdb poll pthread pwd regex sched strings syslog termios unistd
    arpa/* linux/* net/* netinet/* sys/*
""".split()

# What people can read in one go.
MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 500

FOLDERS = ["tools", "openapi", "middleware", "server", "tests"]
BANNED_LIST = "tools/core/banned.h"
BANNED_EXAMPLE = "tests/reject/banned_function.c"

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT_OR_LITERAL = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def sources(root):
    """Every C file of the product and of its tests, relative to the root, in order."""
    found = []
    for folder in FOLDERS:
        found += [path.relative_to(root) for path in (root / folder).rglob("*.[ch]")]
    return sorted(found)


def code_of(text):
    """The text with comments and literals blanked out, line by line."""
    return COMMENT_OR_LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def layer_of(name):
    return next((layer for layer in MAY_INCLUDE if name.startswith(layer + "/")), None)


def suite_of(name):
    """The suite's folder for a file of a suite; None for everything else, tools/suites/*.c too."""
    parts = name.split("/")
    return parts[2] if parts[:2] == ["tools", "suites"] and len(parts) > 3 else None


def check_project_include(name, included):
    layer = layer_of(name)
    if not any(included.startswith(allowed + "/") for allowed in MAY_INCLUDE.get(layer, [])):
        return f"{layer or name} must not include {included}"
    if suite_of(name) and suite_of(included) and suite_of(name) != suite_of(included):
        return f"the suite {suite_of(name)} must not include the suite {suite_of(included)}"
    return None


def check_system_include(name, included):
    if matches(included.removesuffix(".h"), SYSTEM):
        return None
    for pattern, files in THIRD_PARTY.items():
        if fnmatch.fnmatchcase(included, pattern):
            allowed = name.startswith("tests/") or matches(name, files)
            return None if allowed else f"<{included}> belongs in {', '.join(files) or 'tests'} only"
    return f"<{included}> has no place yet: give it one in tests/layering/check_sources.py"


def check_includes(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            check = check_project_include if match.group(1) == '"' else check_system_include
            problem = check(name, match.group(2))
            if problem:
                yield number, problem


def banned_functions(root):
    """The names that banned.h poisons; that list is the only one."""
    path = root / BANNED_LIST
    text = path.read_text().replace("\\\n", " ") if path.exists() else ""
    return [name for line in re.findall(r"#pragma GCC poison (.*)", text) for name in line.split()]


def check_banned(name, text, banned):
    if not banned or name in (BANNED_LIST, BANNED_EXAMPLE):
        return
    call = re.compile(r"\b(" + "|".join(banned) + r")\s*\(")
    for number, line in enumerate(code_of(text).splitlines(), 1):
        for match in call.finditer(line):
            yield number, f"{match.group(1)}() is banned (tools/core/banned.h)"


def check_json(_, text):
    """TR_JSON() turns its argument into text; what the compiler would join there stays in two."""
    for match in re.finditer(r"\bTR_JSON\(", text):
        depth, at, after_string = 1, match.end(), False
        while depth > 0 and at < len(text):
            literal = re.compile(r'"(?:\\.|[^"\\])*"', re.S).match(text, at)
            if literal:
                if after_string:
                    yield text.count("\n", 0, at) + 1, "two strings in a row are no JSON: make it one"
                after_string, at = True, literal.end()
                continue
            if not text[at].isspace():
                after_string = False
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1


def check_length(name, text):
    """clang-format puts the braces of a function, and of nothing else, alone into column one."""
    lines = text.splitlines()
    if len(lines) > MAX_FILE_LINES:
        yield len(lines), f"{len(lines)} lines; {MAX_FILE_LINES} is the limit: split the file"
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            length = number - start - 1
            is_list_of_tests = name.startswith("tests/") and lines[start - 2].startswith("int main(")
            if length > MAX_FUNCTION_LINES and not is_list_of_tests:
                yield start, f"a function of {length} lines; {MAX_FUNCTION_LINES} is the limit"
            start = None


def check_guard(name, text):
    if name.endswith(".h"):
        guard = "TR_" + re.sub(r"[^A-Z0-9]", "_", name.upper())
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield 1, f"the include guard must be {guard}"


def violations(root):
    """Yield (file, line, problem) for every broken rule below `root`."""
    banned = banned_functions(root)
    for path in sources(root):
        name = path.as_posix()
        text = (root / path).read_text()
        for check in (check_includes, check_length, check_guard, check_json):
            for number, problem in check(name, text):
                yield name, number, problem
        for number, problem in check_banned(name, text, banned):
            yield name, number, problem


def main():
    root = Path(sys.argv[1])
    found = list(violations(root))
    for name, number, problem in found:
        print(f"{name}:{number}: {problem}")
    print(f"{len(sources(root))} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
